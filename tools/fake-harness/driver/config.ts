import {
  booleanMember,
  type DriverFile,
  isJsonObject,
  type JsonObject,
  jsonText,
  type LaunchRequest,
  listMember,
  readDriverConfig,
  stringMember,
} from '@murmur/driver-sdk';

/** Faults a call can be told to have. */
export const FAULTS = ['trap', 'hang', 'balloon', 'throw', 'refuse'] as const;
export type Fault = (typeof FAULTS)[number];

const KEYS = [
  'script',
  'args',
  'env',
  'files',
  'stdin',
  'keep_stdin_open',
  'interrupt_stdin',
  'request_file',
  'launch',
  'parse',
  'classify_exit',
] as const;

/** What `inference.driver.config` may say to the fake driver; the README explains each key. */
export interface FakeConfig {
  readonly args: readonly string[];
  readonly env: readonly (readonly [string, string])[];
  readonly files: readonly DriverFile[];
  readonly stdin: string | undefined;
  readonly keepStdinOpen: boolean;
  readonly interruptStdin: string | undefined;
  readonly launchFault: Fault | undefined;
  readonly parseFault: Fault | undefined;
  /** A fault, or the event to answer with, illegal ones included. */
  readonly classifyExit: Fault | JsonObject | undefined;
}

export function readFakeConfig(request: LaunchRequest): FakeConfig {
  const config = readDriverConfig(request, KEYS);
  const script = config.script;
  return {
    args: [
      ...(script === undefined ? [] : ['--script', '{files_dir}/script.json']),
      ...texts(listMember(config, 'args')),
    ],
    env: (listMember(config, 'env') ?? [])
      .filter(Array.isArray)
      .map(([name, value]) => [String(name), String(value)]),
    files: [
      ...(script === undefined ? [] : [{ name: 'script.json', contents: jsonText(script) }]),
      ...(booleanMember(config, 'request_file') === true
        ? [{ name: 'request.json', contents: jsonText(request) }]
        : []),
      ...(listMember(config, 'files') ?? []).filter(isJsonObject).map((file) => ({
        name: stringMember(file, 'name') ?? '',
        contents: stringMember(file, 'contents') ?? '',
      })),
    ],
    stdin: stringMember(config, 'stdin'),
    keepStdinOpen: booleanMember(config, 'keep_stdin_open') ?? false,
    interruptStdin: stringMember(config, 'interrupt_stdin'),
    launchFault: faultOf(config.launch),
    parseFault: faultOf(config.parse),
    classifyExit: isJsonObject(config.classify_exit) ? config.classify_exit : faultOf(config.classify_exit),
  };
}

export function faultOf(value: unknown): Fault | undefined {
  return FAULTS.find((fault) => fault === value);
}

function texts(values: readonly unknown[] | undefined): readonly string[] {
  return (values ?? []).map(String);
}
