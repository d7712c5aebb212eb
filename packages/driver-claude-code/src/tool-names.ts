import type { ToolBridge } from '@murmur/driver-sdk';

/** Claude Code spells the tools of an MCP server `mcp__<server>__<tool>`, with `_` for what it does not allow in names. */
const spelled = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_');

/** What a permission rule calls all tools of the bridge. */
export function bridgePermission(bridge: ToolBridge): string {
  return `mcp__${spelled(bridge.serverName)}`;
}

/** From a name that Claude Code uses to the bare name of the capsule's tool; names of other tools come back as they are. */
export function createBareNames(bridge: ToolBridge | undefined): (harnessName: string) => string {
  if (bridge === undefined) return (name) => name;
  const prefix = `${bridgePermission(bridge)}__`;
  const bare = new Map<string, string>();
  for (const name of bridge.toolNames)
    if (!bare.has(prefix + spelled(name))) bare.set(prefix + spelled(name), name);
  return (name) =>
    bare.get(name) ??
    (name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name);
}
