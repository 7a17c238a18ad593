import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../support/callers/client.ts';
import { type Member, newMember } from '../support/callers/operator.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { gate } from '../support/run/gate.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, done, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { ownService } from '../support/server/own-place.ts';

const flightDates = flightAhead();

describe('a change under a key, after a SIGKILL', () => {
  const here = ownService();
  let far: SellerAgent;
  let member: Member;
  let buyer: Client;
  let advertiserId: string;

  beforeAll(async () => {
    far = await startSellerAgent();
    member = await newMember(here.settings, 'buyer');
    buyer = member.at(here.url);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => far.stop());

  async function crashAndRestart(): Promise<void> {
    await here.restart();
    buyer = member.at(here.url);
  }

  const post = (path: string, key: string, body?: object): Promise<Reply> =>
    buyer.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const make = (key: string) =>
    post('/buyer/campaigns', key, { advertiserId, name: key, flightDates, budget: { total: 10 } });

  /** Makes a campaign a key until the process dies. */
  async function makeAll(waiting: string[], told: (key: string, text: string) => void): Promise<void> {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      const reply = await make(key).catch(() => undefined);
      if (reply === undefined) return;
      told(key, reply.text);
    }
  }

  async function campaignNames(): Promise<string[]> {
    const names: string[] = [];
    for (let more = true; more; ) {
      const path = `/buyer/campaigns?advertiserId=${advertiserId}&take=100&skip=${names.length}`;
      const page: { name: string }[] = done(await buyer.get(path)).campaigns;
      names.push(...page.map(({ name }) => name));
      more = page.length === 100;
    }
    return names;
  }

  test('is there once, whether it was acknowledged or not, and its answer with it', async () => {
    const keys = Array.from({ length: 400 }, (_, index) => `campaign-${index}`);
    const acknowledged = new Map<string, string>();
    const waiting = [...keys];
    const dying = gate();
    const writing = Array.from({ length: 8 }, () =>
      makeAll(waiting, (key, text) => {
        acknowledged.set(key, text);
        if (acknowledged.size >= 100) dying.open();
      }),
    );
    await dying.passed;
    await crashAndRestart();
    await Promise.all(writing);

    for (const key of keys.slice(0, keys.length - waiting.length)) {
      const repeat = await make(key);
      expect(repeat.status).toBe(201);
      if (!acknowledged.has(key)) continue;
      expect(repeat.text).toBe(acknowledged.get(key));
      expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    }

    const names = await campaignNames();
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(keys.length - waiting.length);
  });

  test('while it waits for a seller: its repeat names it, and the seller has one buy', async () => {
    const remote = await connectAgent((await newMember(here.settings, 'far')).at(here.url), far.url);
    far.on('get_products', () => ({ products: [adcpProduct('far-1')] }));
    const campaignId = await draftOf(buyer, {
      ...remote,
      advertiserId,
      productId: 'far-1',
      flight: flightDates,
    });
    const bought = new Map<string, object>();
    const dead = gate();
    let crashed = false;
    far.on('create_media_buy', async (args) => {
      const key = String(args['idempotency_key']);
      const buy = bought.get(key) ?? {
        media_buy_id: `far_${bought.size + 1}`,
        status: 'active',
        packages: [],
      };
      bought.set(key, buy);
      if (!crashed) await dead.passed;
      return buy;
    });
    const execute = () => post(`/buyer/campaigns/${campaignId}/execute`, 'execute', {});
    const lost = execute().catch(() => 'no answer');
    await far.called('create_media_buy');
    const meanwhile = await execute();
    crashed = true;

    await crashAndRestart();
    dead.open();
    await far.called('create_media_buy', 2);
    const after = await execute();

    expect(await lost).toBe('no answer');
    expectRefusal(meanwhile, 409, {
      code: 'CONFLICT',
      at: { 'Idempotency-Key': 'The first call with this idempotency key is still under way.' },
    });
    expect(meanwhile.headers.get('retry-after')).toBe('1');
    expectRefusal(after, 409, {
      code: 'CONFLICT',
      at: {
        'Idempotency-Key': /^This call was made at \S+: campaign cmp_\w+\. Its answer is not kept, and /,
      },
      details: { resourceType: 'CAMPAIGN', resourceId: campaignId },
    });
    expect(after.headers.get('retry-after')).toBeNull();
    expect(bought.size).toBe(1);
  });
});
