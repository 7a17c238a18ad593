import { beforeEach, describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { putBuys } from '../../support/buying/running-campaign.ts';
import type { Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import type { KeepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done } from '../../support/sellers/market.ts';

const OVER = 'The campaign is CANCELED: what lives of it can be paused or called off, and nothing else.';

describe('a campaign that a seller refused to stop', () => {
  const there = boughtThere('Ada', 'Bea');
  const { act, path, campaign, committed } = there;
  let ada: KeepingSeller;
  let buyer: Person;
  let mediaBuyId: string;
  beforeEach(async () => {
    await there.orders();
    ({ seller: ada, buyer, mediaBuyId } = there);
    ada.refuses();
  });

  const toldBea = () => there.sellers[1]?.told.length;
  const statuses = async () => {
    const { status, mediaBuys } = await campaign();
    return [status, ...mediaBuys.map((buy: { status: string }) => buy.status).sort()];
  };
  const listed = async () =>
    done(await buyer.get('/buyer/campaigns?take=250&status=CANCELED')).campaigns.some(
      (one: { campaignId: string }) => one.campaignId === there.campaignId,
    );

  test.each([
    { what: 'pause', status: 'PAUSED' },
    { what: 'cancel', status: 'CANCELED' },
  ])('can be asked to $what again, which tells that seller alone', async ({ what, status }) => {
    expect(done(await act(what))).toMatchObject({ newStatus: status, successCount: 1, failureCount: 1 });
    ada.willing();
    const before = toldBea();

    const again = done(await act(what));

    expect(again).toMatchObject({ newStatus: status, totalMediaBuys: 1, successCount: 1 });
    expect(again.mediaBuyResults).toMatchObject([{ mediaBuyId, newStatus: status }]);
    expect(toldBea()).toBe(before);
    expect(await statuses()).toEqual([status, status, status]);
    expectRefusal(await act(what), 409, {
      code: 'CONFLICT',
      words: /^The campaign is (PAUSED: it cannot be paused|CANCELED: it cannot be canceled)\.$/,
    });
  });

  test.each([
    { what: 'pause', label: '1 running on in paused campaigns', action: /^Call campaign_pause again / },
    { what: 'cancel', label: '1 running on in cancelled campaigns', action: /^Call campaign_cancel again / },
  ])(
    'is shown where all advertisers stand until a repeat of $what is done',
    async ({ what, label, action }) => {
      const home = async () => done(await buyer.get('/buyer/all-advertisers-home'));
      expect((await home()).advertisers[0]).not.toHaveProperty('attention');
      done(await act(what));

      const { portfolio, advertisers } = await home();

      expect(portfolio.waitingOnYou).toBe(1);
      expect(advertisers[0].attention.flags).toEqual([{ label, tone: 'critical' }]);
      expect(advertisers[0].nextAction.label).toMatch(action);
      expect((await campaign()).warnings).toEqual([expect.stringContaining('of its media buys 1 still')]);
      ada.willing();
      done(await act(what));
      expect((await home()).advertisers[0]).not.toHaveProperty('attention');
    },
  );

  test.each([
    { what: 'pause', words: /^It runs on, and its campaign is paused\. You: call campaign_pause again/ },
    {
      what: 'cancel',
      words: /^It runs on, and its campaign was called off\. You: call campaign_cancel again/,
    },
  ])('has the blocker runs_on until a repeat of $what is done', async ({ what, words }) => {
    const standing = async () => {
      const told = done(await buyer.get(`${path()}/media-buy-status?detail=full`));
      const { operational_status, blockers, media_buys } = told;
      const ofAda = media_buys.find((one: { media_buy_id: string }) => one.media_buy_id === mediaBuyId);
      const codes = blockers.map(({ code }: { code: string }) => code);
      return { operational_status, codes, ofAda };
    };
    expect((await standing()).codes).not.toContain('runs_on');
    done(await act(what));

    const { operational_status, codes, ofAda } = await standing();

    expect({ operational_status, codes }).toEqual({
      operational_status: 'attention_required',
      codes: expect.arrayContaining(['runs_on']),
    });
    expect(ofAda).toMatchObject({ internal_status: 'ACTIVE', operational_status: 'attention_required' });
    expect(ofAda.blockers).toContain('runs_on');
    expect(ofAda.source_message).toMatch(words);
    ada.willing();
    done(await act(what));
    const after = await standing();
    expect([...after.codes, ...after.ofAda.blockers]).not.toContain('runs_on');
  });

  test('is shown there though a package of what goes on is to be called off', async () => {
    const flags = async () =>
      done(await buyer.get('/buyer/all-advertisers-home')).advertisers[0].attention?.flags;
    done(await act('cancel'));
    ada.undecided();
    const [{ packageId }] = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`)).packages;

    const mediaBuys = [{ mediaBuyId, action: 'cancel', packageIds: [packageId] }];
    done(await buyer.put(path(), { mediaBuys }));

    expect(await flags()).toEqual([{ label: '1 running on in cancelled campaigns', tone: 'critical' }]);
    done(await act('cancel'));
    expect(await flags()).toBeUndefined();
  });

  test('is called off with DELETE, which answers 202, and archived once that is asked again', async () => {
    const refused = await buyer.delete(path());

    expect(refused.status).toBe(202);
    expect(refused.body.data).toMatchObject({
      success: false,
      deletedId: there.campaignId,
      newStatus: 'CANCELED',
    });
    expect(refused.body.data.mediaBuyResults).toContainEqual(
      expect.objectContaining({ mediaBuyId, newStatus: 'ACTIVE', success: false }),
    );
    expect([await statuses(), await listed(), await committed()]).toEqual([
      ['CANCELED', 'ACTIVE', 'ARCHIVED'],
      true,
      100,
    ]);

    ada.willing();
    expect((await buyer.delete(path())).status).toBe(204);
    expect([await statuses(), await listed(), await committed()]).toEqual([
      ['ARCHIVED', 'ARCHIVED', 'ARCHIVED'],
      false,
      0,
    ]);
    expectRefusal(await buyer.delete(path()), 409, {
      code: 'CONFLICT',
      words: 'The campaign is ARCHIVED: it cannot be deleted.',
    });
  });

  test('is archived by itself once what was deleted has ended at its seller', async () => {
    ada.undecided();
    const taken = await buyer.delete(path());
    expect(taken.status).toBe(202);
    expect(taken.body.data).toMatchObject({ success: true, newStatus: 'CANCELED' });

    ada.shows('canceled');
    done(await buyer.get(`${path()}/media-buy-status`));

    expect(await statuses()).toEqual(['ARCHIVED', 'ARCHIVED', 'ARCHIVED']);
  });

  test('can have that media buy called off by itself, and nothing else asked of it', async () => {
    done(await act('cancel'));
    ada.willing();
    const [{ packageId }] = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`)).packages;
    const raised = await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, {
      packages: [{ packageId, budget: 200 }],
    });
    expectRefusal(raised, 409, { code: 'CONFLICT', at: { media_buy_id: OVER } });
    expectRefusal(await buyer.put(path(), { name: 'Other' }), 409, {
      code: 'CONFLICT',
      words: 'The campaign is CANCELED: it cannot be changed any more.',
    });
    done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}));
    expectRefusal(await buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}), 409, {
      code: 'CONFLICT',
      at: { media_buy_id: OVER },
    });

    done(await buyer.put(path(), { mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));

    expect(await statuses()).toEqual(['CANCELED', 'CANCELED', 'CANCELED']);
    expect(await committed()).toBe(0);
  });

  test.each([
    { status: 'ACTIVE', ended: 'REJECTED', becomes: 'DRAFT' },
    { status: 'PAUSED', ended: 'COMPLETED', becomes: 'COMPLETED' },
  ] as const)(
    'is $becomes for whoever reads it where its media buys became $ended and nobody moved it on',
    async ({ status, ended, becomes }) => {
      const { server, campaignId } = there;
      await putStatus(server, buyer, { campaignId, status });
      await putBuys(server, { campaignId, status: ended });

      expect(await statuses()).toEqual([becomes, ended, ended]);
    },
  );

  test('says which of its media buys live, for as long as they do', async () => {
    done(await act('pause'));
    expect((await campaign()).warnings.join()).toMatch(/1 still run.*campaign_pause/);

    done(await act('cancel'));
    expect((await campaign()).warnings.join()).toMatch(/is CANCELED.*campaign_cancel/);

    ada.willing();
    done(await act('cancel'));
    expect(await campaign()).not.toHaveProperty('warnings');
  });

  test('says of a media buy that is over by itself that it is, and calls nothing off', async () => {
    ada.willing();
    done(await act('cancel'));

    expectRefusal(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { name: 'Later' }), 409, {
      code: 'CONFLICT',
      at: { media_buy_id: /^.+ is CANCELED: it cannot be changed any more\.$/ },
    });
    expectRefusal(await buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}), 409, {
      code: 'CONFLICT',
      at: {
        media_buy_id:
          /^.+ is CANCELED: only one that is PAUSED, or packages that its seller holds, can go on\.$/,
      },
    });
  });
});
