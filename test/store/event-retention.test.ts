import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetEvents } from '../../store/unscoped/event-retention.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { lookUntil } from '../support/run/looking.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const OLD = '2020-01-01T00:00:00.000Z';
const SINCE = '2021-01-01T00:00:00.000Z';

let server: TestServer;
let buyer: Person;
beforeAll(async () => {
  server = await startTestServer({ own: true });
  const { storefrontId } = await openStorefront(await newPerson(server));
  buyer = await newPerson(server);
  // Nobody listens there: what is sent to it fails.
  await subscribe(buyer, 'https://receiver.example/hook', { eventTypes: ['media_buy.updated'] });
  const { campaignId } = await draftCampaign(buyer, {
    advertiserId: await newAdvertiser(buyer),
    storefrontIds: [storefrontId],
  });
  done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`, {}));
});
afterAll(() => server.stop());

const told = () =>
  server.store.db
    .selectFrom('account_events')
    .select(['sequence', 'event_type', 'created_at'])
    .where('organization_id', '=', buyer.organizationId)
    .orderBy('sequence')
    .execute();
const forget = async () => {
  while (await forgetEvents(server.store.db, SINCE));
};
const age = async (sequences: readonly number[]) => {
  await server.store.db
    .updateTable('account_events')
    .set({ created_at: OLD })
    .where('organization_id', '=', buyer.organizationId)
    .where('sequence', 'in', [...sequences])
    .execute();
};
/**
 * Sends nothing more, once everything was sent: a row that a test makes pending again would be sent, and be over,
 * before it is looked at.
 */
const sendNoMore = async (deliveries: number) => {
  const { db } = server.store;
  await lookUntil(
    () =>
      db
        .selectFrom('webhook_deliveries')
        .select('state')
        .where('organization_id', '=', buyer.organizationId)
        .where('finished_at', 'is not', null)
        .execute(),
    (over) => over.length === deliveries,
  );
  await db
    .updateTable('webhook_subscriptions')
    .set({ status: 'failed' })
    .where('organization_id', '=', buyer.organizationId)
    .execute();
};
const putDelivery = async (
  sequence: number,
  set: { state: 'pending' | 'failed'; finished_at: string | null },
) => {
  await server.store.db
    .updateTable('webhook_deliveries')
    .set(set)
    .where('organization_id', '=', buyer.organizationId)
    .where('event', '=', sequence)
    .execute();
};

test('events are forgotten once they are old, but for one that a delivery still waits for', async () => {
  const all = await told();
  const updated = all.filter(({ event_type }) => event_type === 'media_buy.updated');
  const [waiting, over] = updated;
  expect(all.length).toBeGreaterThan(updated.length);
  expect(updated.length).toBeGreaterThan(1);
  await sendNoMore(updated.length);
  const kept = all.at(-1)?.sequence ?? 0;
  await age(all.map(({ sequence }) => sequence).filter((sequence) => sequence !== kept));
  await putDelivery(waiting?.sequence ?? 0, { state: 'pending', finished_at: null });
  await putDelivery(over?.sequence ?? 0, { state: 'failed', finished_at: OLD });

  await forget();

  const left = (await told()).map(({ sequence }) => sequence);
  expect(left).toEqual([waiting?.sequence, kept]);
  const { count } = await server.store.db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', buyer.organizationId)
    .where('event', '=', over?.sequence ?? 0)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(0);

  await putDelivery(waiting?.sequence ?? 0, { state: 'failed', finished_at: OLD });
  await forget();
  expect((await told()).map(({ sequence }) => sequence)).toEqual([kept]);
});
