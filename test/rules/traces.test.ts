import { expect, test } from 'vitest';
import { traceIn } from '../../tools/core/traces.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  ['version 00', `00-${ID}-${SPAN}-01`],
  ['a later version', `01-${ID}-${SPAN}-01`],
  ['a later version that says more', `cc-${ID}-${SPAN}-01-what-comes`],
])('a trace is read of %s', (_what, header) => {
  expect(traceIn(header)).toEqual({ id: ID, flags: '01' });
});

test.each([
  ['nothing', undefined],
  ['other words', 'trace'],
  ['a version that is none', `ff-${ID}-${SPAN}-01`],
  ['more behind version 00', `00-${ID}-${SPAN}-01-more`],
  ['capital letters', `00-${ID.toUpperCase()}-${SPAN}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a step of zeros', `00-${ID}-${'0'.repeat(16)}-01`],
  ['two of them', `00-${ID}-${SPAN}-01, 00-${ID}-${SPAN}-01`],
  ['a line of its own', `00-${ID}-${SPAN}-01\n`],
  ['more than anybody reads', `cc-${ID}-${SPAN}-01-${'x'.repeat(500)}`],
])('a trace is not read of %s', (_what, header) => {
  expect(traceIn(header)).toBeUndefined();
});
