import { expect, test } from 'vitest';

test('a bare pattern in an object matches no text', () => {
  expect(() => expect({ message: 'Anything.' }).toMatchObject({ message: /else/ })).toThrow();
});
