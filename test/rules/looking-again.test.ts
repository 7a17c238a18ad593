import { expect, test } from 'vitest';
import type { Tool } from '../../tools/core/define.ts';
import { tools } from '../../tools/registry.ts';
import { sourceOf } from '../support/house/source-files.ts';

const PAGE = 'docs/operations.md';
const HEAD = '| Call | Look again |';
/** Fields by which a caller says how long it would wait. */
const WAITS = ['waitSeconds', 'waitMode'];

/** What waits for somebody outside this service, always or where it is told to. */
function isLong({ openWorld, input }: Tool): boolean {
  return openWorld !== undefined || WAITS.some((name) => name in input.shape);
}

/** The rows of the table: the names in the first cell, and the advice. */
function rowsOf(page: string): { names: string[]; advice: string }[] {
  const [, below = ''] = page.split(HEAD);
  const [table = ''] = below.split('\n\n');
  return table
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|'))
    .map((line) => {
      const [, calls = '', advice = ''] = line.split('|');
      return {
        names: [...calls.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name),
        advice: advice.trim(),
      };
    });
}

test('every call that waits for others has one row that says when to look again, and no other call has', () => {
  const rows = rowsOf(sourceOf(PAGE));
  const long = tools.filter(isLong).map(({ name }) => name);

  expect(rows.flatMap(({ names }) => names).sort()).toEqual([...long].sort());
  expect(rows.filter(({ advice }) => advice.length < 20)).toEqual([]);
});
