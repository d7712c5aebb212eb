/** The filter's rules a second time, written from the document. */

export type Answer = 'allow' | 'EPERM' | 'EACCES' | 'ENOSYS' | 'nothing';

const low = (value: bigint): number => Number(value & 0xffff_ffffn);

const SET_ID = 0o6000;
const MAKES_FILE = 0o100 | 0o20000000;
const NAMESPACES = 0x7e020000;

function socket(family: number, kind: number, protocol: number): Answer {
  if (family === 2 || family === 10) return 'allow';
  if (family === 16) return protocol === 0 && (kind === 2 || kind === 3) ? 'allow' : 'EACCES';
  return family === 1 || family === 17 ? 'EACCES' : 'EPERM';
}

/** What a call with these arguments is answered; an absent one is 0. */
export function expectedAnswer(rule: string, given: readonly bigint[]): Answer {
  const whole = (which: number): bigint => given[which] ?? 0n;
  const at = (which: number): number => low(whole(which));
  switch (rule) {
    case 'ALLOWED':
      return 'allow';
    case 'FORBIDDEN':
      return 'EPERM';
    case 'UNKNOWN':
      return 'ENOSYS';
    case 'SOCKET':
      return socket(at(0), at(1) & 0xf, at(2));
    case 'SOCKETPAIR':
      if (at(0) !== 1) return 'EPERM';
      return [1, 5].includes(at(1) & 0xf) ? 'allow' : 'EACCES';
    case 'CLONE':
      return (at(0) & NAMESPACES) !== 0 ? 'EPERM' : 'allow';
    case 'MEMFD':
      if ((at(1) & 0x10) !== 0) return 'EPERM';
      return (at(1) & 0x8) !== 0 ? 'allow' : 'ENOSYS';
    case 'EXECVEAT':
      return (at(4) & 0x1000) !== 0 ? 'EPERM' : 'allow';
    case 'IOCTL':
      return at(1) === 0x5412 || at(1) === 0x541c ? 'EPERM' : 'allow';
    case 'MODE_1':
      return (at(1) & SET_ID) !== 0 ? 'EPERM' : 'allow';
    case 'MODE_2':
      return (at(2) & SET_ID) !== 0 ? 'EPERM' : 'allow';
    case 'OPEN':
      return (at(2) & SET_ID) !== 0 && (at(1) & MAKES_FILE) !== 0 ? 'EPERM' : 'allow';
    case 'OPENAT':
      return (at(3) & SET_ID) !== 0 && (at(2) & MAKES_FILE) !== 0 ? 'EPERM' : 'allow';
    case 'PRLIMIT':
      return at(1) === 4 && whole(2) !== 0n ? 'nothing' : 'allow';
    case 'SETRLIMIT':
      return at(0) === 4 ? 'nothing' : 'allow';
    default:
      throw new Error(`no model of the rule ${rule}`);
  }
}
