import type { DriverFile, LaunchPlan, LaunchRequest, ToolBridge } from './generated/contract.js';
import { isJsonObject, type JsonObject, readJson } from './json-line.js';

/** Stands for the private directory of this run's files, in arguments and in values of `envSet`. */
export const FILES_DIR = '{files_dir}';

/** Where a file of the plan will lie, for use in an argument or a variable. */
export function pathOfFile(file: DriverFile): string {
  return `${FILES_DIR}/${file.name}`;
}

/** The model to ask for; `undefined` when the manifest leaves the choice to the harness. */
export function wantedModel(request: LaunchRequest): string | undefined {
  const model = request.model?.trim();
  return model === undefined || model === '' ? undefined : model;
}

/**
 * The driver's part of the manifest, `inference.driver.config`; empty when the manifest has none.
 *
 * @throws Error naming each key the driver does not know, so that a misspelt setting refuses the launch instead
 * of doing nothing.
 */
export function readDriverConfig(request: LaunchRequest, knownKeys: readonly string[]): JsonObject {
  if (request.config === undefined) return {};
  const config = readJson(request.config);
  if (!isJsonObject(config)) throw new Error('inference.driver.config is not a mapping');
  const unknown = Object.keys(config).filter((key) => !knownKeys.includes(key));
  if (unknown.length > 0)
    throw new Error(
      `inference.driver.config has ${unknown.length === 1 ? 'a key' : 'keys'} this driver does not know: ${unknown.join(', ')}` +
        ` (known: ${knownKeys.length === 0 ? 'none' : knownKeys.join(', ')})`,
    );
  return config;
}

/**
 * The MCP configuration file many harnesses read, with the bridge as an HTTP server. The token goes into the
 * file, which only the capsule's user can read; an argument would be visible to every process of the machine.
 */
export function mcpConfigFile(bridge: ToolBridge, name = 'mcp-config.json'): DriverFile {
  const server = {
    type: 'http',
    url: bridge.url,
    headers: { Authorization: `Bearer ${bridge.bearerToken}` },
  };
  return { name, contents: JSON.stringify({ mcpServers: { [bridge.serverName]: server } }) };
}

/** Refuses a plan that would show the bridge's token in the process list. `defineProcessDriver` applies it. */
export function refuseTokenInArguments(plan: LaunchPlan, request: LaunchRequest): void {
  const token = request.bridge?.bearerToken;
  if (token !== undefined && token !== '' && plan.args.some((argument) => argument.includes(token)))
    throw new Error('the plan puts the token of the tool bridge into an argument');
}
