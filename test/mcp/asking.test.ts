import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: { confirm: boolean } };

const YES: Answer = { action: 'accept', content: { confirm: true } };
const ERAS = [
  ['in a session', 'legacy'],
  ['without one', { pin: '2026-07-28' }],
] as const;
type Mode = (typeof ERAS)[number][1];

describe('a client that can ask its person', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock });
    ({ storefrontId } = await openStorefront(await newPerson(server), { name: 'Corner Media' }));
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { name: 'Acme' });
  });
  const clients = new Set<Client>();
  afterEach(async () => {
    await Promise.all([...clients].map((client) => client.close()));
    clients.clear();
  });
  afterAll(() => server.stop());

  const draft = async (advertiser = advertiserId) =>
    draftCampaign(buyer, { advertiserId: advertiser, storefrontIds: [storefrontId], each: 100 });

  const statusOf = async (campaignId: string) => {
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    return { status: campaign.status, mediaBuys: campaign.mediaBuys.length };
  };
  const UNTOUCHED = { status: 'DRAFT', mediaBuys: 0 };

  /** A client whose person answers like this; what was asked is noted. */
  async function connected(mode: Mode, answer?: () => Answer | Promise<Answer>, at = server) {
    const asked: string[] = [];
    const capabilities = answer === undefined ? {} : { elicitation: {} };
    const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } });
    if (answer !== undefined) {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        return answer();
      });
    }
    const requestInit = { headers: { authorization: `Bearer ${buyer.key}` } };
    const url = new URL(`${at.url}/mcp/v2/buyer`);
    const transport = new StreamableHTTPClientTransport(url, { requestInit });
    await client.connect(transport);
    clients.add(client);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const execute = (campaignId: string) => call('campaign_execute', { campaignId });
    return { client, transport, asked, call, execute };
  }

  describe.each(ERAS)('%s', (_, mode) => {
    test('asks before a campaign spends first, naming what and where, and goes on with a yes', async () => {
      const { campaignId } = await draft();
      const { asked, execute } = await connected(mode, () => YES);

      const { structuredContent } = await execute(campaignId);

      expect(structuredContent).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(asked).toEqual([
        expect.stringMatching(/^Spend 100\.00 USD for Acme\?.* to \d{4}-\d\d-\d\d \d\d:\d\d UTC\./),
      ]);
      expect(asked[0]).toContain('Corner Media');
    });

    test.each<[string, Answer]>([
      ['no', { action: 'decline' }],
      ['yes without the tick', { action: 'accept', content: { confirm: false } }],
      ['nothing', { action: 'cancel' }],
    ])('executes nothing when the person says %s, and says how to go on', async (_what, answer) => {
      const { campaignId } = await draft();
      const { execute } = await connected(mode, () => answer);

      const result = await execute(campaignId);

      expect(result.isError).toBe(true);
      expect(result.structuredContent).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('nothing was done'),
        suggestion: expect.stringMatching(/call again/i),
      });
      expect(await statusOf(campaignId)).toEqual(UNTOUCHED);
    });

    test('asks too when the call comes through api_call', async () => {
      const { campaignId } = await draft();
      const { asked, call } = await connected(mode, () => ({ action: 'decline' }));

      const result = await call('api_call', { operation: 'campaign_execute', pathParams: { campaignId } });

      expect(result.isError).toBe(true);
      expect(asked).toHaveLength(1);
      expect(await statusOf(campaignId)).toEqual(UNTOUCHED);
    });

    test('asks nobody in the sandbox, nor again for a campaign that has spent', async () => {
      const sandbox = await newAdvertiser(buyer, { sandbox: true });
      const { campaignId: inSandbox } = await draft(sandbox);
      const { campaignId } = await draft();
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      const { asked, execute } = await connected(mode, () => ({ action: 'decline' }));

      expect((await execute(inSandbox)).structuredContent).toMatchObject({ success: true });
      expect((await execute(campaignId)).isError).toBeFalsy();

      expect(asked).toEqual([]);
    });

    test('holds nobody up while it waits, and executes nothing that changed meanwhile', async () => {
      const { campaignId, discoveryId, products } = await draft();
      const { execute } = await connected(mode, async () => {
        const [first] = products;
        done(
          await buyer.post(`/buyer/discovery/${discoveryId}/products`, {
            products: [{ ...first, budget: 300 }],
          }),
        );
        return YES;
      });

      const result = await execute(campaignId);

      // Stateless, the call comes again and is asked anew; in a session it waits.
      if (mode === 'legacy') {
        expect(result.structuredContent).toMatchObject({ code: 'CONFLICT' });
        expect(await statusOf(campaignId)).toEqual(UNTOUCHED);
      } else {
        expect(result.structuredContent).toMatchObject({ success: true, mediaBuys: [{ budget: 300 }] });
      }
    });

    test('that cannot ask goes on as before', async () => {
      const { campaignId } = await draft();
      const { execute } = await connected(mode);

      expect((await execute(campaignId)).structuredContent).toMatchObject({ success: true });
    });
  });

  test('waits so long and no longer for an answer in a session', async () => {
    const { campaignId } = await draft();
    const asking = gate();
    const { execute } = await connected('legacy', () => {
      asking.open();
      return new Promise<Answer>(() => {});
    });

    const answer = execute(campaignId);
    await asking.passed;
    clock.skip(300_000);

    expect((await answer).structuredContent).toMatchObject({ code: 'CONFLICT' });
    expect(await statusOf(campaignId)).toEqual(UNTOUCHED);
  });

  test('executes nothing when its session ends while it waits', async () => {
    const { campaignId } = await draft();
    const asking = gate();
    const { client, transport, execute } = await connected('legacy', () => {
      asking.open();
      return new Promise<Answer>(() => {});
    });

    const answer = execute(campaignId).catch(() => 'ended');
    await asking.passed;
    await transport.terminateSession();
    await client.close();

    expect(await answer).toBe('ended');
    await expect.poll(() => refusalsOf(campaignId)).toEqual(['CONFLICT']);
    expect(await statusOf(campaignId)).toEqual(UNTOUCHED);
  });

  /** The codes with which calls about a campaign were refused. */
  async function refusalsOf(campaignId: string) {
    const { logs } = done(await buyer.get(`/buyer/audit-logs?outcome=denied&resourceId=${campaignId}`));
    return logs.map(({ errorCode }: { errorCode: string }) => errorCode);
  }

  test('is not asked where the operator turned it off', async () => {
    const quiet = await startTestServer({ settings: { MCP_CONFIRM_SPEND: 'off' } });
    const { storefrontId: there } = await openStorefront(await newPerson(quiet));
    const owner = await newPerson(quiet);
    const { campaignId } = await draftCampaign(owner, {
      advertiserId: await newAdvertiser(owner),
      storefrontIds: [there],
    });
    const before = buyer;
    buyer = owner;
    const { client, asked, execute } = await connected('legacy', () => ({ action: 'decline' }), quiet);

    expect((await execute(campaignId)).structuredContent).toMatchObject({ success: true });

    expect(asked).toEqual([]);
    buyer = before;
    await client.close();
    await quiet.stop();
  });
});
