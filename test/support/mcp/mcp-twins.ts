import { createDoor } from '../../../adapters/http/origin.ts';
import type { McpAdapter } from '../../../adapters/mcp/endpoint.ts';
import type { McpSurface } from '../../../tools/core/surfaces.ts';
import { newPerson } from '../callers/people.ts';
import { done, draftCampaign, executed, newAdvertiser, openStorefront } from '../sellers/market.ts';
import { listen, type RawServer } from '../sellers/seller-agent.ts';
import type { TestServer } from '../server/server.ts';
import { messagesOf, metaOf, type RawClient, REVISION } from './mcp.ts';
import type { ListedTool } from './mcp-requests.ts';

/** Somebody whose belongings are the same as the twin's, under other ids. */
export interface Twin {
  readonly key: string;
  readonly organizationId: number;
  readonly ids: Readonly<Record<string, string>>;
}

export async function newTwin(server: TestServer): Promise<Twin> {
  const person = await newPerson(server);
  const { storefrontId, sourceId, agentId, productIds } = await openStorefront(person);
  // Closed again: a twin buys from everybody's storefront alone, in whatever order answers come.
  done(await person.put('/storefront', { transacting: false }));
  const advertiserId = await newAdvertiser(person);
  const { campaignId, discoveryId } = await draftCampaign(person, {
    advertiserId,
    // An answer that is more than ASCII.
    campaign: { name: 'Grüße ❄' },
  });
  const mediaBuyId = await executed(person, campaignId);
  const ids = { advertiserId, campaignId, discoveryId, mediaBuyId, storefrontId, sourceId, agentId };
  const { key, organizationId } = person;
  return { key, organizationId, ids: { ...ids, productId: productIds[0] ?? '' } };
}

export async function listTools(client: RawClient, key: string, surface: McpSurface): Promise<ListedTool[]> {
  const answer = await client.send({
    path: `/mcp/v2/${surface}`,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: metaOf() } }),
  });
  const [message] = messagesOf(answer) as [{ result: { tools: ListedTool[] } }];
  return message.result.tools;
}

/** Another adapter of the same service, behind what stands in front of each lane. */
export function listenBeside(server: TestServer, adapter: McpAdapter): Promise<RawServer> {
  const door = createDoor(server.running.app, () => false);
  return listen((req, res) => {
    if (!door(req, res) && !adapter.handle(req, res)) res.destroy();
  });
}

/** Calls that change nothing, a call of a tool among them. */
export const readOnly = [
  { method: 'tools/call', own: { name: 'advertiser_get', arguments: { advertiserId: '{{advertiserId}}' } } },
  { method: 'tools/list', own: {} },
  { method: 'server/discover', own: {} },
] as const;
