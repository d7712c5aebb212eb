const SERVED = new Set([
  'wasi:cli/environment',
  'wasi:cli/exit',
  'wasi:cli/stderr',
  'wasi:cli/stdin',
  'wasi:cli/stdout',
  'wasi:cli/terminal-input',
  'wasi:cli/terminal-output',
  'wasi:cli/terminal-stderr',
  'wasi:cli/terminal-stdin',
  'wasi:cli/terminal-stdout',
  'wasi:clocks/monotonic-clock',
  'wasi:clocks/wall-clock',
  'wasi:filesystem/preopens',
  'wasi:filesystem/types',
  'wasi:http/outgoing-handler',
  'wasi:http/types',
  'wasi:io/error',
  'wasi:io/poll',
  'wasi:io/streams',
  'wasi:random/insecure',
  'wasi:random/insecure-seed',
  'wasi:random/random',
  'wasi:sockets/instance-network',
  'wasi:sockets/ip-name-lookup',
  'wasi:sockets/network',
  'wasi:sockets/tcp',
  'wasi:sockets/tcp-create-socket',
  'wasi:sockets/udp',
  'wasi:sockets/udp-create-socket',
]);

/** Whether the empty host provides an import: an interface of its list, in a release of WASI 0.2. */
export function isServedImport(name: string): boolean {
  const [interfaceName, version, ...rest] = name.split('@');
  return rest.length === 0 && SERVED.has(interfaceName ?? '') && /^0\.2\.\d{1,4}$/.test(version ?? '');
}
