import { leb } from '../mutate/wasm-sections.js';

const CORE_HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const COMPONENT_HEADER = [0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0];

const name = (text: string): number[] => [...leb(Buffer.byteLength(text)), ...Buffer.from(text)];
const list = (items: readonly (readonly number[])[]): number[] => [...leb(items.length), ...items.flat()];
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...leb(content.length),
  ...content,
];

const core = (exported: string): number[] => [
  ...CORE_HEADER,
  ...section(1, list([[0x60, 0, 0]])),
  ...section(3, list([[0]])),
  ...section(7, list([[...name(exported), 0x00, 0]])),
  ...section(10, list([[2, 0, 0x0b]])),
];

/**
 * A component small enough to be compiled hundreds of times: it lifts one core function, and exports it in an
 * instance of the name that a driver must have, so that nothing but its behaviour is missing.
 */
export function smallComponent(): Buffer {
  return Buffer.from([
    ...COMPONENT_HEADER,
    ...section(1, core('run')),
    ...section(2, list([[0x00, 0, 0]])),
    ...section(6, list([[0x00, 0x00, 0x01, 0, ...name('run')]])),
    ...section(7, list([[0x40, 0, 0x01, 0]])),
    ...section(8, list([[0x00, 0x00, 0, 0, 0]])),
    // An instance of that function, exported under the interface's name.
    ...section(5, list([[0x01, ...list([[0x00, ...name('describe'), 0x01, 0]])]])),
    ...section(11, list([[0x00, ...name('murmur:driver/process@0.6.0'), 0x05, 0, 0]])),
  ]);
}
