import type { IncomingHttpHeaders } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { CalledServer } from '../../tools/core/context.ts';
import type { Tool } from '../../tools/core/define.ts';
import { once } from '../../tools/core/once.ts';
import type { McpSurface } from '../../tools/core/surfaces.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import type { App } from '../http/app.ts';
import { titleOf } from '../settings/config.ts';
import { type Catalog, catalogOf } from './catalog.ts';
import { askedFor, type Choice, choiceOf, everything, shownOf, toolsetsOn, toolsOf } from './choice.ts';
import { createDirectLane, type DirectLane } from './direct.ts';
import { instructionsFor } from './instructions.ts';
import type { OfficialParts, Told } from './official.ts';
import { promptsOf } from './prompts.ts';
import { capabilitiesOf, type Extension, type Identity, iconsAt } from './server-parts.ts';
import { afterwards } from './web-response.ts';

/** One address of MCP: everything about it that does not change between requests. */
export interface Address {
  readonly surface: McpSurface;
  /** Which tools of the surface it has, as its query says it in one spelling; empty for all of them. */
  readonly chosen: string;
  /** What calls through it are told of it. */
  readonly server: CalledServer;
  readonly parts: OfficialParts;
  readonly catalog: Catalog;
  readonly direct: DirectLane;
  readonly modern: Modern;
}

/** The official handler of stateless requests. */
type Modern = Pick<McpHttpHandler, 'fetch' | 'close'>;

export interface Addresses {
  /** The address of a surface with the query of its URL and the headers that choose; throws when one is wrong. */
  get(surface: McpSurface, query: string, headers?: IncomingHttpHeaders): Address;
  close(): Promise<void>;
}

/** Narrowed addresses that are kept: a host uses one or two, and there are about a thousand. */
const NARROWED_MAX = 32;

/** The addresses, the whole ones at start and the narrowed ones when they are asked for. */
export function createAddresses(app: App, extension: Extension | undefined): Addresses {
  const make = (surface: McpSurface, choice: Choice) => createAddress({ app, extension }, surface, choice);
  const whole = new Map(mcpSurfaces.map((surface) => [surface, make(surface, everything)]));
  const wholeOf = (surface: McpSurface) => whole.get(surface) ?? make(surface, everything);
  // What falls out needs no closing: whoever holds it goes on using it, and an idle one holds nothing.
  const narrowed = new LRUCache<string, Address>({ max: NARROWED_MAX });
  const inUse = new Set<{ readonly handler: Modern }>();
  return {
    get: (surface, query, headers = {}) => {
      const asked = askedFor(query, headers);
      if (asked === '') return wholeOf(surface);
      const choice = choiceOf(new URLSearchParams(asked), toolsetsOn(surface, app.families));
      if (choice.toolsets.length === 0 && !choice.readonly) return wholeOf(surface);
      const key = `${surface}?${choice.toolsets.join(',')}&${choice.readonly}`;
      const known = narrowed.get(key);
      if (known !== undefined) return known;
      const made = make(surface, choice);
      const address = { ...made, modern: noting(made.modern, inUse) };
      narrowed.set(key, address);
      return address;
    },
    close: async () => {
      const kept = [...whole.values(), ...narrowed.values()].map(({ modern }) => modern);
      const used = [...inUse].map(({ handler }) => handler);
      await Promise.all([...kept, ...used].map((handler) => handler.close()));
    },
  };
}

/** Notes each request until its answer is read: an address may be forgotten before, and has to be closed still. */
function noting(handler: Modern, inUse: Set<{ readonly handler: Modern }>): Modern {
  return {
    ...handler,
    fetch: async (request, options) => {
      const use = { handler };
      const end = () => void inUse.delete(use);
      inUse.add(use);
      try {
        const response = await handler.fetch(request, options);
        return afterwards(response, end);
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

interface Parts {
  readonly app: App;
  readonly extension: Extension | undefined;
}

function createAddress({ app, extension }: Parts, surface: McpSurface, choice: Choice): Address {
  const { services } = app;
  const tools = toolsOf(app.tools, surface, choice);
  const catalog = catalogOf(tools, { shown: shownOf(tools, choice), extra: extension?.tools });
  // Its own address the service knows once it listens.
  const identity = once(() => identityOf(app, surface));
  const server = { surface, readonly: choice.readonly };
  const toldHere = (there: Offered) => toldOf(app, surface, there);
  const whole = once(() => toldHere({ shown: shownOf(tools, choice), callable: tools }));
  const parts: OfficialParts = {
    services,
    identity,
    told: (only) => {
      const tool = only === undefined ? undefined : catalog.tools.get(only);
      return tool === undefined ? whole() : toldHere({ shown: [tool], callable: [tool] });
    },
    extension,
    asks: app.config.mcpConfirmSpend === 'on',
  };
  return {
    surface,
    chosen: chosenBy(choice),
    server,
    parts,
    catalog,
    direct: createDirectLane(services, {
      ...parts,
      server,
      capabilities: capabilitiesOf(extension),
      catalog,
    }),
    modern: modernHandler(parts, catalog),
  };
}

/** The tools of an address. */
interface Offered {
  readonly shown: readonly Tool[];
  readonly callable: readonly Tool[];
}

function toldOf({ config, services }: App, surface: McpSurface, { shown, callable }: Offered): Told {
  const installation = { title: titleOf(config), baseUrl: services.publicUrl() };
  return {
    instructions: instructionsFor(installation, surface, shown),
    prompts: promptsOf(surface, callable),
  };
}

function chosenBy({ toolsets, readonly }: Choice): string {
  const chosen = [...(toolsets.length === 0 ? [] : [`toolsets=${toolsets.join(',')}`])];
  return [...chosen, ...(readonly ? ['readonly=true'] : [])].join('&');
}

/** Loaded with its first request: most requests are answered directly, and a start must not wait for it. */
function modernHandler(parts: OfficialParts, catalog: Catalog): Modern {
  const load = async () => {
    const { modernServer } = await import('./official.ts');
    return modernServer(parts, catalog);
  };
  let loaded: Promise<McpHttpHandler> | undefined;
  return {
    fetch: async (request, options) => {
      loaded ??= load();
      return (await loaded).fetch(request, options);
    },
    close: async () => (await loaded)?.close(),
  };
}

function identityOf({ config, services }: App, surface: McpSurface): Identity {
  return {
    name: `${config.brand}-${surface}`,
    title: `${titleOf(config)} for ${surfaces[surface].mcp.audience}`,
    version: services.version,
    icons: iconsAt(services.publicUrl()),
  };
}
