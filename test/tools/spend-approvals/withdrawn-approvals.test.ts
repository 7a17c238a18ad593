import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { completeEnded } from '../../../tools/domain/buying/flight-ends.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DAY_MS = 86_400_000;

describe('withdrawn approvals', () => {
  let server: TestServer;
  let storefrontId: string;
  let buyer: Person;
  let advertiserId: string;
  const clock = skippingClock();
  beforeAll(async () => {
    server = await startTestServer({ clock });
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
  });
  beforeEach(async () => {
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    await limitSpend(server, buyer, 500);
  });
  afterAll(() => server.stop());

  const draft = (each: number) => {
    const flightDates = {
      startDate: new Date(clock.now()).toISOString(),
      endDate: new Date(clock.now() + DAY_MS).toISOString(),
    };
    const campaign = { flightDates };
    return draftCampaign(buyer, {
      advertiserId,
      each,
      budget: 2_000,
      storefrontIds: [storefrontId],
      campaign,
    });
  };
  const execute = async (campaignId: string) =>
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const statusOf = async (approvalId: string) =>
    done(await buyer.get(`/buyer/spend-approvals/${approvalId}`)).status;
  const waitingOnYou = async () =>
    done(await buyer.get('/buyer/all-advertisers-home')).portfolio.waitingOnYou;
  const another = async () => clientFor(server.url, await buyer.browser());

  /** What became of an approval, as the events of the account and its audit log say it. */
  const toldOf = async (approvalId: string) => {
    const { text } = await buyer.get('/buyer/events?follow=false');
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('data:') && line.includes(approvalId))
      .map((line) => JSON.parse(line.slice('data:'.length)))
      .map(({ event, changes }) => [event, changes.approval]);
    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select(['changes', 'advertiser_id', 'resource_type', 'outcome'])
      .where('organization_id', '=', buyer.organizationId)
      .where('resource_id', '=', approvalId)
      .orderBy('id')
      .execute();
    return { events, entries: entries.filter(({ outcome }) => outcome === 'succeeded') };
  };
  const expectTold = async (approvalId: string, to: string) => {
    const { events, entries } = await toldOf(approvalId);
    expect(events).toEqual([
      ['approval.needed', { from: null, to: 'pending' }],
      ['campaign.updated', { from: 'pending', to }],
    ]);
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({
      resource_type: 'SPEND_APPROVAL',
      advertiser_id: Number(advertiserId),
    });
    expect(JSON.parse(entries[1]?.changes ?? '{}').status).toEqual({ from: 'pending', to });
  };

  /** A draft whose orders wait for another person. */
  const askedToOrder = async () => {
    const drafted = await draft(900);
    const { approval } = await execute(drafted.campaignId);
    return { ...drafted, approvalId: approval.approvalId as string };
  };
  /** A buy of 400 that runs. */
  const running = async () => {
    const { campaignId } = await draft(400);
    await execute(campaignId);
    const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    const { mediaBuyId, packages } = mediaBuys[0];
    const { packageId } = packages[0];
    const to = (budget: number) => ({ packages: [{ packageId, budget }] });
    return { campaignId, mediaBuyId: mediaBuyId as string, to };
  };
  /** A raise of it that waits for another person. */
  const askedToRaise = async () => {
    const buy = await running();
    const { approval } = done(await buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, buy.to(700)));
    return { ...buy, approvalId: approval.approvalId as string };
  };
  const choose = async ({ discoveryId, products }: Awaited<ReturnType<typeof draft>>, budget: number) => {
    const chosen = products.map((product: object) => ({ ...product, budget }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));
  };
  const patch = async (mediaBuyId: string, change: object) =>
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, change));
  const update = async (campaignId: string, mediaBuys: readonly object[]) =>
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys }));
  const completed = async () => {
    clock.skip(DAY_MS + 1);
    while (await completeEnded(server.running.app.services));
  };

  const ofOrders: [string, (asked: Awaited<ReturnType<typeof askedToOrder>>) => Promise<unknown>][] = [
    [
      'a smaller choice is executed',
      async (asked) => [await choose(asked, 300), await execute(asked.campaignId)],
    ],
    [
      'the limit is lifted and it is executed',
      async (asked) => [await limitSpend(server, buyer), await execute(asked.campaignId)],
    ],
    ['the draft is deleted', ({ campaignId }) => buyer.delete(`/buyer/campaigns/${campaignId}`)],
  ];
  test.each(ofOrders)('an order that waits is withdrawn where %s', async (_, act) => {
    const asked = await askedToOrder();
    expect(await waitingOnYou()).toBe(1);

    await act(asked);

    expect(await statusOf(asked.approvalId)).toBe('withdrawn');
    await expectTold(asked.approvalId, 'withdrawn');
    expect(await waitingOnYou()).toBe(0);
    expect(done(await buyer.get('/buyer/spend-approvals?status=pending')).items).toEqual([]);
    expectRefusal(await (await another()).post(`/buyer/spend-approvals/${asked.approvalId}/approve`), 409, {
      code: 'CONFLICT',
      words: 'The approval is withdrawn: there is nothing to decide any more.',
    });
  });

  const ofRaises: [string, (asked: Awaited<ReturnType<typeof askedToRaise>>) => Promise<unknown>][] = [
    ['a smaller raise goes out', ({ mediaBuyId, to }) => patch(mediaBuyId, to(450))],
    [
      'a smaller raise goes out with the campaign',
      ({ campaignId, mediaBuyId, to }) => update(campaignId, [{ mediaBuyId, ...to(450) }]),
    ],
    ['the budget is lowered instead', ({ mediaBuyId, to }) => patch(mediaBuyId, to(350))],
    [
      'another raise is asked with the campaign',
      ({ campaignId, mediaBuyId, to }) => update(campaignId, [{ mediaBuyId, ...to(800) }]),
    ],
    [
      'the media buy is called off alone',
      ({ campaignId, mediaBuyId }) => update(campaignId, [{ mediaBuyId, action: 'cancel' }]),
    ],
    [
      'the campaign is cancelled',
      async ({ campaignId }) => buyer.post(`/buyer/campaigns/${campaignId}/cancel`, {}),
    ],
    ['the campaign is deleted', ({ campaignId }) => buyer.delete(`/buyer/campaigns/${campaignId}`)],
    ['the flight of the campaign is over', completed],
  ];
  test.each(ofRaises)('a raise that waits is withdrawn where %s', async (_, act) => {
    const asked = await askedToRaise();
    expect(await statusOf(asked.approvalId)).toBe('pending');

    await act(asked);

    expect(await statusOf(asked.approvalId)).toBe('withdrawn');
    await expectTold(asked.approvalId, 'withdrawn');
  });

  test.each(['approve', 'reject'])(
    'of who says %s whoever follows the account and its log hears',
    async (deed) => {
      const { approvalId } = await askedToRaise();

      done(await (await another()).post(`/buyer/spend-approvals/${approvalId}/${deed}`, {}));

      await expectTold(approvalId, deed === 'approve' ? 'approved' : 'rejected');
    },
  );

  test('a reactivation that waits is withdrawn where what was paused goes on in another way', async () => {
    const { campaignId, mediaBuyId } = await running();
    done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}));
    await limitSpend(server, buyer, 300);
    const { approval } = done(await buyer.post(`/buyer/campaigns/${campaignId}/reactivate`, {}));
    await limitSpend(server, buyer);

    done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}));

    expect(await statusOf(approval.approvalId)).toBe('withdrawn');
  });

  test('what changes nothing of it, and what is done of others, leaves it to be decided', async () => {
    const [raise, other] = [await askedToRaise(), await running()];

    await patch(raise.mediaBuyId, { name: 'Spring' });
    await patch(other.mediaBuyId, other.to(450));
    done(await buyer.post(`/buyer/campaigns/${other.campaignId}/cancel`, {}));

    expect(await statusOf(raise.approvalId)).toBe('pending');
    done(await (await another()).post(`/buyer/spend-approvals/${raise.approvalId}/approve`));
    expect(await statusOf(raise.approvalId)).toBe('approved');
  });

  test('of who allows a raise and who calls its campaign off at once each finds what the other left', async () => {
    const asked = await askedToRaise();
    const person = await another();

    await Promise.all([
      person.post(`/buyer/spend-approvals/${asked.approvalId}/approve`),
      buyer.post(`/buyer/campaigns/${asked.campaignId}/cancel`, {}),
    ]);
    await buyer.post(`/buyer/campaigns/${asked.campaignId}/cancel`, {});

    expect(['approved', 'withdrawn']).toContain(await statusOf(asked.approvalId));
    expect(await waitingOnYou()).toBe(0);
  });

  test('a spend that is asked for while its campaign is deleted waits for nobody afterwards', async () => {
    const { campaignId } = await draft(900);

    await Promise.all([
      buyer.post(`/buyer/campaigns/${campaignId}/execute`),
      buyer.delete(`/buyer/campaigns/${campaignId}`),
    ]);
    await buyer.delete(`/buyer/campaigns/${campaignId}`);

    expect(done(await buyer.get('/buyer/spend-approvals?status=pending')).items).toEqual([]);
  });

  describe('are named in the answer of what took their place', () => {
    const inPlaceOf = (approvalId: string) =>
      `It takes the place of ${approvalId}, which waited for another person and was withdrawn.`;

    test('where orders are asked for otherwise, and where they are placed', async () => {
      const asked = await askedToOrder();
      await choose(asked, 800);
      const { nextStep, approval } = await execute(asked.campaignId);
      expect(nextStep).toMatch(/^Nothing was done yet: /);
      expect(nextStep.endsWith(inPlaceOf(asked.approvalId))).toBe(true);

      await choose(asked, 400);
      const bought = await execute(asked.campaignId);

      expect(bought.success).toBe(true);
      expect(bought.nextStep.endsWith(inPlaceOf(approval.approvalId))).toBe(true);
      expect((await execute(asked.campaignId)).nextStep).not.toContain(approval.approvalId);
    });

    test('where a raise is asked for otherwise, and where one is made', async () => {
      const { mediaBuyId, campaignId, approvalId, to } = await askedToRaise();

      const { warnings, approval } = await patch(mediaBuyId, to(800));
      expect(warnings.at(-1)).toBe(inPlaceOf(approvalId));
      const entry = { mediaBuyId, action: 'update', ...to(450) };
      const changed = done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [entry] }));

      expect(changed).toMatchObject({ success: true, warnings: [inPlaceOf(approval.approvalId)] });
    });

    test('where what was paused goes on', async () => {
      const { campaignId, mediaBuyId } = await running();
      const waiting = async () => {
        done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}));
        await limitSpend(server, buyer, 300);
        const { approval } = done(await buyer.post(`/buyer/campaigns/${campaignId}/reactivate`, {}));
        await limitSpend(server, buyer);
        return inPlaceOf(approval.approvalId);
      };

      const first = await waiting();
      const one = done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}));
      expect(one).toMatchObject({ success: true, warnings: [first] });
      const second = await waiting();
      const all = done(await buyer.post(`/buyer/campaigns/${campaignId}/reactivate`, {}));
      expect(all).toMatchObject({ success: true, warnings: [second] });
    });
  });
});
