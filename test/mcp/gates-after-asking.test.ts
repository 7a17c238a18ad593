import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeStanding } from '../../tools/domain/organizations/operator-decisions.ts';
import { acceptTerms, publishVersion } from '../../tools/domain/organizations/terms.ts';
import { families } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ASKED = 'campaign_execute';
/** The watch over who waits has looked at least once in this time. */
const LOOKED_MS = 2_000;

/** The registry, in which the call that asks a person is for those in the alpha. */
const forPioneers = families.map((family) => ({
  ...family,
  tools: family.tools.map((tool) => (tool.name === ASKED ? { ...tool, alpha: true as const } : tool)),
}));

type Answer = { action: 'accept'; content: { confirm: boolean } };

describe('a call that waited for a person passes every gate again', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let campaignId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, families: forPioneers });
    const { storefrontId } = await openStorefront(await newPerson(server));
    buyer = await newPerson(server, { alpha: true });
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId], each: 100 }));
  });
  afterEach(() => acceptTerms(server.operator, buyer.organizationId));
  afterAll(() => server.stop());

  /** What the call comes to, for whose person this is the answer. */
  async function executed(answer: () => Promise<Answer>) {
    const capabilities = { elicitation: {} };
    const client = new Client({ name: 'test', version: '1' }, { capabilities });
    client.setRequestHandler('elicitation/create', answer);
    const requestInit = { headers: { authorization: `Bearer ${buyer.key}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/v2/buyer`), {
      requestInit,
    });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: ASKED, arguments: { campaignId } });
    await client.close();
    return structuredContent;
  }

  const bought = async () => {
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    return { status: campaign.status, mediaBuys: campaign.mediaBuys.length };
  };
  const NOTHING = { status: 'DRAFT', mediaBuys: 0 };

  test('that of the terms: what was accepted before is not enough for those of now', async () => {
    const outcome = await executed(async () => {
      await publishVersion(server.operator, { version: 'meanwhile' });
      return { action: 'accept', content: { confirm: true } };
    });

    expect(outcome).toMatchObject({ code: 'TOS_ACCEPTANCE_REQUIRED' });
    expect(await bought()).toEqual(NOTHING);
  });

  test('that of the alpha, and whoever is let out of it meanwhile is told so at once', async () => {
    const outcome = await executed(async () => {
      await changeStanding(server.operator, buyer.organizationId, { alpha: false });
      clock.skip(LOOKED_MS);
      return new Promise(() => {});
    });

    expect(outcome).toMatchObject({ code: 'ALPHA_OPT_IN_REQUIRED' });
    expect(await bought()).toEqual(NOTHING);
  });

  test('and is made with a yes to what is still so', async () => {
    await changeStanding(server.operator, buyer.organizationId, { alpha: true });

    const outcome = await executed(async () => ({ action: 'accept', content: { confirm: true } }));

    expect(outcome).toMatchObject({ success: true, mediaBuysExecuted: 1 });
  });
});
