import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { eventsOf, initialize, rpc, stateless } from '../support/mcp/mcp.ts';
import { connectAgent, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Progress {
  readonly method: string;
  readonly params: Readonly<{ progressToken: unknown; progress: number; total: number; message: string }>;
}

describe('discover_products with a progress token', () => {
  let server: TestServer;
  let far: SellerAgent;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await startSellerAgent();
    await openStorefront(await newPerson(server));
    await connectAgent(await newPerson(server), far.url);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.stop();
  });

  const params = (progressToken?: unknown) => ({
    name: 'discover_products',
    arguments: { advertiserId, brief: 'Everybody in the morning', waitSeconds: 30 },
    ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
  });
  const post = (headers: object, body: string, signal?: AbortSignal) =>
    fetch(`${server.url}/mcp/v2/buyer`, {
      method: 'POST',
      headers: Object.entries(headers).filter(([, value]) => value !== undefined),
      body,
      signal: signal ?? null,
    });

  /** The far seller keeps its answer until it is told to give it. */
  const holdBack = (): (() => void) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    far.on('get_products', async () => {
      await held;
      return { products: [adcpProduct('far-1')] };
    });
    return release;
  };

  const inSession = async (body: string): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${buyer.key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const begun = await post(headers, initialize());
    await begun.text();
    return post({ ...headers, 'mcp-session-id': begun.headers.get('mcp-session-id') }, body);
  };

  test('is answered at once in a session, with the head alone: no sign of life has to bring it', async () => {
    const release = holdBack();

    const response = await inSession(rpc('tools/call', params()));
    release();

    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const text = await response.text();
    expect(text).toContain('"resultsComplete":true');
    expect(text).not.toMatch(/^:/);
  });

  test.each([
    [
      'a stateless request',
      (token: unknown) => {
        const { headers, body } = stateless(buyer.key, 'tools/call', params(token));
        return post(headers, body);
      },
    ],
    ['a session', (token: unknown) => inSession(rpc('tools/call', params(token)))],
  ] as const)('hears of each seller as it lands, and then the result: %s', async (_era, send) => {
    const release = holdBack();

    const response = await send('token-1');
    const events = eventsOf(response);
    const first = (await events.next()).value as Progress;
    release();
    const rest: unknown[] = [];
    for await (const event of events) rest.push(event);

    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(first).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'token-1', progress: 1, total: 2, message: expect.any(String) },
    });
    expect(rest).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'token-1', progress: 2, total: 2 } },
      { id: 1, result: { structuredContent: { resultsComplete: true } } },
    ]);
  });

  test('without the token it gets the result alone', async () => {
    holdBack()();
    const { headers, body } = stateless(buyer.key, 'tools/call', params());

    const response = await post(headers, body);

    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ result: { structuredContent: { resultsComplete: true } } });
  });

  test('a caller that goes away ends its wait, not the session', async () => {
    const release = holdBack();
    const gone = new AbortController();
    const { headers, body } = stateless(buyer.key, 'tools/call', params(7));
    const response = await post(headers, body, gone.signal);
    await eventsOf(response).next();
    gone.abort();
    release();

    const written = await buyer.get('/buyer/audit-logs?take=1');
    const { resourceId } = written.body.data.logs[0];
    const query = 'waitSeconds=30&sinceRevision=1';
    const seen = await buyer.get(`/buyer/discovery/${resourceId}/browse-products?${query}`);

    expect(seen.body.data.resultsComplete).toBe(true);
  });
});
