/** The major version that unversioned addresses lead to (interface, Versioning). */
const STABLE = 'v2';

const UNVERSIONED = /^\/(api|mcp)\/(buyer|storefront)(?=[/?]|$)/;

/** Where an unversioned address has moved to, its query kept; undefined for any other address. */
export function versionedUrl(url: string): string | undefined {
  const match = UNVERSIONED.exec(url);
  if (match === null) return undefined;
  const [prefix, kind, surface] = match;
  return `/${kind}/${STABLE}/${surface}${url.slice(prefix.length)}`;
}
