/** Enough to reach the registry, nothing that changes what is installed or where (as `npm run` hands down to its children). */
const PASSED = [
  'PATH',
  'HOME',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
  'npm_config_registry',
  'npm_config_cafile',
  'npm_config_userconfig',
];

/** The environment for an npm that works in a project of its own, with the given cache directory. */
export function npmEnvironment(cacheDirectory: string): Record<string, string> {
  const env: Record<string, string> = {
    npm_config_cache: cacheDirectory,
    npm_config_update_notifier: 'false',
  };
  for (const name of PASSED) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
