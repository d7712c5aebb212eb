import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The bearer token that a request made with `claudeHome`'s sign-in carries. */
export const CLAUDE_MOCK_TOKEN = 'sk-ant-oat01-mock';

/**
 * Writes a sign-in that Claude Code takes for one with a subscription. It never expires and cannot be renewed, so no
 * request for another token is made. Where requests go is the driver's setting (`base_url`), or `ANTHROPIC_BASE_URL`.
 *
 * @param directory Claude Code's own folder: what `CLAUDE_CONFIG_DIR` names, or `.claude` in the home directory.
 */
export async function claudeHome(directory: string): Promise<void> {
  const claudeAiOauth = {
    accessToken: CLAUDE_MOCK_TOKEN,
    refreshToken: null,
    expiresAt: null,
    scopes: ['user:inference'],
    subscriptionType: 'max',
  };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, '.credentials.json'), JSON.stringify({ claudeAiOauth }), { mode: 0o600 });
}
