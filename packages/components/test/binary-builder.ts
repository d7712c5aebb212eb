/** Assembles WebAssembly binaries byte by byte, hostile ones included. */

export function unsigned(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return bytes;
}

export function name(text: string): number[] {
  const bytes = [...new TextEncoder().encode(text)];
  return [...unsigned(bytes.length), ...bytes];
}

export function list(items: readonly number[][]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

export function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

const CORE_HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const COMPONENT_HEADER = [0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0];

export function coreModule(...sections: readonly number[][]): Uint8Array {
  return Uint8Array.from([...CORE_HEADER, ...sections.flat()]);
}

export function component(...sections: readonly number[][]): Uint8Array {
  return Uint8Array.from([...COMPONENT_HEADER, ...sections.flat()]);
}

/** `(func)` as type 0, one empty function of it. */
export const emptyFunction = {
  types: section(1, list([[0x60, 0, 0]])),
  functions: section(3, list([[0]])),
  code: section(10, list([[2, 0, 0x0b]])),
};

/** A core module that exports one empty function under the given name. */
export function moduleExporting(exportName: string): Uint8Array {
  const exports = section(7, list([[...name(exportName), 0x00, 0]]));
  return coreModule(emptyFunction.types, emptyFunction.functions, exports, emptyFunction.code);
}

/** A component `export run: func()` that lifts the core function exported as `coreName`. */
export function componentLifting(coreName: string): Uint8Array {
  return component(
    section(1, [...moduleExporting(coreName)]),
    // core instance 0 of module 0
    section(2, list([[0x00, 0, 0]])),
    // alias: the core function of instance 0
    section(6, list([[0x00, 0x00, 0x01, 0, ...name(coreName)]])),
    // type 0: (func)
    section(7, list([[0x40, 0, 0x01, 0]])),
    // canon lift, core function 0 as type 0
    section(8, list([[0x00, 0x00, 0, 0, 0]])),
    section(11, list([[0x00, ...name('run'), 0x01, 0, 0]])),
  );
}
