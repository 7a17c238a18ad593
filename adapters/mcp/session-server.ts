import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { requestIdsIn } from './messages.ts';
import { afterwards } from './web-response.ts';

type RequestId = string | number;
type Message = Parameters<WebStandardStreamableHTTPServerTransport['send']>[0];
type SendOptions = Parameters<WebStandardStreamableHTTPServerTransport['send']>[1];

const INVALID_REQUEST = -32600;
/** What a call that was called off is answered with, where an answer has to come. */
export const CANCELLED = { code: -32800, message: 'The request was cancelled.' };

/** One request that a session is to answer, its body read. */
export interface Given {
  readonly request: Request;
  readonly body: unknown;
  readonly authInfo: { token: string; clientId: string; scopes: string[]; extra: Record<string, unknown> };
}

/** Knows the requests that it has not answered yet. */
class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly underWay = new Set<RequestId>();

  override async send(message: Message, options?: SendOptions): Promise<void> {
    try {
      await super.send(message, options);
    } finally {
      if (!('method' in message) && message.id !== undefined) this.underWay.delete(message.id);
    }
  }
}

/** A session as this process has it in memory. */
export class SessionServer {
  readonly #server: Server;
  readonly #transport: SessionTransport;
  /** Requests under way that share their answer with others. */
  readonly #batched = new Set<RequestId>();
  readonly #ready: Promise<void>;
  /** Requests that are being passed. */
  #passing = 0;

  /** `initialize`: what its client greeted another server with, whose place this one takes. */
  constructor(server: Server, id: string, initialize?: { readonly url: string; readonly body: string }) {
    this.#server = server;
    this.#transport = new SessionTransport({ sessionIdGenerator: () => id });
    this.#ready = this.#open(initialize);
    // Told to whoever passes a request.
    this.#ready.catch(() => {});
  }

  async #open(initialize: { readonly url: string; readonly body: string } | undefined): Promise<void> {
    await this.#server.connect(this.#transport);
    if (initialize === undefined) return;
    const request = new Request(initialize.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    });
    const given = { parsedBody: JSON.parse(initialize.body) };
    await (await this.#transport.handleRequest(request, given)).text();
  }

  /** Whether it has something to answer, or is about to. */
  get isBusy(): boolean {
    return this.#passing > 0 || this.#transport.underWay.size > 0;
  }

  /** Answers a request; rejects where the session could not be taken up. */
  async pass(given: Given): Promise<Response> {
    this.#passing += 1;
    try {
      await this.#ready;
      return await this.#passOn(given);
    } finally {
      this.#passing -= 1;
    }
  }

  async #passOn({ request, authInfo, body }: Given): Promise<Response> {
    const ids = requestIdsIn(body);
    const taken = this.#take(ids);
    if (taken !== undefined) return taken;
    const response = await this.#transport.handleRequest(request, {
      authInfo,
      ...(body === undefined ? {} : { parsedBody: body }),
    });
    if (!response.ok) for (const id of ids) this.#transport.underWay.delete(id);
    if (!Array.isArray(body)) return response;
    for (const id of ids) this.#batched.add(id);
    return afterwards(response, () => {
      for (const id of ids) this.#batched.delete(id);
    });
  }

  /**
   * Takes the ids of requests for as long as they are under way. The transport finds the way of an answer by its id
   * alone: a second request of the same one would get the answer of the first, which had none then.
   */
  #take(ids: readonly RequestId[]): Response | undefined {
    const { underWay } = this.#transport;
    const twice = ids.find((id, index) => underWay.has(id) || ids.indexOf(id) !== index);
    if (twice !== undefined) return rpcError(400, INVALID_REQUEST, UNDER_WAY);
    for (const id of ids) underWay.add(id);
    return undefined;
  }

  /**
   * Ends the answer to a call that was called off: the protocol has none for it, and its reader would wait for
   * ever. In a batch the others are still to come, so there it is an error among them. Told last of all, because
   * the transport forgets a call when it hears its answer.
   */
  async endCancelled(id: RequestId): Promise<void> {
    if (!this.#batched.has(id)) this.#transport.closeSSEStream(id);
    // A call that was answered meanwhile is not known any more.
    await this.#transport.send({ jsonrpc: '2.0', id, error: CANCELLED }).catch(() => {});
  }

  /** Whether a request of this id is under way here. */
  has(id: RequestId): boolean {
    return this.#transport.underWay.has(id);
  }

  /** Calls off the request of this kind that is under way, as its client would. */
  async callOff(isMeant: (id: RequestId) => boolean): Promise<void> {
    const requestId = [...this.#transport.underWay].find(isMeant);
    if (requestId === undefined) return;
    this.#transport.onmessage?.({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    await this.endCancelled(requestId);
  }

  /** One that could not be opened has told whoever asked for it, and has nothing to close. */
  async close(): Promise<void> {
    await this.#ready.then(
      () => this.#server.close(),
      () => {},
    );
  }
}

const UNDER_WAY =
  'Invalid Request: a request with this id is under way in the session. Give each request an id of its own.';

export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
