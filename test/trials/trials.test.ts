import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newMember } from '../support/callers/operator.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';
import { type Agent, newAgent } from './agent.ts';
import { newReader } from './by-document.ts';
import { buyByDocument, buyFromTwo, lookAtSpend, openShop, subscribe } from './jobs.ts';
import { type Subject, slips } from './slips.ts';

/**
 * The jobs that agents come for, walked with a client that anybody has against the service as it starts on an
 * empty folder: how many calls they take and how many tokens of results a model reads for them.
 */
describe('an agent that knows an address and a key', () => {
  let database: TestDatabase;
  let service: Service;
  let settings: Readonly<Record<string, string>>;
  let key: string;
  const agents: Agent[] = [];

  beforeAll(async () => {
    database = await emptyDatabase();
    settings = { ...settingsFor(database), NODE_ENV: 'development' };
    service = await startService({ folder: database.folder, settings });
    const [, keyFile = ''] = /^ {2}(\/.*sandbox\.key)$/m.exec(service.output()) ?? [];
    key = readFileSync(keyFile, 'utf8').trim();
  });
  afterAll(async () => {
    for (const agent of agents) await agent.close();
    await killServices();
    await database.drop();
  });

  async function agentFor(...at: Parameters<typeof newAgent>): Promise<Agent> {
    const agent = await newAgent(...at);
    agents.push(agent);
    return agent;
  }

  /** TRIALS=print shows where the tokens go. */
  function print(job: string, { bill, listTokens }: Pick<Agent, 'bill' | 'listTokens'>): void {
    if (process.env['TRIALS'] === undefined) return;
    process.stdout.write(`\n${job}: ${bill}\n  the list of tools apart: ${listTokens} tokens\n`);
  }

  test('buys from two sellers, from nothing to executed, in eight calls and 6,000 tokens', async () => {
    const agent = await agentFor(service.url, key);

    const campaignId = await buyFromTwo(agent);

    print('main job', agent);
    const { calls, tokens } = agent.bill;
    const { campaign } = await agent.get('campaign_get', { campaignId });
    expect(campaign.status).toBe('ACTIVE');
    expect(campaign.mediaBuys).toHaveLength(2);
    expect(calls).toBeLessThanOrEqual(8);
    expect(tokens).toBeLessThanOrEqual(6_000);
  });

  test('learns what was spent and what each buy delivered', async () => {
    const agent = await agentFor(service.url, key);

    const buys = await lookAtSpend(agent);

    print('spend', agent);
    expect(buys).toHaveLength(2);
    expect(agent.bill.calls).toBeLessThanOrEqual(5);
    expect(agent.bill.tokens).toBeLessThanOrEqual(2_050);
  });

  test('has results sent to an address', async () => {
    const agent = await agentFor(service.url, key);

    await subscribe(agent);

    print('webhook', agent);
    expect(agent.bill.calls).toBe(2);
    expect(agent.bill.tokens).toBeLessThanOrEqual(300);
  });

  test('opens a storefront with three products', async () => {
    const seller = await newMember(settings, 'corner');
    const agent = await agentFor(service.url, seller.key, 'storefront');

    const products = await openShop(agent);

    print('storefront', agent);
    expect(products).toHaveLength(3);
    expect(agent.bill.calls).toBeLessThanOrEqual(8);
    expect(agent.bill.tokens).toBeLessThanOrEqual(1_500);
  });

  test('buys from two sellers over REST, by the document of the interface alone', async () => {
    const reader = await newReader(service.url, key);

    const campaignId = await buyByDocument(reader);

    print('main job over REST', reader);
    const { calls, tokens } = reader.bill;
    const { campaign } = await reader.get('campaign_get', { campaignId });
    expect(campaign.status).toBe('ACTIVE');
    expect(campaign.mediaBuys).toHaveLength(2);
    expect(calls).toBeLessThanOrEqual(8);
    expect(tokens).toBeLessThanOrEqual(8_000);
  });

  describe('makes a mistake, and is told enough to go on', () => {
    let agent: Agent;
    let subject: Subject;
    beforeAll(async () => {
      agent = await agentFor(service.url, key);
      const { items } = await agent.get('advertiser_list');
      const advertiserId: string = items[0].id;
      const [budget, brief] = [{ total: 1_000 }, 'Morning runners'];
      const flightDates = { startDate: '2030-03-01T00:00:00Z', endDate: '2030-03-31T00:00:00Z' };
      const fields = { advertiserId, name: 'Empty', budget, flightDates };
      const { campaign } = await agent.get('campaign_create', fields);
      const { discoveryId } = await agent.get('discover_products', { advertiserId, brief, waitSeconds: 30 });
      subject = { advertiserId, campaignId: campaign.campaignId, discoveryId };
    });

    test.each(slips)('$what', async ({ tool, args, says, mended }) => {
      const told = await agent.call(tool, args(subject));

      expect(told.failed, told.text).toBe(says !== undefined);
      if (says === undefined) return;
      expect(told.text).toMatch(says);
      // A refusal is a sentence or two, and no page.
      expect(agent.bill.lines.at(-1)?.tokens).toBeLessThanOrEqual(120);
      const next = mended?.(subject);
      const again = await agent.call(next?.tool ?? tool, next?.args);
      expect(again.failed, again.text).toBe(false);
    });

    test('a dozen of them, for fewer tokens than one page of products', () => {
      const refusals = agent.bill.lines.filter(({ what }) => what.includes('refused'));

      print('mistakes', agent);
      expect(refusals).toHaveLength(slips.filter(({ says }) => says !== undefined).length);
      expect(refusals.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(500);
    });
  });
});
