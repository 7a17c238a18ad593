import { describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';

describe('the explanation of a media buy that is held', () => {
  const there = boughtThere('Ada');

  const reports = async (spend: number) => {
    there.seller.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          totals: { impressions: spend * 100, spend, clicks: 1 },
          by_package: [],
        },
      ],
    }));
    await there.status();
  };
  const explanation = async () => (await there.mediaBuy()).explanation;
  const NOTHING = 'It is held, and nothing is spent. You: reactivate it when it is to go on.';

  test('names what its seller has reported since, and whom to ask', async () => {
    await there.orders();
    await reports(20);
    await there.act('pause');
    expect(await explanation()).toBe(NOTHING);

    await reports(50);

    expect(await explanation()).toMatch(
      /^It is held, and Agent has reported 30\.00 USD more since, which it may have counted late\. Ask the seller, naming sf:\S+, whether it runs on\. You: reactivate it/,
    );
  });

  test('counts from the last time it was held', async () => {
    await there.orders();
    await there.act('pause');
    await reports(30);
    await there.act('reactivate');
    await reports(40);

    await there.act('pause');

    expect(await explanation()).toBe(NOTHING);
  });
});
