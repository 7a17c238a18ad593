import { clientFor, type Reply } from '../support/callers/client.ts';
import { type EventReader, readEvents } from '../support/callers/event-reader.ts';
import { refusalCode } from '../support/callers/refusals.ts';
import { type McpSession, openMcp } from '../support/mcp/open-session.ts';
import type { Gate } from '../support/run/gate.ts';
import { answersLater, productAt } from '../support/sellers/far-seller.ts';
import { done } from '../support/sellers/market.ts';
import type { TestServer } from '../support/server/server.ts';
import type { Place } from './kinds.ts';
import type { World } from './world.ts';

/** A receiver that nobody else has, and what its deliveries are signed with. */
const newHook = (world: World) => ({
  url: newAddress(world),
  secret: 'a secret that nobody guesses',
  eventTypes: ['discovery.revision'],
});

let count = 0;

/** An address of the receiver that no other subscription has. */
function newAddress({ receiver }: World): string {
  count += 1;
  return `${receiver.url}?n=${count}`;
}

/** The code of a refusal, or that there was none. */
function told(reply: Pick<Reply, 'status' | 'body'>): string {
  return reply.status < 300 ? 'go on' : refusalCode(reply);
}

/** A read over REST; a 401 names where a token is had. */
export async function reads(server: TestServer, shown: string, path: string): Promise<string> {
  const reply = await clientFor(server.url, shown).get(path);
  const challenge = reply.headers.get('www-authenticate') ?? '';
  if (reply.status === 401 && !challenge.includes('resource_metadata=')) return 'a 401 without its document';
  return told(reply);
}

/** A change over REST, which every credential that changes anything may make. */
export async function subscribes(world: World, server: TestServer, shown: string): Promise<string> {
  return told(await clientFor(server.url, shown).post('/buyer/webhook-subscriptions', newHook(world)));
}

/** What a credential has open in the other process, and what is on its way to it. */
export interface Held {
  readonly discoveryId: string;
  readonly subscriptionId: string;
  readonly gate: Gate;
  readonly events: EventReader;
  readonly poll: Promise<Reply>;
  /** The same over MCP: `go on` once it is answered, or the code of the refusal. */
  readonly call: Promise<string>;
  readonly mcp: McpSession;
}

export async function openAll({ world, owner, advertiserId }: Place, shown: string): Promise<Held> {
  const { other, ada } = world;
  const client = clientFor(other.url, shown);
  const made = done(await client.post('/buyer/webhook-subscriptions', newHook(world)));
  const gate = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
  const asked = { advertiserId, storefrontIds: [ada.storefrontId], waitSeconds: 0 };
  const { discoveryId } = done(await owner.post('/buyer/discovery/discover-products', asked));
  const mcp = await openMcp(other, shown);
  const waiting = { discoveryId, waitSeconds: 30 };
  return {
    discoveryId,
    subscriptionId: made.subscription.id,
    gate,
    events: await readEvents(other, { key: shown }, { discoveryId }),
    poll: client.get(`/buyer/discovery/${discoveryId}/browse-products?waitSeconds=30`),
    call: mcp.call('browse_products', waiting),
    mcp,
  };
}
