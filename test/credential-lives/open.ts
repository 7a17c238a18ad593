import { headersOf } from '../support/callers/browsers.ts';
import { clientFor, type Reply } from '../support/callers/client.ts';
import { type EventReader, readEvents } from '../support/callers/event-reader.ts';
import { refusalCode } from '../support/callers/refusals.ts';
import { initialize, rpc } from '../support/mcp/mcp.ts';
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

const BUYER = '/mcp/v2/buyer';

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

/** A session of MCP that is open. */
export interface McpSession {
  /** Calls a tool: `go on`, or the code of the refusal. */
  call(name: string, args: object): Promise<string>;
  readonly stream: { readonly text: Promise<string>; readonly isOver: () => boolean };
}

export async function openMcp(server: TestServer, shown: string): Promise<McpSession> {
  const url = `${server.url}${BUYER}`;
  const own = { ...headersOf(shown), 'content-type': 'application/json' };
  const opened = await fetch(url, { method: 'POST', headers: own, body: initialize() });
  await opened.text();
  const id = opened.headers.get('mcp-session-id');
  if (opened.status !== 200 || id === null) throw new Error(`MCP answered ${opened.status}.`);
  const inSession = { ...own, 'mcp-session-id': id };
  const listening = await fetch(url, { headers: { ...inSession, accept: 'text/event-stream' } });
  const state = { over: false };
  let calls = 0;
  const text = listening.text().finally(() => {
    state.over = true;
  });
  // Who lets it go at the end of a test has heard enough.
  text.catch(() => {});
  return {
    call: async (name, args) => {
      calls += 1;
      const body = rpc('tools/call', { name, arguments: args }, calls);
      const answer = await fetch(url, { method: 'POST', headers: inSession, body });
      const { error, result } = JSON.parse(await answer.text());
      if (answer.status !== 200) return answer.status === 401 ? 'UNAUTHORIZED' : String(error?.code ?? error);
      return result?.isError === true ? result.structuredContent.code : 'go on';
    },
    stream: { text, isOver: () => state.over },
  };
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
