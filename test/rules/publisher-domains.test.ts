import { expect, test } from 'vitest';
import { z } from 'zod';
import { product } from '../../tools/domain/discovery/schema.ts';

test('a product says that its publisher is what its seller says, and claims nothing as verified', () => {
  const text = JSON.stringify(z.toJSONSchema(product, { io: 'output' }));
  const names = [...text.matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name);

  expect(text).toContain('as the seller says: nobody proved it');
  expect(names).toContain('publisherDomain');
  expect(names.filter((name) => /verif|authori[sz]|proved/i.test(name))).toEqual([]);
});
