import { describe, expect, test } from 'vitest';
import { sourceFiles, sourceOf } from '../support/house/source-files.ts';

const FOLDERS = ['adapters', 'tools', 'store', 'test', 'bench', 'demo'];
/** Code is wrapped by the formatter, a little earlier; comments are wrapped by who writes them. */
const WIDTH = 120;
/** A line that is nothing but comment. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\s|\/))/;

const tooLong = (text: string) =>
  text.split('\n').flatMap((line, index) => (line.length > WIDTH && COMMENT.test(line) ? [index + 1] : []));

describe('a line of a comment', () => {
  test(`has ${WIDTH} characters at the most`, () => {
    const found = FOLDERS.flatMap(sourceFiles).flatMap((path) =>
      tooLong(sourceOf(path)).map((line) => `${path}:${line}`),
    );

    expect(found).toEqual([]);
  });

  test('that is longer is found, and no line of code', () => {
    const long = 'word '.repeat(25);
    const lines = [`/** ${long}*/`, `  // ${long}`, ` * ${long}`, `const text = '${long}';`, '// short'];

    expect(tooLong(lines.join('\n'))).toEqual([1, 2, 3]);
  });
});
