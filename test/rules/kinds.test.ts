import { describe, expect, test } from 'vitest';
import { codeOf, sourceFiles } from '../support/source-files.ts';

/** The names under which the log files the kinds of objects that code declares. One made of another is none of its own. */
const typesIn = (code: string) =>
  [...code.matchAll(/\btype: '([A-Z_]+)',\s*word:/g)].map(([, type = '']) => type);

describe('a kind of object', () => {
  test('has a name of its own, and is declared once', () => {
    const types = [...sourceFiles('tools'), ...sourceFiles('adapters')].flatMap((path) =>
      typesIn(codeOf(path)),
    );

    expect(types.length).toBeGreaterThan(30);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  test('that is declared a second time would be found', () => {
    const twice =
      "const one: Kind = { type: 'A_KEY', word: 'key' }; const other = {\n  type: 'A_KEY',\n  word: 'x' };";

    expect(typesIn(twice)).toEqual(['A_KEY', 'A_KEY']);
  });
});
