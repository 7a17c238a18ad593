import type { Issue } from '../errors/app-error.ts';
import { isFields, isSameJson } from './checks.ts';

/**
 * Input fields that have more than one name. The key is the canonical path, the values are the other paths
 * it may be given under: `{ 'flightDates.startDate': ['flightDates.start', 'start_date'] }`.
 */
export type Spellings = Readonly<Record<string, readonly string[]>>;

type Fields = Record<string, unknown>;

export interface Respelled {
  readonly input: unknown;
  /** What the caller called a canonical path, for the complaint about it. */
  nameGiven(path: string): string;
  /** Fields that came under two names with two values. */
  readonly issues: readonly Issue[];
}

/** The input with every field under its canonical name, and what the caller had called it. */
export function respell(input: unknown, spellings: Spellings): Respelled {
  const given = new Map<string, string>();
  const issues: Issue[] = [];
  const pairs = pairsOf(spellings);
  // Most callers know the canonical names: nothing is copied for them.
  if (!isFields(input) || !pairs.some(({ other }) => isThere(input, other))) {
    return { input, nameGiven: (path) => path, issues };
  }
  const respelled = cloneFields(
    input,
    pairs.flatMap(({ canonical, other }) => [canonical, other]),
  );
  for (const pair of pairs) {
    const outcome = moveField(respelled, pair);
    if (outcome === 'moved') given.set(pair.canonical, pair.other);
    if (outcome === 'contradicts') {
      issues.push({
        path: pair.other,
        message: `Says something else than ${pair.canonical}; give one of them.`,
      });
    }
  }
  return { input: respelled, nameGiven: (path) => nameFor(path, given), issues };
}

interface Pair {
  readonly canonical: string;
  readonly other: string;
}

const pairsKnown = new WeakMap<Spellings, readonly Pair[]>();

function pairsOf(spellings: Spellings): readonly Pair[] {
  const known = pairsKnown.get(spellings);
  if (known !== undefined) return known;
  const pairs = Object.entries(spellings).flatMap(([canonical, others]) =>
    others.map((other) => ({ canonical, other })),
  );
  pairsKnown.set(spellings, pairs);
  return pairs;
}

/** Whether a field was given, be it without a value. */
function isThere(fields: Readonly<Fields>, path: string): boolean {
  const [head, rest] = split(path);
  const inner = fields[head];
  return rest === undefined ? Object.hasOwn(fields, head) : isFields(inner) && isThere(inner, rest);
}

function moveField(fields: Fields, { canonical, other }: Pair): 'absent' | 'moved' | 'same' | 'contradicts' {
  const value = takeAt(fields, other);
  if (value === undefined) return 'absent';
  const there = readAt(fields, canonical);
  // null under a second name says nothing beside a value, and does not make the object around it.
  if (value === null && (there !== undefined || !isRoomFor(fields, canonical))) return 'absent';
  if (there !== undefined && there !== null) return isSameJson(there, value) ? 'same' : 'contradicts';
  writeAt(fields, canonical, value);
  return 'moved';
}

/** The complaint about a field inside a renamed one is renamed with it. */
function nameFor(path: string, given: ReadonlyMap<string, string>): string {
  for (const [canonical, other] of given) {
    if (path === canonical) return other;
    if (path.startsWith(`${canonical}.`)) return other + path.slice(canonical.length);
  }
  return path;
}

/** A copy, also of every object that these paths lead through. */
function cloneFields(input: Fields, paths: readonly string[]): Fields {
  const copy = { ...input };
  const copied = new Set<unknown>([copy]);
  for (const path of paths) {
    let around = copy;
    for (const head of path.split('.').slice(0, -1)) {
      const inner = around[head];
      if (!isFields(inner)) break;
      const own = copied.has(inner) ? inner : { ...inner };
      copied.add(own);
      around[head] = own;
      around = own;
    }
  }
  return copy;
}

function split(path: string): [string, string | undefined] {
  const dot = path.indexOf('.');
  return dot === -1 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
}

function readAt(fields: Fields, path: string): unknown {
  const [head, rest] = split(path);
  const value = fields[head];
  if (rest === undefined) return value;
  return isFields(value) ? readAt(value, rest) : undefined;
}

function takeAt(fields: Fields, path: string): unknown {
  const [head, rest] = split(path);
  const inner = fields[head];
  if (rest !== undefined) return isFields(inner) ? takeAt(inner, rest) : undefined;
  delete fields[head];
  return inner;
}

/** Whether a field can be set without making an object that it stands in. */
function isRoomFor(fields: Fields, path: string): boolean {
  const [head, rest] = split(path);
  const inner = fields[head];
  return rest === undefined || (isFields(inner) && isRoomFor(inner, rest));
}

function writeAt(fields: Fields, path: string, value: unknown): void {
  const [head, rest] = split(path);
  if (rest === undefined) {
    fields[head] = value;
    return;
  }
  const inner = fields[head] ?? {};
  if (!isFields(inner)) return;
  fields[head] = inner;
  writeAt(inner, rest, value);
}
