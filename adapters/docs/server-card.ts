import { type McpSurface, mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { iconsAt, REVISIONS } from '../mcp/server-parts.ts';
import { titleOf } from '../settings/config.ts';
import { type ManifestFacts, remote } from './manifest.ts';

/** Where the card of an MCP server stands: below its own address (SEP-2127). */
export const cardPathOf = (surface: McpSurface): string => `${surfaces[surface].mcp.path}/server-card`;

export const CARD_TYPE = 'application/mcp-server-card+json';
export const CATALOG_TYPE = 'application/ai-catalog+json';

/** One MCP server, as a host sees it before it connects: who it is, where, and what it needs. No tools. */
export function serverCard(surface: McpSurface, facts: ManifestFacts) {
  const { audience } = surfaces[surface].mcp;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `io.rialto/${surface}`,
    title: `${titleOf(facts)} for ${audience}`,
    description: `An open, self-hosted advertising marketplace for agents: the side of ${audience}.`,
    version: facts.version,
    websiteUrl: facts.baseUrl,
    icons: iconsAt(facts.baseUrl),
    remotes: [{ ...remote(surface, facts), supportedProtocolVersions: REVISIONS }],
  };
}

/** What a host finds at a name it knows nothing else of: the cards. */
export function cardCatalog({ baseUrl }: ManifestFacts) {
  const { hostname } = new URL(baseUrl);
  return {
    specVersion: '1.0',
    entries: mcpSurfaces.map((surface) => ({
      identifier: `urn:air:${hostname}:mcp:${surface}`,
      type: CARD_TYPE,
      url: `${baseUrl}${cardPathOf(surface)}`,
    })),
  };
}
