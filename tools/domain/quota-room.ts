import { conflict } from '../core/errors/refusals.ts';
import { counted } from './counted.ts';

interface Room {
  /** Who has it, such as `account`. */
  readonly owner: string;
  /** What it is, one of them. */
  readonly what: string;
  readonly there: number;
  readonly most: number;
  /** What to do for another one. */
  readonly instead: string;
}

/** Makes sure that there may be one more. Counted in the transaction that adds it, while nobody else adds one. */
export function requireRoom({ owner, what, there, most, instead }: Room): void {
  if (there < most) return;
  throw conflict(`The ${owner} has ${counted(most, what)}, which is the most it may have.`, instead);
}
