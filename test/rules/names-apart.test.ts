import { expect, test } from 'vitest';
import { namesApart } from '../../tools/core/errors/names-apart.ts';

const seller = (id: string, name: string, beside?: string) => ({ id, name, beside });

test.each([
  ['each by its name', [seller('1', 'Ada'), seller('2', 'Bea', 'North')], ['Ada', 'Bea']],
  ['one that is given twice once', [seller('1', 'Ada'), seller('1', 'Ada')], ['Ada']],
  [
    'those of one name by what tells them apart',
    [seller('1', 'Agent', 'North'), seller('2', 'Agent', 'South'), seller('3', 'Ada', 'North')],
    ['Agent (North)', 'Agent (South)', 'Ada'],
  ],
  [
    'those that nothing else tells apart by their ids',
    [seller('1', 'Agent', 'North'), seller('2', 'Agent', 'North'), seller('3', 'Agent', 'South')],
    ['Agent (1)', 'Agent (2)', 'Agent (South)'],
  ],
  [
    'those of which nothing is known beside',
    [seller('1', 'Agent'), seller('2', 'Agent')],
    ['Agent (1)', 'Agent (2)'],
  ],
])('texts name %s', (_, all, names) => {
  expect([...namesApart(all).values()]).toEqual(names);
});
