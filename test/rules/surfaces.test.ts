import { describe, expect, test } from 'vitest';
import { surfaceNames } from '../../tools/core/surfaces.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

const TABLE = 'tools/core/surfaces.ts';
const files = ['adapters', 'bench', 'demo', 'store', 'test', 'tools']
  .flatMap(sourceFiles)
  .filter((path) => path !== TABLE && path !== 'test/rules/surfaces.test.ts');

const NAME = surfaceNames.join('|');
/** Two of them side by side: in a list, or as what a pattern may find. */
const LISTED = new RegExp(`'(${NAME})', (?!'\\1')'(?:${NAME})'|\\b(${NAME})\\|(?!\\2\\b)(?:${NAME})\\b`);
/** A surface that is treated otherwise than the others: what is special to it is a member of the table. */
const COMPARED = new RegExp(`\\bsurface [!=]== '(?:${NAME})'`);
/** A table that has to have a line for each. */
const TABLED = /Record<(?:Mcp)?Surface\b/;

describe('the surfaces', () => {
  test('are listed in no other file than that of their table', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.filter((path) => LISTED.test(codeOf(path)))).toEqual([]);
  });

  test('have what is special to each in their table, and in the product no other line each', () => {
    const product = files.filter((path) => /^(?:adapters|store|tools)\//.test(path));

    const named = product.filter((path) => TABLED.test(codeOf(path)) || COMPARED.test(codeOf(path)));
    expect(named).toEqual([]);
  });

  test('would be found where they are listed or compared', () => {
    expect("['buyer', 'storefront'].map").toMatch(LISTED);
    expect('/^tools\\/(buyer|storefront|platform)\\//').toMatch(LISTED);
    expect("{ surface: 'buyer', to: 'storefront' }, ['storefront', 'storefront']").not.toMatch(LISTED);
    expect("if (surface === 'buyer') return").toMatch(COMPARED);
    expect('const words: Readonly<Record<McpSurface, string>> = {').toMatch(TABLED);
  });
});
