import type { Random } from '../random.js';
import { hostileNumbers, hostileTexts, hostileValue } from './hostile-values.js';

/** A place in a value that can be written: the holder and its key there. */
interface Slot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

function slotsOf(root: { value: unknown }): Slot[] {
  const slots: Slot[] = [{ holder: root as Record<string, unknown>, key: 'value' }];
  for (let at = 0; at < slots.length && slots.length < 5000; at += 1) {
    const slot = slots[at];
    const value = slot === undefined ? undefined : Reflect.get(slot.holder, slot.key);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const key of Object.keys(value)) slots.push({ holder: value as Record<string, unknown>, key });
  }
  return slots;
}

/** Own keys only, `__proto__` among them: an assignment would set the prototype instead. */
function put(holder: Slot['holder'], key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function renamed(holder: Record<string, unknown>, from: string, to: string): void {
  const entries = Object.entries(holder);
  for (const key of Object.keys(holder)) delete holder[key];
  for (const [key, value] of entries) put(holder, key === from ? to : key, value);
}

function nearby(name: string, random: Random): string {
  const at = random.int(name.length + 1);
  switch (random.int(4)) {
    case 0:
      return name.slice(0, at) + name.slice(at + 1);
    case 1:
      return `${name.slice(0, at)}_${name.slice(at)}`;
    case 2:
      return name.toUpperCase();
    default:
      return random.pick(hostileTexts.slice(0, -2));
  }
}

/** Changes one thing in a value made of maps, lists and scalars: a kind, a key, a place, a member. */
function mutateOnce(root: { value: unknown }, random: Random): void {
  const slots = slotsOf(root);
  const { holder, key } = random.pick(slots);
  const value: unknown = Reflect.get(holder, key);
  switch (random.int(14)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (holder !== (root as unknown)) delete holder[key];
      return;
    case 1:
      if (!Array.isArray(holder) && holder !== (root as unknown)) renamed(holder, key, nearby(key, random));
      return;
    case 2:
      put(holder, key, random.oneIn(2) ? [value] : { [random.oneIn(2) ? key : 'value']: value });
      return;
    case 3: {
      const other = random.pick(slots);
      // Copied, so that no value holds itself.
      put(holder, key, structuredClone(Reflect.get(other.holder, other.key)));
      return;
    }
    case 4:
      if (Array.isArray(value) && value.length > 0) value.push(structuredClone(random.pick(value)));
      else put(holder, key, hostileValue(random));
      return;
    case 5:
      if (typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value))
        put(
          value as Record<string, unknown>,
          nearby(random.pick([...Object.keys(value), 'key']), random),
          hostileValue(random),
        );
      else put(holder, key, hostileValue(random));
      return;
    case 6:
      if (typeof value === 'string') {
        const at = random.int(value.length + 1);
        put(holder, key, value.slice(0, at) + random.pick(hostileTexts.slice(0, -1)) + value.slice(at));
      } else if (typeof value === 'number') put(holder, key, value + random.pick([1, -1, 0.5, 1e9]));
      else put(holder, key, hostileValue(random));
      return;
    case 7:
      put(holder, key, hostileValue(random));
      return;
    default:
      put(holder, key, otherOfItsKind(value, random));
  }
}

/** A surprising value where a reader finds the kind it expects. */
function otherOfItsKind(value: unknown, random: Random): unknown {
  if (typeof value === 'string')
    return random.oneIn(40) ? random.pick(hostileTexts) : random.pick(hostileTexts.slice(0, -1));
  if (typeof value === 'number') return random.pick(hostileNumbers);
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value))
    return value.length === 0
      ? [hostileValue(random)]
      : Array<unknown>(random.skewed(6000)).fill(random.pick(value));
  return hostileValue(random);
}

/** A copy of a value with a few things changed; `of` stays as it is. */
export function mutateValue(of: unknown, random: Random, most = 4): unknown {
  const root = { value: structuredClone(of) };
  for (let left = 1 + random.int(most); left > 0; left -= 1) mutateOnce(root, random);
  return root.value;
}
