import { expect, test } from 'vitest';
import { sourceFiles, sourceOf } from '../support/house/source-files.ts';

/** Who may take an encrypted value for a text: who encrypts, and what keeps one in a cookie. */
const MAY = [
  'adapters/people/attempts.ts',
  'adapters/people/provider-pages.ts',
  'adapters/ports/secrets.ts',
  'store/engine/codec.ts',
];

test('encrypted values pass for texts in cookies alone, so that each column of them is one the compiler knows', () => {
  const files = [...sourceFiles('adapters'), ...sourceFiles('store'), ...sourceFiles('tools')];

  expect(files.filter((path) => /\b(?:sealedText|asSealed)\(/.test(sourceOf(path))).sort()).toEqual(MAY);
});
