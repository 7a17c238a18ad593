import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { answerWith, sellerServer } from './seller-server.ts';

type Args = Readonly<Record<string, unknown>>;
/** What a tool of the seller answers with; it may take as long as it likes. */
type Answer = (args: Args, request: IncomingMessage) => unknown;

export interface SellerCall {
  readonly tool: string;
  readonly args: Args;
  readonly headers: IncomingMessage['headers'];
}

export interface SellerAgent {
  readonly url: string;
  /** How many requests came, the greetings of new connections included. */
  readonly requests: number;
  /** Every call of a tool, in the order of arrival. */
  readonly calls: readonly SellerCall[];
  /** The media buys it made, by the idempotency key that made each. */
  readonly buys: ReadonlyMap<string, object>;
  /** Answers this tool otherwise from now on. */
  on(tool: string, answer: Answer): void;
  /** Names the fields of this tool, by which callers know what it takes; before, it takes whatever comes. */
  declares(tool: string, properties: object): void;
  /** Is given every request with what it will be answered by, before anything else is done with it. */
  watches(watch: RequestListener): void;
  /** Resolves once a tool was called so many times. */
  called(tool: string, times?: number): Promise<void>;
  stop(): Promise<void>;
}

/** A product as AdCP sellers send it. */
export function adcpProduct(id: string, changes: object = {}) {
  return {
    product_id: id,
    name: `Product ${id}`,
    description: 'Banners of a seller far away.',
    publisher_properties: [{ publisher_domain: 'far.example', selection_type: 'all' }],
    channels: ['display'],
    delivery_type: 'non_guaranteed',
    format_ids: [{ agent_url: 'https://creative.example', id: 'display_300x250' }],
    pricing_options: [
      { pricing_option_id: `${id}-cpm`, pricing_model: 'cpm', currency: 'USD', fixed_price: 5 },
    ],
    ...changes,
  };
}

/**
 * A sales agent of its own: AdCP over MCP on a real socket, on another library than ours. It sells what it is
 * given, and makes one media buy for one idempotency key however often it is sent.
 */
export async function startSellerAgent(
  products: readonly object[] = [adcpProduct('far-1')],
): Promise<SellerAgent> {
  const calls: SellerCall[] = [];
  const buys = new Map<string, object>();
  const answers = new Map<string, Answer>([
    ['get_products', () => ({ products })],
    ['create_media_buy', (args) => createBuy(buys, args)],
    ['get_media_buys', () => ({ media_buys: [...buys.values()] })],
    ['get_media_buy_delivery', () => ({ media_buy_deliveries: [] })],
  ]);
  const declared = new Map<string, object>();
  const waiting = new Set<() => void>();
  const arrive = (call: SellerCall) => {
    calls.push(call);
    for (const check of waiting) check();
  };
  let requests = 0;
  let watch: RequestListener = () => {};
  const server = await listen((req, res) => {
    requests += 1;
    watch(req, res);
    void answerMcp({ req, res, answers, declared, arrive });
  });
  return {
    url: `${server.url}/mcp`,
    get requests() {
      return requests;
    },
    calls,
    buys,
    on: (tool, answer) => answers.set(tool, answer),
    watches: (watching) => {
      watch = watching;
    },
    declares: (tool, properties) => declared.set(tool, properties),
    called: (tool, times = 1) =>
      new Promise((resolve) => {
        const check = () => {
          if (calls.filter((call) => call.tool === tool).length < times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    stop: server.stop,
  };
}

function createBuy(buys: Map<string, object>, args: Args): object {
  const key = String(args['idempotency_key']);
  const known = buys.get(key);
  if (known !== undefined) return known;
  const number = buys.size + 1;
  const packages = Array.isArray(args['packages']) ? args['packages'] : [];
  const buy = {
    media_buy_id: `far_buy_${number}`,
    status: 'pending_creatives',
    packages: packages.map(({ product_id, budget }, index) => ({
      package_id: `far_pkg_${number}_${index + 1}`,
      product_id,
      budget,
    })),
  };
  buys.set(key, buy);
  return buy;
}

interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly answers: ReadonlyMap<string, Answer>;
  readonly declared: ReadonlyMap<string, object>;
  arrive(call: SellerCall): void;
}

async function answerMcp({ req, res, answers, declared, arrive }: Visit): Promise<void> {
  const server = sellerServer('far-seller');
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...answers.keys()].map((name) => ({
      name,
      inputSchema: { type: 'object' as const, ...propertiesOf(declared.get(name)) },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const args = params.arguments ?? {};
    arrive({ tool: params.name, args, headers: req.headers });
    const structuredContent = (await answers.get(params.name)?.(args, req)) as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  await answerWith(server, req, res);
}

function propertiesOf(properties: object | undefined) {
  return properties === undefined ? {} : { properties: { ...properties } };
}

export interface RawServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A plain HTTP server on a port of its own, for whatever is not a seller. */
export async function listen(listener: RequestListener): Promise<RawServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
