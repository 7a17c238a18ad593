import type { Rest } from './define.ts';
import { type Surface, surfaces } from './surfaces.ts';

/** The addresses of a capability over REST, the first one first; none where it is reached over MCP alone. */
export function restPaths(
  surface: Surface,
  rest: Pick<Rest, 'path' | 'also' | 'atRoot'> | undefined,
): string[] {
  if (rest === undefined) return [];
  return [rest.path, ...(rest.also ?? [])].map((path) => (rest.atRoot ? path : fullPath(surface, path)));
}

/** A path below the prefix of its surface. */
export function fullPath(surface: Surface, path: string): string {
  const { prefix } = surfaces[surface];
  return path === '/' ? prefix : `${prefix}${path}`;
}
