import { describe, expect, test } from 'vitest';
import { oauthPaths, wellKnownPaths } from '../../tools/core/root-addresses.ts';
import { surfaces } from '../../tools/core/surfaces.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

const TABLES = ['tools/core/root-addresses.ts', 'tools/core/surfaces.ts'];

const known = [
  ...Object.values(surfaces).map(({ prefix }) => prefix),
  ...[surfaces.buyer, surfaces.storefront].flatMap(({ alias, mcp }) => [
    alias,
    mcp.path,
    mcp.alias,
    ...mcp.olderCards,
  ]),
  ...Object.values(oauthPaths),
  ...Object.values(wellKnownPaths),
];

/** The addresses of the tables that a text has written out, at the end of a word of it. */
function addressesIn(text: string): string[] {
  return known.filter((address) =>
    new RegExp(`${address.replaceAll('.', '\\.')}(?![\\w-]|\\.\\w)`).test(text),
  );
}

describe('an address of the tables', () => {
  test('is written out nowhere else: what tells of it takes it from there', () => {
    const paths = ['adapters', 'tools'].flatMap(sourceFiles).filter((path) => !TABLES.includes(path));
    const written = paths.map((path) => ({ path, addresses: addressesIn(codeOf(path)) }));

    expect(written.filter(({ addresses }) => addresses.length > 0)).toEqual([]);
  });

  test('that is written out is found, below it too, and another one is not', () => {
    expect(addressesIn('GET https://here.example/api/v2/buyer/campaigns')).toContain('/api/v2/buyer');
    expect(addressesIn('POST /auth/token.')).toEqual(['/auth/token']);
    expect(addressesIn('/auth.md, /authorized, /auth/tokens')).toEqual([]);
  });
});
