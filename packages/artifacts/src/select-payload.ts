/** What an artifact's payload is: a component, a program for one platform, or text. */
export type PayloadKind = 'wasm' | 'native' | 'static';

/** The component that always wins over its neighbours. */
export const capsuleComponent = 'capsule.wasm';

/** The manifest of every archive. */
export const manifestEntry = 'murmur.yaml';

export type PayloadSelection =
  | { readonly entry: string }
  /** Why no entry can be taken, in words. */
  | { readonly problem: string };

/**
 * Which entry of an archive is its payload. Decided the same way when packing and when using.
 * Implements `docs/spec/artifacts.md`, "Payload".
 */
export function selectPayload(
  names: Iterable<string>,
  artifact: { readonly name: string; readonly kind: PayloadKind },
): PayloadSelection {
  const present = new Set(names);
  if (artifact.kind === 'wasm') return selectComponent(rootComponents(present));
  const entry = artifact.kind === 'native' ? `bin/${artifact.name}` : 'skill.md';
  return present.has(entry) ? { entry } : { problem: `it holds no '${entry}'` };
}

/** Components in the root of an archive, sorted. */
export function rootComponents(names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => !name.includes('/') && name.endsWith('.wasm')).sort();
}

function selectComponent(components: readonly string[]): PayloadSelection {
  const [first, second] = components;
  if (components.includes(capsuleComponent)) return { entry: capsuleComponent };
  if (first === undefined) return { problem: 'it holds no *.wasm in its root' };
  if (second === undefined) return { entry: first };
  return {
    problem: `it holds several *.wasm in its root and none is ${capsuleComponent}: ${components.join(', ')}`,
  };
}
