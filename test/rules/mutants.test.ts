import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { mutants } from '../mutants/mutants.ts';

/** The faults are planted in a long run alone: what moves is noticed here. */
test.each(mutants)('the fault that $what can be planted where it is said to', ({ file, from, to }) => {
  const text = readFileSync(join(packageRoot, 'adapters', 'mcp', file), 'utf8');

  expect(text.split(from)).toHaveLength(2);
  expect(text.split(from).join(to)).not.toBe(text);
});
