import { describe, expect, test } from 'vitest';
import { withReason } from '../../adapters/docs/repeatable.ts';
import { REASON_MAX } from '../../tools/core/reasons.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { tools } from '../../tools/registry.ts';

const NAMES = new Set(['reason', 'updated_reason']);

/** The schemas of all fields of an input that say why, however deep. */
function reasonsIn(schema: unknown): object[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, inside]) =>
    NAMES.has(name) && typeof inside === 'object' && inside !== null && 'type' in inside
      ? [inside]
      : reasonsIn(inside),
  );
}

describe('the reason of a change', () => {
  const changes = tools.filter(({ effect }) => effect !== 'read');

  test.each(changes.map((tool) => [tool.name, tool] as const))(
    'is 1 to 1,000 characters in each field of %s that asks for it',
    (_name, tool) => {
      const found = reasonsIn(withReason(tool, jsonSchema(tool.input, 'input')));

      expect(found.length).toBeGreaterThanOrEqual(1);
      for (const one of found)
        expect(one).toMatchObject({ type: 'string', minLength: 1, maxLength: REASON_MAX });
    },
  );
});
