import type { KeyPath } from '../key-path.js';

/** Why a text is refused, before it is known which code its kind of file uses. */
export interface TextProblem {
  /** The key at fault, where one is; `null` when the text as a whole is not the YAML that is accepted. */
  readonly path: KeyPath | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly reason: string;
}
