import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Services } from '../../../tools/core/context.ts';
import { completeEnded } from '../../../tools/domain/buying/flight-ends.ts';
import { newPerson } from '../../support/callers/people.ts';
import { gate } from '../../support/run/gate.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;

describe('a campaign that is given a later end as its flight ends', () => {
  const clock = skippingClock();
  const between = writesBeforeStoring('campaign_update');
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ clock, families: between.families });
  });
  afterAll(() => server.stop());

  /** The services as housekeeping has them, which is held up before it stores anything. */
  function heldUp() {
    const { services } = server.running.app;
    const [seen, stored] = [gate(), gate()];
    const store = new Proxy(services.store, {
      get: (target, key) => {
        if (key !== 'transaction') return Reflect.get(target, key, target);
        const transaction: Services['store']['transaction'] = async (...work) => {
          seen.open();
          await stored.passed;
          return target.transaction(...work);
        };
        return transaction;
      },
    });
    return { services: { ...services, store }, seen, stored };
  }

  test('goes on, though it was seen to be over before that was stored', async () => {
    const { storefrontId } = await openStorefront(await newPerson(server));
    const buyer = await newPerson(server);
    const at = (hours: number) => new Date(clock.now() + hours * HOUR_MS).toISOString();
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      storefrontIds: [storefrontId],
      campaign: { flightDates: { startDate: at(0), endDate: at(1) } },
    });
    const path = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${path}/execute`));
    const { services, seen, stored } = heldUp();
    let housekeeping: Promise<boolean> | undefined;
    between.next(async () => {
      clock.skip(2 * HOUR_MS);
      housekeeping = completeEnded(services);
      await seen.passed;
    });

    done(await buyer.put(path, { flightDates: { endDate: at(5) } }));
    stored.open();
    await housekeeping;

    expect(done(await buyer.get(path)).campaign).toMatchObject({ status: 'ACTIVE' });
  });
});
