import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { adcpProduct, listen } from './seller-agent.ts';
import { answerWith, sellerServer } from './seller-server.ts';

type Args = Readonly<Record<string, unknown>>;

/** What a tool of the seller answers: content as AdCP has it, or words alone. */
type Said = { readonly content: object } | { readonly words: string };
type Answer = (args: Args, request: IncomingMessage) => Said | Promise<Said>;

export interface OlderSeller {
  readonly url: string;
  /** Every call that it did not refuse for its arguments, in the order of arrival. */
  readonly calls: readonly { readonly tool: string; readonly args: Args }[];
  /** How often each tool was called with arguments that it does not know. */
  readonly refusals: readonly string[];
  /** How often its tools were listed. */
  readonly listings: number;
  /** The buys it made, each order one. */
  readonly buys: readonly Buy[];
  on(tool: string, answer: Answer): void;
  /** Makes a buy as it does unless told otherwise; a reference that it knows it refuses, in the words of a tuple. */
  take(args: Args): Said;
  /** Lists the tool with this schema from now on, and takes what that names. */
  declares(tool: string, inputSchema: Schema): void;
  stop(): Promise<void>;
}

interface Buy {
  readonly media_buy_id: string;
  readonly buyer_ref: unknown;
  readonly packages: readonly object[];
}

interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly additionalProperties?: unknown;
}

const strings = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));

/** The tools of a seller of AdCP 2, as a server in Python declares them. */
const TOOLS: readonly (readonly [string, Schema])[] = [
  [
    'get_products',
    { properties: strings('brief', 'brand_manifest', 'filters'), additionalProperties: false },
  ],
  [
    'create_media_buy',
    {
      properties: {
        ...strings('buyer_ref', 'brand_manifest', 'start_time', 'end_time', 'budget'),
        packages: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/Package' } }, { type: 'null' }] },
      },
      ...{ $defs: { Package: { properties: strings('buyer_ref', 'product_id', 'budget') } } },
    },
  ],
  [
    'get_media_buy_delivery',
    { properties: strings('media_buy_ids', 'buyer_refs', 'start_date', 'end_date') },
  ],
];

/**
 * A seller of an earlier version: it keeps no idempotency keys and knows an order by the reference of its buyer, a
 * call with an argument that it does not know it refuses in words, and it lists no media buys. What it is asked for
 * it finds by `media_buy_ids` and by `buyer_refs`.
 */
export async function startOlderSeller(): Promise<OlderSeller> {
  const calls: { tool: string; args: Args }[] = [];
  const refusals: string[] = [];
  const buys: Buy[] = [];
  const schemas = new Map(TOOLS);
  const answers = new Map<string, Answer>([
    ['get_products', () => ({ content: { products: [adcpProduct('far-1')] } })],
    ['create_media_buy', (args) => createBuy(buys, args)],
    ['get_media_buy_delivery', (args) => ({ content: deliveries(buys, args) })],
  ]);
  let listings = 0;
  const call = async (tool: string, args: Args, request: IncomingMessage) => {
    const unknown = undeclared(schemas.get(tool), args);
    if (unknown.length > 0) {
      refusals.push(tool);
      return inWords(refusedArguments(tool, unknown));
    }
    calls.push({ tool, args });
    const said = (await answers.get(tool)?.(args, request)) ?? { words: `Unknown tool: ${tool}` };
    if ('words' in said) return inWords(said.words);
    return {
      content: [{ type: 'text' as const, text: JSON.stringify(said.content) }],
      structuredContent: { ...said.content },
    };
  };
  const server = await listen((req, res) => {
    const list = () => {
      listings += 1;
      return [...schemas].map(([name, schema]) => ({
        name,
        inputSchema: { ...schema, type: 'object' as const },
        // More than the answers hold: whoever reads them is liberal.
        outputSchema: { type: 'object' as const, required: ['tenant'] },
      }));
    };
    void answerMcp(req, res, { list, call: (tool, args) => call(tool, args, req) });
  });
  return {
    url: `${server.url}/mcp`,
    calls,
    refusals,
    buys,
    get listings() {
      return listings;
    },
    on: (tool, answer) => answers.set(tool, answer),
    take: (args) => createBuy(buys, args),
    declares: (tool, schema) => void schemas.set(tool, schema),
    stop: server.stop,
  };
}

function undeclared(schema: Schema | undefined, args: Args): string[] {
  const names = Object.keys(schema?.properties ?? {});
  if (names.length === 0 || (schema?.additionalProperties ?? false) !== false) return [];
  return Object.keys(args).filter((name) => !names.includes(name));
}

function refusedArguments(tool: string, names: readonly string[]): string {
  const each = names.map(
    (name) => `${name}\n  Unexpected keyword argument [type=unexpected_keyword_argument]`,
  );
  return `${names.length} validation errors for call[${tool}]\n${each.join('\n')}`;
}

const inWords = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true });

function createBuy(buys: Buy[], args: Args): Said {
  const { buyer_ref } = args;
  if (buyer_ref !== undefined && buys.some((buy) => buy.buyer_ref === buyer_ref)) {
    return {
      words: `('VALIDATION_ERROR', "buyer_ref '${String(buyer_ref)}' already exists", 'correctable')`,
    };
  }
  const packages = Array.isArray(args['packages']) ? args['packages'] : [];
  const media_buy_id = `old_buy_${buys.length + 1}`;
  const made = {
    media_buy_id,
    buyer_ref,
    packages: packages.map((one, index) => ({ package_id: `${media_buy_id}_${index + 1}`, ...one })),
  };
  buys.push(made);
  return { content: { ...made, status: 'pending_activation' } };
}

function deliveries(buys: readonly Buy[], { media_buy_ids: ids, buyer_refs: refs }: Args): object {
  const wanted = buys.filter(({ media_buy_id, buyer_ref }) =>
    Array.isArray(refs) ? refs.includes(buyer_ref) : Array.isArray(ids) && ids.includes(media_buy_id),
  );
  return {
    media_buy_deliveries: wanted.map(({ packages, ...buy }) => ({
      ...buy,
      status: 'active',
      totals: { impressions: 1_000, spend: 5 },
      by_package: packages,
    })),
  };
}

interface Ways {
  list(): { name: string; inputSchema: { type: 'object' } }[];
  call(tool: string, args: Args): Promise<object>;
}

async function answerMcp(req: IncomingMessage, res: ServerResponse, { list, call }: Ways): Promise<void> {
  const server = sellerServer('older-seller');
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(params.name, params.arguments ?? {}));
  await answerWith(server, req, res);
}
