/** How a harness spells the capsule's tools. */
export interface ToolNaming {
  /** The harness's name for a bare tool name. */
  add(bareName: string): string;
  /** The bare name, with exactly the own prefix taken off once; any other name comes back as it is. */
  strip(harnessName: string): string;
  /** True when the name carries the own prefix. */
  owns(harnessName: string): boolean;
}

/** Naming by prefix, such as `mcp__murmur__`. */
export function prefixNaming(prefix: string): ToolNaming {
  const owns = (name: string) => name.startsWith(prefix) && name.length > prefix.length;
  return {
    add: (bareName) => prefix + bareName,
    strip: (harnessName) => (owns(harnessName) ? harnessName.slice(prefix.length) : harnessName),
    owns,
  };
}
