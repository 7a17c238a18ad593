import { expect } from 'vitest';

// toMatchObject takes a bare pattern for an object without fields, which whatever there is matches: a text that is
// to be matched says so by expect.stringMatching.
expect.addEqualityTesters([
  (given, wanted) => (wanted instanceof RegExp && !(given instanceof RegExp) ? false : undefined),
]);
