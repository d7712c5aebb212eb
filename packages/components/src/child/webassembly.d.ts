/** The part of the WebAssembly JavaScript interface that the guest program uses; Node's own types lack it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
    private readonly opaque;
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    private constructor();
    readonly buffer: ArrayBuffer;
  }
  type Imports = Record<string, Record<string, unknown>>;
  function validate(bytes: Uint8Array): boolean;
}
