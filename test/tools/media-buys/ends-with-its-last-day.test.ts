import { describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';

const FLIGHT = { startDate: '2026-12-10T00:00:00.000Z', endDate: '2026-12-31T23:59:59.000Z' };

/** The day is the last millisecond of it, 999 of them later than its campaign. */
describe('the last day of a campaign that ends in its last minute', () => {
  const there = boughtThere('Far');
  // biome-ignore lint/suspicious/noExplicitAny: what the seller was told.
  const told = (): any => there.seller.told.at(-1);
  const bought = () => there.orders({ flight: FLIGHT });

  test('is the end of a media buy, and of a package', async () => {
    await bought();
    const packages = [{ packageId: there.packageId, endTime: '2026-12-20' }];
    done(await there.buyer.patch(there.buyPath(), { endTime: '2026-12-20', packages }));

    done(
      await there.buyer.patch(there.buyPath(), {
        endTime: '2026-12-31',
        packages: [{ packageId: there.packageId, endTime: '2026-12-31' }],
      }),
    );

    expect(told()).toMatchObject({
      end_time: FLIGHT.endDate,
      packages: [{ package_id: there.packageId, end_time: FLIGHT.endDate }],
    });
  });

  test('is nothing new of a media buy that ends with it', async () => {
    await bought();

    done(await there.buyer.patch(there.buyPath(), { name: 'Winter', endTime: '2026-12-31' }));

    expect(there.seller.told).toEqual([]);
    expect((await there.mediaBuy()).endTime).toBe(FLIGHT.endDate);
  });

  test.each(['2027-01-01', '2027-01-01T00:01:00Z'])('lets no media buy end at %s', async (endTime) => {
    await bought();

    expectRefusal(await there.buyer.patch(there.buyPath(), { endTime }), 422, {
      code: 'VALIDATION_ERROR',
      at: { endTime: `The campaign ends at ${FLIGHT.endDate}.` },
    });
  });
});
