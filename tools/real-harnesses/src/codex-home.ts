import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface CodexHomeOptions {
  /** Retries of a request or a stream; default 0, so that failures come at once. */
  readonly retries?: number;
  /** More lines for the top of `config.toml`. */
  readonly extra?: readonly string[];
}

/**
 * Writes a `config.toml` that points Codex at a scripted model.
 *
 * @param directory Codex's own folder: what `CODEX_HOME` names, or `.codex` in the home directory.
 * @param modelUrl Base URL of the scripted model, with its script prefix, without `/v1`.
 */
export async function codexHome(
  directory: string,
  modelUrl: string,
  options: CodexHomeOptions = {},
): Promise<void> {
  const retries = options.retries ?? 0;
  const lines = [
    'model = "mock"',
    'model_provider = "mock"',
    'check_for_update_on_startup = false',
    'cli_auth_credentials_store = "file"',
    ...(options.extra ?? []),
    '',
    '[model_providers.mock]',
    'name = "mock"',
    `base_url = ${JSON.stringify(`${modelUrl}/v1`)}`,
    'wire_api = "responses"',
    // In the file rather than in a variable: variables that look like keys do not reach a harness.
    'experimental_bearer_token = "mock-token"',
    `request_max_retries = ${retries}`,
    `stream_max_retries = ${retries}`,
    '',
  ];
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'config.toml'), lines.join('\n'), { mode: 0o600 });
}
