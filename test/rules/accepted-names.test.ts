import { expect, test } from 'vitest';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { tools } from '../../tools/registry.ts';
import { fieldsOf } from '../support/house/schema-walk.ts';

/** Other names of a field, as its description offers them to who reads the schema. */
const OFFERED = / Also accepted as ([\w.]+)(?: or ([\w.]+))?\./;

const offers = tools.flatMap(({ name, input, spellings = {} }) =>
  fieldsOf(jsonSchema(input, 'input')).flatMap(({ path, schema }) => {
    const [, ...others] = OFFERED.exec(String(schema['description'] ?? '')) ?? [];
    return others
      .filter(Boolean)
      .map((other) => ({ at: `${name} ${path}`, other, taken: spellings[path] ?? [] }));
  }),
);

/** As it is written, from the top or from an object that the field is in. */
const isTaken = ({ other, taken }: (typeof offers)[number]) =>
  taken.some((spelling) => spelling === other || spelling.endsWith(`.${other}`));

test('another name that a schema offers for a field is one that its tool takes', () => {
  expect(offers.length).toBeGreaterThan(20);
  expect(offers.filter((offer) => !isTaken(offer)).map(({ at }) => at)).toEqual([]);
});
