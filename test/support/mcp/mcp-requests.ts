import fc from 'fast-check';
import type { McpSurface } from '../../../tools/core/surfaces.ts';
import { type HeaderFields, metaOf, type RawRequest, REVISION } from './mcp.ts';
import { argumentsFor, junk, type Known } from './mcp-arguments.ts';
import { type Damage, type Draft, type Fields, junkPlaces, singleDamages } from './mcp-damages.ts';

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * Requests of the stateless era to one surface: half of them as a good client sends them, the others damaged in
 * up to three places.
 */
export function statelessRequests(
  surface: McpSurface,
  tools: readonly ListedTool[],
  known: Known,
): fc.Arbitrary<RawRequest> {
  const calls = tools.map(({ name, inputSchema }) =>
    argumentsFor(inputSchema, known).map((args) => draftOf(surface, 'tools/call', { name, arguments: args })),
  );
  const plain = fc
    .constantFrom('tools/list', 'server/discover')
    .map((method) => draftOf(surface, method, {}));
  const draft = fc.oneof({ weight: 3, arbitrary: fc.oneof(...calls) }, { weight: 1, arbitrary: plain });
  const damages = fc.oneof(fc.constant([]), fc.array(damage(tools), { minLength: 1, maxLength: 3 }));
  return fc.tuple(draft, damages).map(([make, list]) => {
    const made = make();
    for (const spoil of list) spoil(made);
    return written(made);
  });
}

/** Each single damage to one request, by what it is. */
export function damagedOnce(
  surface: McpSurface,
  tools: readonly ListedTool[],
  { method, own }: { readonly method: string; readonly own: Fields },
): readonly (readonly [string, RawRequest])[] {
  const make = draftOf(surface, method, own);
  const table = singleDamages(tools.map(({ name }) => name));
  return [{ what: 'as it should be', spoil: () => {} }, ...table].map(({ what, spoil }) => {
    const made = make();
    spoil(made);
    return [`${method}, ${what}`, written(made)] as const;
  });
}

function written({ method, path, headers, message, write }: Draft): RawRequest {
  const body = write(message);
  return { method, path, headers, ...(body === undefined ? {} : { body }) };
}

/** One out of the table, or anything at all in a place. */
function damage(tools: readonly ListedTool[]): fc.Arbitrary<Damage> {
  const table = singleDamages(tools.map(({ name }) => name));
  const anything = fc.tuple(fc.constantFrom(...junkPlaces), junk).map(([put, value]) => put(value));
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...table).map(({ spoil }) => spoil) },
    { weight: 1, arbitrary: anything },
  );
}

/** Made anew each time: what is generated is mapped more than once, and damaging changes it. */
function draftOf(surface: McpSurface, method: string, own: Fields): () => Draft {
  return () => {
    const meta = metaOf();
    const params = { ...own, _meta: meta };
    return {
      method: 'POST',
      path: `/mcp/v2/${surface}`,
      headers: headersFor(method, own['name']),
      message: { jsonrpc: '2.0', id: 1, method, params },
      params,
      meta,
      write: (message) => JSON.stringify(message),
    };
  };
}

function headersFor(method: string, name: unknown): Record<string, string | undefined> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}

/** The same request as another person sends it: with that person's ids and credential. */
export function sentBy(
  raw: RawRequest,
  { key, ids, requestId }: { key: string; ids: Readonly<Record<string, string>>; requestId: string },
): RawRequest {
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => ids[name] ?? '');
  const headers: HeaderFields = {
    authorization: `Bearer ${key}`,
    'x-request-id': requestId,
    ...raw.headers,
  };
  return { ...raw, headers, ...(raw.body === undefined ? {} : { body: fill(raw.body) }) };
}
