import { isSecret } from '../core/redaction.ts';
import { HIDDEN } from '../core/shown-error.ts';
import { boundedText } from './text.ts';

/** What a stranger said, as it may be kept and shown: cut, without secrets and hidden characters. Pure. */

const DEPTH_MAX = 12;
const NAME_MAX = 64;
const TEXT_MAX = 2_000;
const ITEMS_MAX = 20;

/** Characters that are kept of each message, and of the last answers to one call: many sellers are told in short. */
export const MESSAGE_MAX = 8_000;
const ANSWER_MAX = 16_384;
const ANSWER_MIN = 512;
const ANSWERS_MAX = 1_048_576;

/** How much is shown of the last answer of each seller, where there are so many. */
export function answerRoom(sellers: number): number {
  return Math.max(ANSWER_MIN, Math.min(ANSWER_MAX, Math.floor(ANSWERS_MAX / Math.max(1, sellers))));
}

interface Bounds {
  /** Characters in all, as far as they are counted: names and values. */
  readonly max: number;
  /** Entries of each list. */
  readonly items?: number;
}

interface Room {
  readonly items: number;
  left: number;
}

export function shownAnswer(answer: unknown, { max, items = ITEMS_MAX }: Bounds): unknown {
  return shown(answer, { left: max, items }, DEPTH_MAX);
}

/** The same of what is known to have fields. */
export function shownFields(answer: object, { max, items = ITEMS_MAX }: Bounds): Record<string, unknown> {
  return fieldsOf({ ...answer }, { left: max, items }, DEPTH_MAX);
}

/** The object whole, freed of what must not be shown; undefined where it is none, or longer than that. */
export function shownWhole(answer: unknown, { max, items = ITEMS_MAX }: Bounds): object | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  if (JSON.stringify(answer).length > max) return undefined;
  const made = shownAnswer(answer, { max, items });
  return typeof made === 'object' && made !== null ? made : undefined;
}

function shown(value: unknown, room: Room, depthLeft: number): unknown {
  if (typeof value === 'string') return shownText(value, room);
  if (typeof value !== 'object' || value === null) {
    room.left -= String(value).length;
    return value;
  }
  // What holds nothing takes room as well: lists of empty lists have an end.
  room.left -= 1;
  if (depthLeft === 0) return '[deeper]';
  return Array.isArray(value) ? shownList(value, room, depthLeft) : fieldsOf({ ...value }, room, depthLeft);
}

function shownText(value: string, room: Room): string {
  const text = boundedText(value, Math.max(1, Math.min(TEXT_MAX, room.left)));
  room.left -= Math.max(1, text.length);
  return text;
}

function shownList(list: readonly unknown[], room: Room, depthLeft: number): unknown[] {
  const made: unknown[] = [];
  for (const item of list) {
    if (made.length === room.items || room.left <= 0) break;
    made.push(shown(item, room, depthLeft - 1));
  }
  return made.length === list.length ? made : [...made, `… ${list.length - made.length} more`];
}

function fieldsOf(
  fields: Readonly<Record<string, unknown>>,
  room: Room,
  depthLeft: number,
): Record<string, unknown> {
  const entries = Object.entries(fields);
  const made = new Map<string, unknown>();
  let seen = 0;
  for (const [name, value] of entries) {
    if (room.left <= 0) break;
    seen += 1;
    const known = boundedText(name, NAME_MAX);
    room.left -= known.length;
    made.set(known, isSecret(name) ? HIDDEN : shown(value, room, depthLeft - 1));
  }
  if (seen < entries.length) made.set('…', `${entries.length - seen} more`);
  return Object.fromEntries(made);
}
