import { LRUCache } from 'lru-cache';
import { sourceTopic } from '../../store/inventory-sources.ts';
import { HOUR_MS } from '../../tools/core/moments.ts';
import type { Clock, Secrets, Wake } from '../../tools/core/ports.ts';
import type { SellerDeclaration } from '../../tools/domain/sellers/abilities.ts';
import type { Seller } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { causeOf } from '../net/causes.ts';
import type { Config } from '../settings/config.ts';
import { type AnswerPool, answerPool } from './answer-pool.ts';
import type { SlicedProducts } from './answers.ts';
import { busyWait, passed } from './busy-wait.ts';
import { BusyError } from './client-failures.ts';
import { clientShelf, type Shelf } from './client-shelf.ts';
import { type Declarations, declarations } from './declarations.ts';
import { hiddenCredential } from './hidden-credential.ts';
import { type CallOptions, connectTools, type KnownServers, type ToolClient } from './mcp-client.ts';
import { contentOf, isOfArguments } from './reply-content.ts';
import type { Declared } from './seller-abilities.ts';
import { asSellerError } from './seller-failures.ts';
import type { SellerRoutes } from './seller-fetch.ts';
import { authOf } from './stored-auth.ts';
import { fitted, type Takes, type ToolList, takesOf } from './tool-lists.ts';

export interface Parts {
  readonly config: Pick<
    Config,
    | 'sellerTimeoutMs'
    | 'sellerProductsMax'
    | 'sellerAnswersWaiting'
    | 'sellerConnectionsMax'
    | 'sellerConnectionIdleMs'
  >;
  readonly routes: SellerRoutes;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly secrets: Secrets;
}

/** The parts, and what is kept between calls. */
interface Kept extends Parts {
  readonly clients: Shelf<ToolClient>;
  readonly pool: AnswerPool;
  readonly declarations: Declarations;
  readonly known: KnownServers;
}

/** Whom to call, and what a failure may have left behind. */
interface Visit {
  readonly seller: Seller;
  readonly signal: AbortSignal;
  /** True for what the seller may carry out although we never hear of it. */
  readonly mutates?: boolean;
  /** True when it may have carried out the same call already, whose answer never came. */
  readonly lost?: boolean;
  /** True for what the seller would carry out twice if it came twice. */
  readonly once?: boolean;
}

/** One call of a tool at a seller, of which only what the tool takes goes out. */
export interface Ask extends Visit {
  readonly tool: string;
  readonly args: Args | ((takes: Takes) => Args);
  /** Told of what goes out. */
  readonly sends?: (args: Args) => void;
}

type Args = Record<string, unknown>;

export interface Asked {
  readonly content: unknown;
  readonly products: SlicedProducts | undefined;
  readonly lost: boolean;
}

/** Calls to agents at a URL. Connections are kept and made again when lost. */
export interface SellerCalls {
  ask(request: Ask): Promise<Asked>;
  /** What the seller declares of itself: as it is known, or as it is `now`. */
  declaration(seller: Seller, signal: AbortSignal, now?: boolean): Promise<SellerDeclaration>;
  /** The same with what its tools can do. */
  declared(seller: Seller, signal: AbortSignal): Promise<Declared>;
  /** The tools that the seller lists, and what each takes: by its list as it is known, or as it is `now`. */
  tools(seller: Seller, signal: AbortSignal, now?: boolean): Promise<ToolList>;
}

export function sellerCalls(parts: Parts): SellerCalls {
  const { clock, config, routes } = parts;
  const { ended } = routes;
  const kept: Kept = {
    ...parts,
    pool: answerPool({ products: config.sellerProductsMax, waiting: config.sellerAnswersWaiting, ended }),
    clients: clientShelf({
      clock,
      max: config.sellerConnectionsMax,
      idleMs: config.sellerConnectionIdleMs,
      ended,
    }),
    declarations: declarations(),
    known: knownServers(),
  };
  const { tools, declaration, declarationNow, abilities, renewed } = kept.declarations;
  return {
    ask: (request) => askPatiently(kept, request),
    declaration: (seller, signal, now = false) =>
      visit(kept, { seller, signal }, now ? declarationNow : declaration),
    declared: (seller, signal) => visit(kept, { seller, signal }, abilities),
    tools: (seller, signal, now = false) => visit(kept, { seller, signal }, now ? renewed : tools),
  };
}

