import { setTimeout as pause } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { campaignBody, type Seed } from './seed.ts';

export const CAMPAIGNS = 300_000;
export const OWN_PRODUCTS = 3_000;
const LOCKED_MS = 1_000;
const BUYER = '/api/v2/buyer';
const MCP = '/mcp/v2/buyer';
const REVISION = '2026-07-28';
/** As many fields or entries as one body may hold, but for those around them. */
const MANY = 9_900;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Ask = (request: Request) => Promise<Answer>;

/** What is sent, and what has to be in the answer: another one says that something else was measured. */
export interface Input {
  readonly name: string;
  send(ask: Ask): Promise<Answer>;
  readonly status: number;
  readonly holds: RegExp;
}

/** The storefronts that are asked, by what they send. */
export interface Stalls {
  readonly empty: string;
  readonly wide: string;
  readonly long: string;
  /** Twenty like it. */
  readonly many: string;
  readonly own: string;
}

export interface World {
  readonly seed: Seed;
  readonly file: string;
  readonly stalls: Stalls;
}

/** The worst inputs we know. */
export function inputsFor(world: World): Input[] {
  return [...ofSellers(world), ...ofBodies(world), ...ofLists(), ofLocks(world)];
}

const post = (path: string, body: string): Request => ({ method: 'POST', path, body });

function ofSellers({ seed, stalls }: World): Input[] {
  const discover = (storefrontId: string) => (ask: Ask) =>
    ask(
      post(
        `${BUYER}/discovery/discover-products`,
        JSON.stringify({
          advertiserId: seed.advertiserId,
          storefrontIds: [storefrontId],
          waitSeconds: 30,
          groupLimit: 1,
          productsPerGroup: 1,
          debug: true,
        }),
      ),
    );
  const complete = (what: string) => new RegExp(`"resultsComplete":true.*${what}`);
  const session = once(async (ask) => {
    const opened = dataOf(await discover(stalls.many)(ask));
    const path = `${BUYER}/discovery/${opened.discoveryId}`;
    for (;;) {
      const query = 'waitSeconds=30&groupLimit=1&productsPerGroup=1&debug=true';
      const now = dataOf(await ask({ method: 'GET', path: `${path}/discover-products?${query}` }));
      if (now.resultsComplete) return { path, agents: now.agentResults.map(({ agentId }) => agentId) };
    }
  });
  const choose = async (ask: Ask) => {
    const { path, agents } = await session(ask);
    const products = Array.from({ length: 100 }, (_, index) => ({
      productId: `long-${index}`,
      salesAgentId: agents[index % agents.length],
    }));
    return ask(post(`${path}/products`, JSON.stringify({ products, replace: true })));
  };
  const asked = { status: 200 };
  return [
    {
      ...asked,
      name: 'a seller with 3.9 MB of {}',
      send: discover(stalls.empty),
      holds: complete('None of the 1300000 products'),
    },
    {
      ...asked,
      name: '5 sources of 900 publishers each',
      send: discover(stalls.wide),
      holds: complete('"productCount":900'),
    },
    {
      ...asked,
      name: 'a seller with 3.9 MB of products',
      send: discover(stalls.long),
      holds: complete('"productCount":'),
    },
    {
      ...asked,
      name: '100 choices among 20 of them',
      send: choose,
      holds: /"totalProducts":100/,
    },
    {
      ...asked,
      name: `${OWN_PRODUCTS} products of an embedded seller`,
      send: discover(stalls.own),
      holds: complete('"productCount":50'),
    },
  ];
}

interface Session {
  readonly discoveryId: string;
  readonly resultsComplete: boolean;
  readonly agentResults: readonly { readonly agentId: string }[];
}

function dataOf({ text }: Answer): Session {
  return (JSON.parse(text) as { data: Session }).data;
}

/** What is made before it is measured. */
function once<T>(make: (ask: Ask) => Promise<T>): (ask: Ask) => Promise<T> {
  let made: Promise<T> | undefined;
  return (ask) => {
    made ??= make(ask);
    return made;
  };
}

function ofBodies({ seed }: World): Input[] {
  const fieldsOf = (count: number, length: number) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`.padEnd(length, 'x'), 1])),
    );
  const tooMany = fieldsOf(60_000, 12);
  const many = fieldsOf(MANY, 98);
  const { advertiserId } = seed;
  const storefrontIds = Array.from({ length: MANY }, (_, index) => String(index));
  const list = JSON.stringify({ advertiserId, storefrontIds });
  const deep = `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`;
  const call = (name: string, args: string): Request => ({
    ...post(
      MCP,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args},"_meta":` +
        `{"io.modelcontextprotocol/protocolVersion":"${REVISION}","io.modelcontextprotocol/clientCapabilities":{}}}}`,
    ),
    headers: { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': name },
  });
  const over = (name: string, request: Request, expected: Pick<Input, 'status' | 'holds'>): Input => ({
    name,
    send: (ask) => ask(request),
    ...expected,
  });
  const campaigns = `${BUYER}/campaigns`;
  const refused = { status: 400, holds: /more than 10000 values/ };
  const invalid = { status: 400, holds: /"VALIDATION_ERROR".*more problems/ };
  const tool = { status: 200, holds: /"isError":true.*VALIDATION_ERROR/ };
  const wrong = { status: 400, holds: /"VALIDATION_ERROR".*storefrontIds/ };
  return [
    over('60,000 unknown fields over REST', post(campaigns, tooMany), refused),
    over('60,000 unknown fields over MCP', call('campaign_create', tooMany), refused),
    over('1 MB of unknown fields over REST', post(campaigns, many), invalid),
    over('1 MB of unknown fields over MCP', call('campaign_create', many), tool),
    over('a list of 9,900 over REST', post(`${BUYER}/discovery/discover-products`, list), wrong),
    over('a list of 9,900 over MCP', call('discover_products', list), tool),
    over('JSON 150,000 deep', post(campaigns, deep), refused),
  ];
}

function ofLists(): Input[] {
  const list = (name: string, query: string, holds: RegExp): Input => ({
    name,
    send: (ask) => ask({ method: 'GET', path: `${BUYER}/campaigns?${query}` }),
    status: 200,
    holds,
  });
  return [
    list(`a list of ${CAMPAIGNS} campaigns`, 'take=50', /"campaignId"/),
    list('its last page', `skip=${CAMPAIGNS - 50}`, /"campaignId"/),
    list('by a rare name', 'name=paign%20299999', /Campaign 299999/),
    list('by a name of all', 'name=campaign', /"campaignId"/),
    list('by two letters that none has', 'name=zz', /"campaigns":\[\]/),
  ];
}

/** Another process holds the lock of the file for a while, with a call that would write. */
function ofLocks({ seed, file }: World): Input {
  const request = post(`${BUYER}/campaigns`, JSON.stringify(campaignBody(seed.advertiserId)));
  return {
    name: 'a lock of another process',
    send: async (ask) => {
      const database = new SqliteDatabase(file);
      database.exec('begin immediate');
      try {
        const done = ask(request);
        await pause(LOCKED_MS);
        database.exec('rollback');
        return await done;
      } finally {
        database.close();
      }
    },
    status: 201,
    holds: /"campaignId"/,
  };
}
