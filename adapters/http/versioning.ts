import { factsOf, surfaceNames } from '../../tools/core/surfaces.ts';

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

/** Where an unversioned address has moved to, its query kept; undefined for any other address. */
export function versionedUrl(url: string): string | undefined {
  const match = UNVERSIONED.exec(url);
  if (match === null) return undefined;
  const [alias] = match;
  return `${stableOf.get(alias)}${url.slice(alias.length)}`;
}
