import type { ContainmentOptions, HostProbe, Jail, JailSpec } from './types.js';
export type { ContainmentOptions, ExitRecord, HostProbe, Jail, JailedProcess, JailSpec, ProcessLimits, SpawnRequest } from './types.js';
export async function probe(_options?: ContainmentOptions): Promise<HostProbe> { throw new Error('later'); }
export async function openJail(_spec: JailSpec, _options?: ContainmentOptions): Promise<Jail> { throw new Error('later'); }