/** Asks again when the seller says when, and that is soon enough. */
async function askPatiently(kept: Kept, request: Ask): Promise<Asked> {
  const endsAt = kept.clock.now() + kept.config.sellerTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await visit(kept, request, async (client, options, lost) => {
        const args = await argsFor(kept, request, { client, options });
        request.sends?.(args);
        const reply = await client.call(request.tool, args, options);
        if (isOfArguments(reply)) kept.declarations.forget(client);
        return { content: contentOf(reply, { ...request, lost }), products: reply.products, lost };
      });
    } catch (error) {
      const busy = causeOf(error, BusyError);
      const wait = busy && busyWait(busy.retryAfter, { attempt, now: kept.clock.now(), endsAt });
      if (wait === undefined || !(await passed(kept.clock, wait, request.signal))) throw error;
    }
  }
}

/** The request as the server at the other end takes it. */
async function argsFor(
  { declarations: { tools } }: Kept,
  { tool, args }: Ask,
  { client, options }: { readonly client: ToolClient; readonly options: CallOptions },
): Promise<Args> {
  const takes = takesOf(await tools(client, options), tool);
  // What is called off meanwhile is not sent.
  options.signal.throwIfAborted();
  return fitted(typeof args === 'function' ? args(takes) : args, takes);
}

type Work<T> = (client: ToolClient, options: CallOptions, lost: boolean) => Promise<T>;

/**
 * Asks over the connection that is there, and once more over a new one when that proves stale: a repeat is
 * safe, because every change carries its key, or goes out once. What the first call may have done is not forgotten
 * over the second.
 */
async function visit<T>(kept: Kept, asked: Visit, work: Work<T>): Promise<T> {
  const { source } = asked.seller;
  const lease = kept.clients.lease(source.id, `${source.endpointUrl} ${source.auth}`, () =>
    connectWatched(kept, asked.seller),
  );
  const options = { signal: asked.signal, timeoutMs: kept.config.sellerTimeoutMs };
  let failed: SellerError;
  try {
    return await work(await lease.client, options, asked.lost === true);
  } catch (error) {
    if (error instanceof SellerError) throw error;
    lease.discard();
    failed = asSellerError(error, asked);
    const isFinal = failed.reason === 'auth_required' || causeOf(error, BusyError) !== undefined;
    if (!lease.kept || isFinal || asked.once || asked.signal.aborted) throw failed;
  } finally {
    lease.release();
  }
  return visit(kept, { ...asked, lost: failed.unresolved }, work);
}

/** While a source stays as it is, nothing is heard of it. */
const LISTEN_MS = HOUR_MS;

/** A connection that is kept no longer than its source is what it was, whichever process changed that. */
async function connectWatched(kept: Kept, seller: Seller): Promise<ToolClient> {
  const { id } = seller.source;
  const changes = kept.wake.listen(sourceTopic(id));
  const over = new AbortController();
  const watch = async () => {
    try {
      while (!over.signal.aborted) {
        if (await changes.next(LISTEN_MS, over.signal)) kept.clients.dismiss(id);
      }
    } finally {
      changes.close();
    }
  };
  // A connection that nobody watches any more is not kept either.
  watch().catch((why: unknown) => over.abort(why));
  const late = setTimeout(() => over.abort(tooLate()), kept.config.sellerTimeoutMs).unref();
  try {
    const client = await connect(kept, seller, over.signal);
    return {
      ...client,
      close: () => {
        over.abort();
        return client.close();
      },
    };
  } catch (error) {
    over.abort();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

function tooLate(): DOMException {
  return new DOMException('The connection was not made in time.', 'TimeoutError');
}

/** The connection serves many calls: it ends with its own time and not with the call that needed it first. */
async function connect(
  { routes, secrets, config, pool, known }: Kept,
  { source }: Seller,
  signal: AbortSignal,
): Promise<ToolClient> {
  const target = await routes.targetFor(source.organizationId, source.endpointUrl ?? '');
  const { headers, credential } = authOf(secrets, source);
  const hidden = hiddenCredential(credential);
  const line = {
    target,
    headers,
    pool,
    owner: { organizationId: source.organizationId, sourceId: source.id },
    hidden,
  };
  const client = await connectTools({ line, known, signal, timeoutMs: config.sellerTimeoutMs });
  return { ...client, call: (name, args, options) => client.call(name, hidden.restored(args), options) };
}

const KNOWN_MAX = 10_000;

function knownServers(): KnownServers {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  return {
    has: (url) => known.has(url),
    add: (url) => void known.set(url, true),
    delete: (url) => void known.delete(url),
  };
}
