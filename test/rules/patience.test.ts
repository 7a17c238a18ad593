import { expect, test } from 'vitest';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** Vitest gives up after a second where nobody says how long: a busy machine takes longer for what is right. */
const WAITS = /\bvi\.wait(?:For|Until)\(/;
const BOUND = /\btimeout:/;

test('no test waits for something without saying for how long: eventually does', () => {
  const waiting = sourceFiles('test').filter((path) => WAITS.test(codeOf(path)));
  expect(waiting).toContain('test/support/run/eventually.ts');
  const bare = waiting.filter(
    (path) => path !== 'test/support/run/eventually.ts' && !BOUND.test(codeOf(path)),
  );
  expect(bare).toEqual([]);
});
