import findMyWay from 'find-my-way';
import { fullPath, restPaths } from '../../tools/core/addresses.ts';
import { isRestTool, type Method, type RestTool, type Tool } from '../../tools/core/define.ts';
import { once } from '../../tools/core/once.ts';
import { isTagged } from '../../tools/core/stale-writes.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { surfaceNames, surfaces } from '../../tools/core/surfaces.ts';
import { type Kinds, kindsOf } from '../../tools/core/text-input.ts';

/** One address of one capability. */
export interface Route {
  readonly method: Method;
  /** With `{name}` for parameters, as documents print it. */
  readonly path: string;
  /** What the log and the counts call it. */
  readonly label: string;
  readonly kinds: () => Kinds;
  /** Takes nothing of the limit per IP. */
  readonly uncounted: boolean;
  /** Whether what is read or left there is one object, whose answers have a tag. */
  readonly tagged: boolean;
  readonly target: { readonly tool: RestTool } | { readonly stream: Stream };
}

/** Every address that the registry gives, in its order. */
export function routesOf(tools: readonly Tool[], streams: readonly Stream[]): Route[] {
  return [
    ...tools.filter(isRestTool).flatMap((tool) => {
      const kinds = once(() => kindsOf(tool));
      const { method, uncounted = false } = tool.rest;
      return restPaths(tool.surface, tool.rest).map((path) => ({
        method,
        path,
        label: `${method} ${path}`,
        kinds,
        uncounted,
        tagged: isTagged(tool),
        target: { tool },
      }));
    }),
    ...streams.map((stream) => ({
      method: 'GET' as const,
      path: fullPath(stream.surface, stream.path),
      label: `GET ${fullPath(stream.surface, stream.path)}`,
      kinds: once(() => kindsOf(stream)),
      uncounted: false,
      tagged: false,
      target: { stream },
    })),
  ];
}

/**
 * What is ours: everything below the prefixes of the surfaces, and the addresses at the root. An application
 * that embeds the service keeps its own beside them.
 */
export function ownPathsOf(routes: readonly Route[]): RegExp {
  const below = surfaceNames.map((surface) => surfaces[surface].prefix);
  const atRoot = routes
    .map(({ path }) => path)
    .filter((path) => !below.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)));
  const patterns = [...new Set([...below, ...atRoot])].map(patternOf);
  return new RegExp(`^(?:${patterns.join('|')})(?=[/?]|$)`);
}

function patternOf(path: string): string {
  return path
    .split(/\{\w+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/?]+');
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface RouteTable {
  /** The route for a method and a URL with its query, or what else is there. */
  find(method: string, url: string): Match | { readonly allow: readonly string[] } | 'malformed';
}

const PARAMETER_MAX = 512;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Looks routes up in a radix tree: as fast with 300 of them as with 10. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const malformed = Symbol('malformed');
  const router = findMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: PARAMETER_MAX,
    onBadUrl: () => malformed,
  });
  const byHandler = new Map<unknown, Route>();
  for (const route of routes) {
    const handler = () => route;
    byHandler.set(handler, route);
    router.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), handler);
  }
  const lookUp = (method: Method, url: string) => {
    const found = router.find(method, url);
    if (found === null) return undefined;
    const route = byHandler.get(found.handler);
    if (route === undefined) return 'malformed';
    return namesNothing(route, found.params)
      ? undefined
      : { route, params: found.params, query: found.searchParams };
  };
  return {
    find: (method, url) => {
      const wanted = METHODS.find((known) => known === (method === 'HEAD' ? 'GET' : method));
      const found = wanted === undefined ? undefined : lookUp(wanted, url);
      if (found !== undefined) return found === 'malformed' ? 'malformed' : found;
      return { allow: allowed(METHODS.filter((known) => typeof lookUp(known, url) === 'object')) };
    },
  };
}

/** Where an id is a number, a word in its place is an address that is not served. */
function namesNothing(route: Route, params: Match['params']): boolean {
  for (const name in params) {
    if (route.kinds().get(name) === 'id' && WORD.test(params[name] ?? '')) return true;
  }
  return false;
}

const WORD = /^[a-z]+(?:-[a-z]+)*$/;

function allowed(methods: readonly Method[]): string[] {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
