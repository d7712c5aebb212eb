import { errorEntry } from '../define.js';
import { flag, oneOf, optional, prose, text } from '../fields.js';
import { coordinate, withAside } from '../phrase.js';

/** The remedy for a gateway without a key; the manifest's reader and staging print the same words. */
export const GATEWAY_CREDENTIAL_REMEDY =
  'set gateway.api_key: ${' +
  'NAME}, or write gateway.keyless: true when the endpoint takes no key; which of the two holds is stated, never guessed';

/** Inference drivers and the gateway that adds credentials. */
export const gatewayErrors = [
  errorEntry({
    variant: 'DriverNotConfigured',
    code: 'E-RUN-005',
    stage: 'launch',
    fields: {},
    summary: 'The capsule has no inference driver.',
    message: () => 'no inference driver is configured: inference.driver.artifact is missing or empty',
    remedy: 'add inference.driver.artifact with the name of a driver that artifacts declares',
    explanation:
      'An agent capsule talks to its model through a driver, on either transport. Name an installed driver artifact in the inference block.',
  }),
  errorEntry({
    variant: 'DriverNotInstalled',
    code: 'E-RUN-006',
    stage: 'launch',
    fields: { name: text },
    summary: 'The http driver that the manifest names was not staged.',
    message: (f) => `the inference driver '${f.name}' is not among the staged artifacts`,
    remedy: (f) => `declare '${f.name}' under artifacts and run 'mur install ${f.name}@<version>'`,
    explanation:
      'inference.driver.artifact refers to an artifact by name; it must be declared under artifacts as well, with its version.',
  }),
  errorEntry({
    variant: 'GatewayArtifactDeclaresNoUpstreamAuth',
    code: 'E-RUN-025',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, reason: optional(prose) },
    summary: 'A gateway is configured for an artifact that does not say how it authenticates.',
    message: (f) =>
      withAside(`${coordinate(f)} has a gateway and declares no usable upstream_auth`, f.reason),
    remedy: (f) =>
      `use a release of '${f.name}' that declares upstream_auth, or remove gateway from its entry in murmur.yaml`,
    explanation:
      "The gateway adds a key to an artifact's requests in the way that the artifact's own manifest describes under upstream_auth. Without that description the key could go anywhere in the request, so the run is refused.",
  }),
  errorEntry({
    variant: 'GatewayOnNativeArtifact',
    code: 'E-CAP-017',
    stage: 'staging-before-workdir',
    fields: { name: text },
    summary: 'A gateway is configured for a native tool.',
    message: (f) => `'${f.name}' is a native tool, whose traffic does not pass the credential gateway`,
    remedy: (f) => `remove gateway from the entry of '${f.name}', or use a WASM build of it`,
    explanation:
      'Traffic of native programs goes through the egress rules, where it is only let through or refused; nothing can add a key to it there.',
  }),
  errorEntry({
    variant: 'GatewayWithoutCredential',
    code: 'E-CAP-018',
    stage: 'staging-before-workdir',
    fields: { name: text, endpoint: text },
    summary: 'A gateway has an endpoint and neither a key nor keyless: true.',
    message: (f) => `the gateway of '${f.name}' to '${f.endpoint}' has neither api_key nor keyless: true`,
    remedy: GATEWAY_CREDENTIAL_REMEDY,
    explanation:
      'Leaving the key out could mean that none is needed or that it was forgotten. One of the two has to be written down; addresses of this host get no exemption.',
  }),
  errorEntry({
    variant: 'GatewayCredentialNotFound',
    code: 'E-MAN-003',
    stage: 'staging-before-workdir',
    fields: { artifact: text, variable: text, credentials_file: optional(text) },
    summary: 'The credential that a gateway names is set nowhere.',
    message: (f) =>
      `gateway.api_key of '${f.artifact}' names '${f.variable}', which is neither credentials.${f.variable} in ` +
      (f.credentials_file === null ? 'the global config' : `'${f.credentials_file}'`) +
      ' nor set in the environment',
    remedy: (f) =>
      `store it with 'mur config set -g credentials.${f.variable} <key>', which running capsules read again, or export ${f.variable} before launching`,
    explanation:
      'Credentials are named in the manifest and kept outside it. Both places were looked at and neither has the name.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-027',
    stage: 'turn',
    fields: {
      origin: oneOf('config', 'environment', 'literal'),
      name: optional(text),
      file: optional(text),
      retried: flag,
    },
    summary: 'The provider refused the credential.',
    message: (f) =>
      `the provider answered HTTP 401 to ${keyOrigin(f)}` +
      (f.retried ? '; it was read again and the new value failed too' : ''),
    remedy: (f) =>
      f.origin === 'config'
        ? `replace it with 'mur config set -g credentials.${f.name} <key>'; running capsules pick it up`
        : 'start the capsule again with a valid key, or keep it as credentials.<NAME> in the configuration, which running capsules read again',
    explanation:
      'The key was refused, read once more, and was unchanged or refused again. Any other status is left to the driver. The key itself is never printed.',
  }),
] as const;

function keyOrigin(key: {
  readonly origin: string;
  readonly name: string | null;
  readonly file: string | null;
}): string {
  if (key.origin === 'config') return `the key of config entry credentials.${key.name} in '${key.file}'`;
  if (key.origin === 'environment') return `the key read once at launch from the variable ${key.name}`;
  if (key.origin === 'literal') return 'the key written literally in the manifest';
  return `the key from ${key.origin} ${key.name} ${key.file}`;
}
