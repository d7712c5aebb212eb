export { CLAUDE_MOCK_TOKEN, claudeHome } from './claude-home.js';
export { type CodexHomeOptions, codexHome } from './codex-home.js';
export { ensureHarness } from './ensure-harness.js';
export { npmEnvironment } from './npm-environment.js';
export { type HarnessPin, pinOf } from './pins.js';
