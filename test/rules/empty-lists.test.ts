import { expect, test } from 'vitest';
import { kindsOf } from '../../tools/core/text-input.ts';
import { tools } from '../../tools/registry.ts';

const lists = tools
  .filter(({ effect, rest }) => effect === 'read' && rest?.method === 'GET')
  .flatMap((tool) =>
    [...kindsOf(tool)]
      .filter(([, kind]) => kind === 'texts' || kind === 'numbers')
      .map(([field]) => ({ tool, name: tool.name, field })),
  );

test('there are lists in queries', () => {
  expect(lists.length).toBeGreaterThan(5);
});

test.each(lists)('$field of $name may be an empty list, which narrows by nothing', ({ tool, field }) => {
  const { error } = tool.input.safeParse({ [field]: [] });

  expect(error?.issues.filter(({ path }) => path[0] === field) ?? []).toEqual([]);
});
