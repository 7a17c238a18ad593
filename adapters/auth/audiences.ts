import type { Services } from '../../tools/core/context.ts';
import {
  factsOf,
  isMcpSurface,
  type McpSurface,
  mcpSurfaces,
  type Surface,
  surfaceNames,
  surfaces,
} from '../../tools/core/surfaces.ts';

/** Where a call came in. */
export interface Place {
  readonly way: 'rest' | 'mcp';
  readonly surface: Surface;
}

function mcpPaths(surface: McpSurface): readonly string[] {
  const { path, alias } = surfaces[surface].mcp;
  return [path, alias];
}

function restPaths(surface: Surface): readonly string[] {
  const { prefix, alias } = factsOf(surface);
  return alias === undefined ? [prefix] : [prefix, alias];
}

/** The whole service, and all of REST. */
const ROOT = '';
export const REST_RESOURCE = surfaces.platform.prefix;

/** Every address that tokens are made for, below the address of the service; the whole service first. */
export const resourcePaths: readonly string[] = [
  ROOT,
  ...mcpSurfaces.flatMap(mcpPaths),
  ...surfaceNames.flatMap(restPaths),
];

/** The address that tokens are for when their client names none. */
export const DEFAULT_RESOURCE = surfaces.buyer.mcp.path;

/** The address in whose name a place refuses who has no token. */
export function resourceOf({ way, surface }: Place): string {
  if (way === 'mcp' && isMcpSurface(surface)) return surfaces[surface].mcp.path;
  return restPaths(surface)[0] ?? ROOT;
}

/** What tokens are for that a place takes: one login serves both ways into a surface, and no other surface. */
function acceptedAt({ way, surface }: Place): readonly string[] {
  const ofMcp = isMcpSurface(surface) ? mcpPaths(surface) : [];
  if (way === 'mcp') return [ROOT, ...ofMcp];
  if (factsOf(surface).side === null) return resourcePaths;
  return [ROOT, REST_RESOURCE, ...restPaths(surface), ...ofMcp];
}

/** An address as tokens carry it: what callers write with a slash at its end or a host in capitals is the same. */
export function resourceIn(given: string, publicUrl: string): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.search !== '' || given.includes('#')) return undefined;
  const plain = `${url.origin}${url.pathname}`.replace(/\/$/, '');
  const base = new URL(publicUrl);
  const root = `${base.origin}${base.pathname}`.replace(/\/$/, '');
  return resourcePaths.map((path) => `${root}${path}`).find((known) => known === plain);
}

/** Whether a place takes tokens that are for one of these addresses. */
export function createAudiences({ publicUrl }: Pick<Services, 'publicUrl'>) {
  const known = new Map<string, ReadonlySet<string>>();
  return (place: Place, audience: readonly string[]): boolean => {
    const key = `${place.way} ${place.surface}`;
    const accepted = known.get(key) ?? new Set(acceptedAt(place).map((path) => `${publicUrl()}${path}`));
    known.set(key, accepted);
    return audience.some((one) => accepted.has(one));
  };
}
