import { describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { done } from '../../support/sellers/market.ts';

describe('the explanation of a media buy', () => {
  const there = boughtThere('Far');
  const { orders, act, asks, path, status } = there;

  const explanation = async () => (await there.mediaBuy()).explanation;
  const attention = async () =>
    done(await there.buyer.get('/buyer/all-advertisers-home')).advertisers[0].attention;

  describe('of a change that was refused for reasons of its seller', () => {
    const later = (whether = '') =>
      `was refused for reasons of the seller, see sourceMessage. You: ${whether}ask again later, or talk to the seller, naming sf:${there.seller.storefrontId}:${there.mediaBuyId}.`;

    test('says who has to do what where the task of a raise failed', async () => {
      await orders();
      there.seller.undecided();
      await there.raises();
      there.seller.agent.on('get_task_status', ({ task_id }) => ({
        task_id,
        status: 'failed',
        message: 'No way.',
      }));
      await status();

      expect(await explanation()).toContain(later());
    });

    test('says it of a reactivation too', async () => {
      await orders();
      await asks('pause');
      there.seller.refuses('PRODUCT_UNAVAILABLE');
      await asks('reactivate');

      expect(await explanation()).toContain(later('if it is still to go on, '));
    });
  });

  describe('of a pause that was refused', () => {
    const ASK_AGAIN = /was refused, see sourceMessage\. You: if it is still to be held, ask again, or talk/;

    test('asks nobody to change anything for it, before and after the campaign was reactivated', async () => {
      await orders();
      there.seller.refuses();
      done(await act('pause'));
      expect(await explanation()).toMatch(
        /^It runs on, and its campaign is paused\. .* The pause asked for at \S+ was refused\.$/,
      );
      done(await act('reactivate'));

      expect(await explanation()).toMatch(ASK_AGAIN);
    });

    test('says no more of it once its seller holds it, nor of a reactivation once it runs', async () => {
      await orders();
      there.seller.refuses();
      await asks('pause');
      expect(await explanation()).toMatch(ASK_AGAIN);
      there.seller.shows('paused');
      await status();
      const held = await there.mediaBuy();
      expect(held.explanation).toBe(
        'It is held, and nothing is spent. You: reactivate it when it is to go on.',
      );
      expect(held).not.toHaveProperty('errorCode');

      await asks('reactivate');
      there.seller.shows('active');
      await status();

      expect(await explanation()).toBe('It runs: nothing is to be done.');
    });
  });

  describe('of one that no seller holds, in a campaign that was called off', () => {
    const OVER = ' Its campaign is over: nothing is to be done.';
    const alone = boughtThere('Ada', 'Bea');

    test.each([
      ['INVALID_REQUEST', 'FAILED', 'Agent refused the order.'],
      ['PRODUCT_UNAVAILABLE', 'FAILED', 'Agent could not take the order.'],
    ])('after %s, says that nothing is to be done, as its status does', async (code, stands, what) => {
      alone.seller.agent.on('create_media_buy', () => ({ adcp_error: { code, message: 'No.' } }));
      await alone.orders();
      expect((await alone.mediaBuy()).explanation).toContain('execute the campaign again');
      expect(await alone.status()).toMatchObject({ operational_status: 'attention_required' });
      done(await alone.act('cancel'));

      expect(await alone.mediaBuy()).toMatchObject({ status: stands, explanation: `${what}${OVER}` });
      const { operational_status, media_buys } = await alone.status();
      expect(operational_status).toBe('completed');
      expect(media_buys.map((one: { operational_status: string }) => one.operational_status)).toEqual([
        'completed',
        'completed',
      ]);
    });

    test('after its seller rejected it, says so too', async () => {
      alone.seller.takes('pending_approval');
      await alone.orders();
      alone.seller.shows('rejected');
      await alone.status();
      expect((await alone.mediaBuy()).explanation).toMatch(/You: choose products of other sellers/);
      done(await alone.act('cancel'));

      expect((await alone.mediaBuy()).explanation).toBe(
        `Agent had taken the order, and it came to nothing there: it is not ordered again.${OVER}`,
      );
      expect((await alone.status()).operational_status).toBe('completed');
    });
  });

  describe('of one whose packages were all called off', () => {
    const NOTHING = 'All its packages were called off: nothing of it runs any more.';
    const END =
      'You: end it with campaign_cancel, or with mediaBuys and action cancel of campaign_update, and choose products anew for what is still to run.';

    test('says that nothing of it runs any more, and how it is ended, as its status does', async () => {
      takesChanges(there.seller);
      await orders();
      const { mediaBuyId, packageId } = there;
      const called = { mediaBuyId, action: 'cancel', packageIds: [packageId] };
      done(await there.buyer.put(path(), { mediaBuys: [called] }));
      const { status: stands, budget } = await there.inCampaign();
      expect([stands, budget]).toEqual(['ACTIVE', 0]);

      expect(await explanation()).toBe(`${NOTHING} ${END}`);
      expect(await status()).toMatchObject({
        operational_status: 'attention_required',
        media_buys: [{ operational_status: 'attention_required', source_message: `${NOTHING} ${END}` }],
      });
      there.seller.undecided();
      done(await act('cancel'));
      expect(await status()).toMatchObject({
        operational_status: 'completed',
        media_buys: [{ operational_status: 'completed', source_message: NOTHING }],
      });
    });
  });

  describe('of one that runs on', () => {
    const IN_CANCELED = 'It runs on, and its campaign was called off. You: call campaign_cancel again.';
    const IN_PAUSED =
      'It runs on, and its campaign is paused. You: call campaign_pause again, or campaign_reactivate if the campaign is to go on.';
    const urgent = async (said: string) => {
      expect(await explanation()).toContain(said);
      expect(await status()).toMatchObject({
        operational_status: 'attention_required',
        media_buys: [{ operational_status: 'attention_required', source_message: said }],
      });
      expect((await attention()).flags).toEqual([
        { label: expect.stringMatching(/^1 running on in (cancelled|paused) campaigns$/), tone: 'critical' },
      ]);
    };

    test.each([
      { how: 'a cancellation', what: 'cancel', said: IN_CANCELED },
      { how: 'a pause', what: 'pause', said: IN_PAUSED },
    ])('in a campaign after $how that was refused says what the portfolio says', async ({ what, said }) => {
      await orders();
      there.seller.refuses();
      done(await act(what));

      await urgent(said);
      there.seller.willing();
      done(await act(what));

      expect(await explanation()).not.toMatch(/campaign_/);
      expect((await status()).operational_status).not.toBe('attention_required');
    });

    test('alone in a paused campaign, because it was reactivated, says so', async () => {
      await orders();
      done(await act('pause'));
      await asks('reactivate');

      await urgent(IN_PAUSED);
    });

    test('in a campaign that was deleted says that it is to be called off again', async () => {
      await orders();
      there.seller.refuses();
      expect((await there.buyer.delete(path())).status).toBe(202);

      await urgent(IN_CANCELED);
    });

    test('held, in a campaign that was called off, says that its seller has it still', async () => {
      await orders();
      await asks('pause');
      there.seller.refuses();
      done(await act('cancel'));

      expect(await explanation()).toMatch(
        /^It is held, and not called off at its seller, and its campaign was called off\. You: call campaign_cancel again\./,
      );
    });

    test('says nothing of it where a pause or an end waits for its seller', async () => {
      await orders();
      there.seller.undecided();
      done(await act('pause'));
      expect(await explanation()).toMatch(/^It runs\. The pause asked for at/);
      done(await act('cancel'));

      expect(await explanation()).toMatch(/^It runs\. The cancellation asked for at/);
      expect((await status()).operational_status).toBe('active');
    });
  });
});
