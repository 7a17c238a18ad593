import { restPaths } from '../../tools/core/addresses.ts';
import type { Tool } from '../../tools/core/define.ts';
import type { Stream } from '../../tools/core/streams.ts';
import type { McpSurface } from '../../tools/core/surfaces.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { catalogOf } from '../mcp/catalog.ts';
import { everything, toolsOf } from '../mcp/choice.ts';
import { titleOf } from '../settings/config.ts';

export interface ManifestFacts {
  readonly brand: string;
  readonly version: string;
  /** Where the service is reached; `{base_url}` in the file that is committed. */
  readonly baseUrl: string;
}

/** Reverse-DNS name of the servers, as registries of MCP servers want one. */
const NAME = 'io.rialto/marketplace';
const TOOLS_KEY = 'io.rialto/tools';

/**
 * The MCP servers in the shape of a registry's server.json, and below `_meta` their tools, computed from the
 * registry.
 */
export function manifest(tools: readonly Tool[], streams: readonly Stream[], facts: ManifestFacts) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: NAME,
    title: titleOf(facts),
    description: 'An open, self-hosted advertising marketplace for agents.',
    version: facts.version,
    remotes: mcpSurfaces.map((surface) => remote(surface, facts)),
    _meta: {
      [TOOLS_KEY]: Object.fromEntries(mcpSurfaces.map((surface) => [surface, listed(tools, surface)])),
      'io.rialto/streams': streams.map(({ name, title, path }) => ({ name, title, path })),
    },
  };
}

export function remote(surface: McpSurface, { baseUrl }: ManifestFacts) {
  return {
    type: 'streamable-http',
    url: `${baseUrl}${surfaces[surface].mcp.path}`,
    headers: [
      {
        name: 'Authorization',
        description:
          'Bearer and an access token, which a host that speaks OAuth gets by itself, or an API key.',
        isRequired: true,
        isSecret: true,
      },
    ],
    ...(baseUrl.includes('{')
      ? { variables: { base_url: { description: 'Where the service is reached.' } } }
      : {}),
  };
}

function listed(tools: readonly Tool[], surface: McpSurface) {
  const chosen = toolsOf(tools, surface, everything);
  const described = catalogOf(chosen).list;
  return chosen.map((tool, index) => ({
    name: tool.name,
    title: tool.title,
    toolset: tool.toolset,
    description: tool.description,
    access: tool.access.kind === 'open' ? 'open' : tool.access.permission,
    inDefaultList: tool.inDefaultList ?? false,
    rest: restPaths(tool.surface, tool.rest).map((path) => `${tool.rest?.method} ${path}`),
    annotations: described[index]?.annotations,
    inputSchema: described[index]?.inputSchema,
  }));
}
