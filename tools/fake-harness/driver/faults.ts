/** A lone surrogate has no UTF-8 form: handed over unchecked, it traps the instance. */
export const TRAP_TEXT = '\ud800';

/** Never returns. */
export function hang(): never {
  for (;;);
}

/** Takes memory until there is none left, which traps. */
export function balloon(): never {
  const held: Uint8Array[] = [];
  for (;;) held.push(new Uint8Array(1 << 20).fill(1));
}
