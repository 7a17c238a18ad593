import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { App } from '../app.ts';
import { type Catalog, catalogOf, choiceOf, type McpSurface, toolsOf } from './catalog.ts';
import { createDirectLane, type DirectLane } from './direct.ts';
import { instructions } from './instructions.ts';
import { capabilitiesOf, type Identity, type OfficialParts, officialServer } from './official.ts';

/** One address of MCP: everything about it that does not change between requests. */
export interface Address {
  readonly surface: McpSurface;
  readonly parts: OfficialParts;
  readonly catalog: Catalog;
  readonly direct: DirectLane;
  readonly modern: McpHttpHandler;
}

export interface Addresses {
  /** The address of a surface with the query of its URL; throws when the query is wrong. */
  get(surface: McpSurface, query: string): Address;
  close(): Promise<void>;
}

/** The addresses, the whole lists at start and the narrowed ones when they are first asked for. */
export function createAddresses(app: App): Addresses {
  const made = new Map<string, Address>();
  const get = (surface: McpSurface, query: string): Address => {
    const choice = choiceOf(new URLSearchParams(query));
    const key = `${surface}?${choice.toolsets.join(',')}&${choice.readonly}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const catalog = catalogOf(toolsOf(app.tools, surface, choice), app.mcpExtension?.tools);
    const address = createAddress(app, surface, catalog);
    made.set(key, address);
    return address;
  };
  const whole = { buyer: get('buyer', ''), storefront: get('storefront', '') };
  return {
    get: (surface, query) => (query === '' ? whole[surface] : get(surface, query)),
    close: async () => {
      await Promise.all([...made.values()].map(({ modern }) => modern.close()));
    },
  };
}

function createAddress(app: App, surface: McpSurface, catalog: Catalog): Address {
  const { services, mcpExtension: extension } = app;
  const identity = identityOf(app, surface);
  const parts = { services, identity, instructions: instructions[surface], extension };
  return {
    surface,
    parts,
    catalog,
    direct: createDirectLane(services, { ...parts, capabilities: capabilitiesOf(extension), catalog }),
    modern: createMcpHandler(() => officialServer(parts, catalog), { legacy: 'reject' }),
  };
}

export function identityOf({ config, services }: App, surface: McpSurface): Identity {
  const brand = config.brand.charAt(0).toUpperCase() + config.brand.slice(1);
  return {
    name: `${config.brand}-${surface}`,
    title: `${brand} for ${surface === 'buyer' ? 'buyers' : 'storefronts'}`,
    version: services.version,
  };
}
