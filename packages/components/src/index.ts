import type { ComponentRuntime, ComponentRuntimeOptions } from './types.js';
export type { ComponentFailureKind, ComponentLimits, ComponentNames, ComponentRuntime, ComponentRuntimeOptions, Guest, PreparedComponent } from './types.js';
export class ComponentFailure extends Error { constructor(readonly kind: import('./types.js').ComponentFailureKind, readonly detail: string) { super(detail); } }
export class GuestRefusal extends Error { constructor(readonly payload: unknown) { super('refused'); } }
export function createComponentRuntime(_options: ComponentRuntimeOptions): ComponentRuntime { throw new Error('later'); }
