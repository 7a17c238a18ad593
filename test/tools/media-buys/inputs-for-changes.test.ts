import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KeepingSeller, keepingSeller } from '../../support/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const MESSAGE = 'Please sign the IO.';
const ASKS = { status: 'input-required', task_id: 'task_1', message: MESSAGE };

describe('a change for which a seller needs something of the buyer first', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  let packageId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server);
    const draft = { advertiserId: await newAdvertiser(buyer), storefrontIds: [far.storefrontId] };
    ({ campaignId } = await draftCampaign(buyer, draft));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`, {}));
    const [buy] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
    ({ mediaBuyId } = buy);
    ({ packageId } = buy.packages[0]);
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  const raises = async () =>
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget: 200 }] }));
  const task = (answer: object) => far.agent.on('get_task_status', () => ({ task_id: 'task_1', ...answer }));
  const status = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const standing = async () => done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
  const home = async () => done(await buyer.get('/buyer/all-advertisers-home')).portfolio.waitingOnYou;
  const waitedFor = async () => {
    const { text } = await buyer.get('/buyer/events?follow=false');
    const told = text
      .split('\n')
      .filter((line) => line.startsWith('data:') && line.includes('approval.needed'));
    return told.map((line) => JSON.parse(line.slice('data:'.length)).waitsFor);
  };
  const asksBuyer = async () => {
    const { explanation, sourceMessage, pendingChange } = await standing();
    expect(explanation).toMatch(
      /^It runs\. The change asked for at \S+ waits for you: Agent needs something from you first, see sourceMessage; until then the buy stays as it is\. You: give it to the seller, naming sf:/,
    );
    expect([sourceMessage, pendingChange.status, pendingChange.reason]).toEqual([
      MESSAGE,
      'INPUT_REQUIRED',
      MESSAGE,
    ]);
    expect(await home()).toBe(1);
    expect((await status()).operational_status).toBe('attention_required');
  };

  test('waits for the buyer wherever it is read, where the answer to it says so', async () => {
    far.agent.on('update_media_buy', () => ASKS);
    task(ASKS);
    await raises();

    await asksBuyer();
    expect(await waitedFor()).toEqual(['buyer']);
  });

  test('waits for the buyer from when its task says so, and for the seller again once that goes on', async () => {
    far.undecided();
    await raises();
    expect([await home(), await waitedFor()]).toEqual([0, ['seller']]);

    task(ASKS);
    await status();
    await asksBuyer();
    expect(await waitedFor()).toEqual(['seller', 'buyer']);

    task({ status: 'working' });
    expect((await status()).operational_status).toBe('active');
    expect((await standing()).explanation).toMatch(/waits for Agent to confirm it/);
    expect([await home(), await waitedFor()]).toEqual([0, ['seller', 'buyer', 'seller']]);
  });

  test('waits for the buyer where the answer names the media buy and no task', async () => {
    far.agent.on('update_media_buy', ({ media_buy_id }) => ({ ...ASKS, task_id: undefined, media_buy_id }));
    await raises();

    await asksBuyer();
  });
});
