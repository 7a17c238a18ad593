import { beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/buying/ledger.ts';
import type { Client } from '../support/callers/client.ts';
import { newMember, withStore } from '../support/callers/operator.ts';
import { gate } from '../support/run/gate.ts';
import { takesChanges } from '../support/sellers/changing-seller.ts';
import { connectAgent, done, draftCampaign, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { ownService } from '../support/server/own-place.ts';

/** An order of which nobody knows, whose buyer and operator look at it beside a service that goes on. */
describe('an order of which nobody knows whether its seller took it', () => {
  // However slow the machine is, no command is taken for one that died.
  const here = ownService({ PROCESS_LEASE_MS: '60000' });
  const { rialto, printed } = here;

  let made = 0;
  let agent: SellerAgent;
  let sellerId: number;
  let storefrontId: string;
  let advertiserId: string;
  let buyer: Client;
  let organization: number;
  let campaignId: string;
  let mediaBuyId: string;
  beforeEach(async () => {
    made += 1;
    agent = await startSellerAgent([adcpProduct('far-1')]);
    const seller = await newMember(here.settings, `far${made}`);
    sellerId = seller.organizationId;
    ({ storefrontId } = await connectAgent(seller.at(here.url), agent.url));
    agent.on('update_media_buy', ({ media_buy_id }) => ({ media_buy_id }));
    agent.on('create_media_buy', () => ({ thanks: true }));
    const member = await newMember(here.settings, `acme${made}`);
    organization = member.organizationId;
    buyer = member.at(here.url);
    advertiserId = await newAdvertiser(buyer);
    ({ campaignId, mediaBuyId } = await ordered());
    return () => agent.stop();
  });

  async function ordered() {
    const draft = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds: [storefrontId],
      flight: flightAhead(),
    });
    await buyer.post(`/buyer/campaigns/${draft.campaignId}/execute`);
    const [buy] = done(await buyer.get(`/buyer/campaigns/${draft.campaignId}`)).campaign.mediaBuys;
    return { campaignId: draft.campaignId, mediaBuyId: String(buy.mediaBuyId) };
  }

  const path = (more = '') => `/buyer/campaigns/${campaignId}${more}`;
  const refused = (...args: string[]) => here.refused('order', 'settle', ...args);
  const settled = (...how: string[]) =>
    printed('order', 'settle', mediaBuyId, ...how, '--reason', 'Asked by telephone.');
  const committed = async () =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;
  const mediaBuy = async () => done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
  async function stands() {
    const { status, mediaBuys } = done(await buyer.get(path())).campaign;
    return [status, mediaBuys[0].status];
  }
  const faults = () => withStore(here.settings, ({ db }) => faultsOf(db.withoutPlugins(), organization));
  const told = (tool: string) => agent.calls.filter((call) => call.tool === tool).map(({ args }) => args);
  const leaves = () =>
    withStore(here.settings, ({ db }) =>
      db.withoutPlugins().deleteFrom('inventory_sources').where('organization_id', '=', sellerId).execute(),
    );
  const events = () =>
    withStore(here.settings, ({ db }) =>
      db
        .withoutPlugins()
        .selectFrom('account_events')
        .select('payload')
        .where('organization_id', '=', organization)
        .orderBy('id')
        .execute(),
    );
  const orderedAt = (created_at: string) =>
    withStore(here.settings, ({ db }) =>
      db
        .withoutPlugins()
        .updateTable('media_buys')
        .set({ created_at })
        .where('id', '=', mediaBuyId)
        .execute(),
    );
  const entries = async () =>
    (await printed('audit', 'list', '--organization', String(organization)))
      .split('\n')
      .filter((line) => line.includes('\torder_settle\t'))
      .map((line) => line.split('\t').slice(3));

  test('is listed with its seller, its budget and its last error, in all and by organization', async () => {
    const ofIt = await printed('order', 'list', '--organization', String(organization));
    const ofAll = await printed('order', 'list');
    const ofOthers = await printed('order', 'list', '--organization', String(sellerId));

    expect(ofIt.split('\t')).toEqual([
      mediaBuyId,
      `organization ${organization}`,
      campaignId,
      'Agent',
      '100.00 USD',
      expect.stringMatching(/^ordered 20/),
      expect.stringMatching(/^last asked 20/),
      expect.stringMatching(/./),
    ]);
    expect(ofAll.split('\n')).toContain(ofIt);
    expect(ofOthers).toBe('There are none: of every order it is known what became of it.');
  });

  test('is named by doctor once it is older than a day', async () => {
    const young = (await rialto('doctor')).stdout;
    await orderedAt('2026-01-02T03:04:05.006Z');
    const old = (await rialto('doctor')).stdout;

    expect(young).not.toContain(mediaBuyId);
    expect(old).toContain(
      `Nobody knows since 2026-01-02T03:04:05.006Z whether Agent took the order of ${mediaBuyId}, organization ${organization}.`,
    );
    expect(old).toContain(`order settle ${mediaBuyId} --not-taken or --taken`);
  });

  test('is named to who would stop its campaign and cannot: calling again tells nobody', async () => {
    const stop = ['campaign', 'pause', '--organization', String(organization), '--campaign', campaignId];

    const { code, stderr } = await rialto(...stop);

    expect(code).toBe(1);
    expect(stderr).toContain(
      `ask the seller of ${mediaBuyId} by other means, then settle with order settle.`,
    );
    expect(stderr).not.toMatch(/again/i);
  });

  test('whose seller has left releases its budget once it is settled as not taken, and its end is over', async () => {
    done(await buyer.post(path('/cancel'), {}));
    await leaves();
    expect(await committed()).toBe(100);
    expect((await mediaBuy()).explanation).toContain(
      'it has left the marketplace: executing again does not tell. The operator of this installation asks it',
    );
    expect(await printed('order', 'list', '--organization', String(organization))).toContain(
      '\tAgent (has left the marketplace)\t',
    );
    const before = (await events()).length;

    const said = await settled('--not-taken');

    expect(said).toMatch(
      new RegExp(`^Settled as not taken: ${mediaBuyId} is FAILED; its campaign ${campaignId} is`),
    );
    expect(await committed()).toBe(0);
    expect(await faults()).toEqual([]);
    const { explanation, errorCode, sourceMessage, history, changes, pendingAt } = await mediaBuy();
    expect({ errorCode, sourceMessage, pendingAt }).toEqual({
      errorCode: 'source_rejected',
      sourceMessage: 'The operator of this installation has settled that the seller did not take the order.',
    });
    expect(explanation).toContain('the operator of this installation has settled that it did not');
    expect(history[0]).toMatchObject({
      status: 'FAILED',
      updated_by: 'operator',
      updated_reason: 'Asked by telephone.',
    });
    expect(changes).toMatchObject([{ action: 'cancel', state: 'confirmed' }]);
    expect(await stands()).toEqual(['CANCELED', 'FAILED']);
    const [entry] = (await entries()).filter((line) => line.includes('Asked by telephone.'));
    expect(entry).toEqual([
      'MEDIA_BUY',
      mediaBuyId,
      'Operator: order settle',
      'operator',
      'submission: unknown → answered',
      'Asked by telephone.',
    ]);
    const news = (await events()).slice(before).map(({ payload }) => String(payload));
    expect(news.some((one) => one.includes('media_buy.updated') && one.includes('source_rejected'))).toBe(
      true,
    );
    expect(await printed('order', 'list', '--organization', String(organization))).toMatch(/^There are none/);
  });

  test('that is not taken makes its campaign a draft again, whose next order is another one', async () => {
    await settled('--not-taken');
    expect(await stands()).toEqual(['DRAFT', 'FAILED']);
    takesChanges({ agent, name: 'Far' });

    done(await buyer.post(path('/execute')));

    expect(await stands()).toEqual(['ACTIVE', 'ACTIVE']);
    const keys = told('create_media_buy').map(({ idempotency_key: key }) => String(key).split('.').at(-1));
    expect(keys).toEqual(['attempt-1', 'attempt-2']);
    expect(await faults()).toEqual([]);
  });

  test('has its campaign archived where that was asked for, once it is settled as not taken', async () => {
    await buyer.delete(path());
    expect((await stands())[0]).not.toBe('ARCHIVED');

    await settled('--not-taken');

    expect(await stands()).toEqual(['ARCHIVED', 'ARCHIVED']);
    expect(await committed()).toBe(0);
    expect(await faults()).toEqual([]);
  });

  test('that is taken waits for news of its seller under the id that it has there, and keeps its budget', async () => {
    const kept = takesChanges({ agent, name: 'Far' });
    kept.set('far_77', { media_buy_id: 'far_77', status: 'active', packages: [] });

    const said = await settled('--taken', 'far_77');

    expect(said).toBe(
      `Settled as taken as far_77: ${mediaBuyId} is PENDING_APPROVAL; its campaign ${campaignId} is ACTIVE.`,
    );
    expect(await committed()).toBe(100);
    expect((await mediaBuy()).explanation).toContain('has settled that it did, as far_77');
    expect((await entries())[0]).toContain(
      'submission: unknown → answered, status: FAILED → PENDING_APPROVAL, adcp.media_buy_id: none → far_77',
    );
    done(await buyer.get(path('/media-buy-status')));
    expect(await stands()).toEqual(['ACTIVE', 'ACTIVE']);
    expect((await mediaBuy()).explanation).not.toContain('operator');
    expect(await faults()).toEqual([]);
  });

  test('that is taken and was to be called off is called off at its seller at once', async () => {
    const kept = takesChanges({ agent, name: 'Far' });
    kept.set('far_88', { media_buy_id: 'far_88', status: 'active', packages: [] });
    done(await buyer.post(path('/cancel'), {}));

    const said = await settled('--taken', 'far_88');

    expect(said).toContain(`${mediaBuyId} is CANCELED`);
    // On a slow machine the service sends it once more, under its key: this lease is shorter than any in earnest.
    const asked = told('update_media_buy').map(({ media_buy_id: id, canceled, idempotency_key: key }) =>
      JSON.stringify([id, canceled, typeof key]),
    );
    expect(new Set(asked)).toEqual(new Set([JSON.stringify(['far_88', true, 'string'])]));
    expect(new Set(told('update_media_buy').map((args) => args['idempotency_key'])).size).toBe(1);
    expect(await committed()).toBe(0);
    expect(await faults()).toEqual([]);
  });

  test('is not settled without a word of how and why, nor twice, nor by an id that is another’s', async () => {
    const reason = ['--reason', 'Asked.'];
    expect(await refused(mediaBuyId, ...reason)).toMatch(/^Give --not-taken, or --taken with the id/);
    expect(await refused(mediaBuyId, '--taken', 'far_1', '--not-taken', ...reason)).toMatch(
      /^Give --not-taken, or/,
    );
    expect(await refused(mediaBuyId, '--not-taken')).toMatch(/^Give --reason: who said so, and when/);
    expect(await refused(mediaBuyId, '--taken', ' ', ...reason)).toMatch(
      /no id of a media buy.*media_buy_id/,
    );
    expect(await refused('mb_none', '--not-taken', ...reason)).toBe(
      'There is no media buy mb_none. order list shows the orders of which nobody knows.',
    );
    const other = await ordered();
    takesChanges({ agent, name: 'Far' }).set('far_9', {
      media_buy_id: 'far_9',
      status: 'active',
      packages: [],
    });
    await settled('--taken', 'far_9');

    expect(await refused(other.mediaBuyId, '--taken', 'far_9', ...reason)).toBe(
      `Agent calls another media buy far_9: ${mediaBuyId} of organization ${organization}. Ask the seller for the id of this one, and give that.`,
    );
    expect(await refused(mediaBuyId, '--not-taken', ...reason)).toMatch(
      /^Agent knows .* as far_9: it is known what became of its order, and nothing is to be settled\./,
    );
    expect(await faults()).toEqual([]);
  });

  test('that was settled by an id which its seller, silent then, does not know is named, and settled anew', async () => {
    done(await buyer.post(path('/cancel'), {}));
    agent.on('get_media_buys', () => 'nothing that can be read');
    agent.on('get_media_buy_delivery', () => 'nothing that can be read');
    agent.on('update_media_buy', () => ({ errors: [{ code: 'MEDIA_BUY_NOT_FOUND', message: 'None.' }] }));
    await settled('--taken', 'ord_777');
    await orderedAt('2026-01-02T03:04:05.006Z');

    expect(await printed('order', 'list', '--organization', String(organization))).toContain(
      'settled as taken as ord_777, of which its seller has told nothing',
    );
    expect((await rialto('doctor')).stdout).toContain(
      `Agent has told nothing of the order of ${mediaBuyId}, organization ${organization}, which was settled as taken as ord_777.`,
    );
    const { explanation } = await mediaBuy();
    expect(explanation).toContain('You: tell the operator, who settles it anew');
    expect(explanation).toContain('was refused');
    expect(explanation).not.toMatch(/nothing is to be done/i);
    const kept = takesChanges({ agent, name: 'Far' });
    expect(await refused(mediaBuyId, '--taken', 'ord_778', '--reason', 'Asked.')).toMatch(
      /^Agent was asked for ord_778, and says: The seller does not know the media buy/,
    );
    kept.set('ord_779', { media_buy_id: 'ord_779', status: 'active', packages: [] });

    expect(await settled('--taken', 'ord_779')).toContain('Settled as taken as ord_779');

    expect((await entries())[0]?.join(' ')).toContain('adcp.media_buy_id: ord_777 → ord_779');
    done(await buyer.post(path('/cancel'), {}));
    expect((await stands())[1]).toBe('CANCELED');
    expect(await committed()).toBe(0);
    expect(await faults()).toEqual([]);
  });

  test('is not settled while its repeat is on its way, whose answer holds', async () => {
    const { reached, answer } = answersLater();
    const repeated = buyer.post(path('/execute'));
    await reached;

    const said = await refused(mediaBuyId, '--not-taken', '--reason', 'Asked.');
    answer.open();
    await repeated;

    expect(said).toBe(
      `The order of ${mediaBuyId} is on its way to Agent at this moment, and what it answers holds: nothing was settled. ` +
        'Look at order list in some minutes, and settle it if it is still there.',
    );
    expect(await stands()).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await committed()).toBe(100);
    expect(await faults()).toEqual([]);
  });

  /** The seller takes the next order, and says so when it is let. */
  function answersLater() {
    const [asked, answer] = [gate(), gate()];
    agent.on('create_media_buy', async () => {
      asked.open();
      await answer.passed;
      return { media_buy_id: 'far_1', status: 'active', packages: [] };
    });
    return { reached: asked.passed, answer };
  }
});
