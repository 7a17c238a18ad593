import type { z } from 'zod';
import { restPaths } from './addresses.ts';
import type { Method, Rest } from './define.ts';
import { onceOf } from './once.ts';
import { inputWithTextIds } from './schemas/text-ids.ts';
import type { Surface } from './surfaces.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One call with everything in its place, as `api_call` takes it. */
export interface WorkedCall {
  readonly operation: string;
  readonly pathParams?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
}

interface Exemplary {
  readonly name: string;
  readonly surface: Surface;
  readonly example?: Fields | undefined;
  readonly rest?: Rest | undefined;
}

/** The example as a client of MCP takes it, which checks it against the published input: ids are text. */
export const exampleOverMcp = onceOf(
  ({ input, example = {} }: Pick<Exemplary, 'example'> & { readonly input: z.ZodType }): Fields =>
    inputWithTextIds(input, example),
);

/** The example of a capability as a call of its first address. */
export function workedCall(tool: Exemplary): WorkedCall {
  const [path = ''] = restPaths(tool.surface, tool.rest);
  return {
    operation: tool.name,
    ...inPlaces(tool.example ?? {}, { path, method: tool.rest?.method ?? 'POST' }),
  };
}

/** Fields by where a request of an address has them: in the path, then in the query of a GET or in the body. */
function inPlaces(
  fields: Fields,
  { path, method }: { readonly path: string; readonly method: Method },
): Omit<WorkedCall, 'operation'> {
  const named = namesIn(path);
  const entries = Object.entries(fields);
  const inPath = entries.filter(([name]) => named.includes(name));
  const others = entries.filter(([name]) => !named.includes(name));
  return {
    ...(inPath.length === 0 ? {} : { pathParams: Object.fromEntries(inPath) }),
    ...(others.length === 0 ? {} : { [method === 'GET' ? 'query' : 'body']: Object.fromEntries(others) }),
  };
}

/** The parameters of a path, in their order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}
