import { factsOf, mcpSurfaces, surfaceNames, surfaces } from '../../tools/core/surfaces.ts';

/** Where each unversioned address leads to: the stable major version (interface, Versioning). */
const stableOf: ReadonlyMap<string, string> = new Map(
  surfaceNames
    .map(factsOf)
    .flatMap(({ alias, prefix, mcp }) => [
      ...(alias === undefined ? [] : [[alias, prefix] as const]),
      ...(mcp === undefined ? [] : [[mcp.alias, mcp.path] as const]),
    ]),
);

const UNVERSIONED = new RegExp(`^(?:${[...stableOf.keys()].join('|')})(?=[/?]|$)`);

const UNVERSIONED_MCP = new RegExp(`^(?:${mcpSurfaces.map((name) => surfaces[name].mcp.alias).join('|')})`);

/**
 * Says that a caller came by the unversioned address of an MCP server. Strict clients compare the address that
 * they were given with the one that a token is for, so that who comes by this one has to be told of this one.
 */
const BY_ALIAS = 'via=alias';
const MARK = /(^|&)via=alias(?:&|$)/;

/** Where an unversioned address has moved to, its query kept; undefined for any other address. */
export function versionedUrl(url: string): string | undefined {
  const match = UNVERSIONED.exec(url);
  if (match === null) return undefined;
  const [alias] = match;
  const moved = `${stableOf.get(alias)}${url.slice(alias.length)}`;
  if (!UNVERSIONED_MCP.test(url)) return moved;
  return `${moved}${moved.includes('?') ? '&' : '?'}${BY_ALIAS}`;
}

/** A query without the mark of who came by an unversioned address, and whether it was there. */
export function unmarked(query: string): { readonly query: string; readonly isByAlias: boolean } {
  if (!query.includes(BY_ALIAS)) return { query, isByAlias: false };
  return { query: query.replace(MARK, '$1').replace(/&$/, ''), isByAlias: MARK.test(query) };
}
