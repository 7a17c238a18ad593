import { expect, test } from 'vitest';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

test('No copy is made of the context of a call: what its class has would stay behind, and the types say nothing', () => {
  const copied = sourceFiles('tools').filter((path) => /\.\.\.\(?ctx\b(?![.(])/.test(codeOf(path)));

  expect(copied).toEqual([]);
});
