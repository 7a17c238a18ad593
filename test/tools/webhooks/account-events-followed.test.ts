import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forgetOld, retentionOf } from '../../../adapters/process/retention.ts';
import { giveGrant } from '../../../tools/domain/organizations/grants.ts';
import { grantedOnly } from '../../support/buying/access.ts';
import { clientFor } from '../../support/callers/client.ts';
import { type EventReader, readStream } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { engine, freshDatabase } from '../../support/database/database.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DAY_MS = 86_400_000;
/** More than are kept for those who follow, and more than two pages of what is stored. */
const MISSED = 250;

describe('a reader whose process is gone', () => {
  test('goes on in another one after the event it read last', async () => {
    const database = await freshDatabase();
    const one = await startTestServer({ database });
    const { storefrontId } = await openStorefront(await newPerson(one));
    const buyer = await newPerson(one);
    const draft = { advertiserId: await newAdvertiser(buyer), storefrontIds: [storefrontId] };
    const { campaignId } = await draftCampaign(buyer, draft);
    const rename = async (server: TestServer, name: string) =>
      done(await clientFor(server.url, buyer.key).put(`/buyer/campaigns/${campaignId}`, { name }));
    const follow = (server: TestServer, lastEventId?: string) =>
      readStream(server, buyer, {
        path: '/buyer/events',
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
    const reader = await follow(one);
    await rename(one, 'Read');
    const read = await reader.next();
    await rename(one, 'Missed');
    reader.close();
    // SQLite is served by one process at a time.
    if (engine === 'sqlite') await one.stop();

    const other = await startTestServer({ database });
    const later = await follow(other, read?.id);
    const missed = await later.next();
    await rename(other, 'New');
    const seen = [read, missed, await later.next()];

    expect(seen.map((event) => event?.payload.changes.name.to)).toEqual(['Read', 'Missed', 'New']);
    later.close();
    await other.stop();
    if (engine === 'postgres') await one.stop();
    await database.drop();
  });
});

describe('events that many follow', () => {
  let server: TestServer;
  let storefrontId: string;
  const readers: EventReader[] = [];
  beforeAll(async () => {
    server = await startTestServer();
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  afterAll(() => server.stop());

  async function follow(person: Person, lastEventId?: string) {
    const path = '/buyer/events';
    const reader = await readStream(
      server,
      person,
      lastEventId === undefined ? { path } : { path, lastEventId },
    );
    readers.push(reader);
    return reader;
  }

  /** A campaign that runs, and a way to change it: its new name, which the event tells of. */
  async function running(buyer: Person, advertiserId: string) {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    return async (name: string) => {
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, { name }));
    };
  }

  const heardBy = async (reader: EventReader): Promise<{ of: string; name: unknown }> => {
    const { payload } = (await reader.next()) ?? {};
    return { of: payload.advertiserId, name: payload.changes.name.to };
  };

  test('reach every reader of the account, each what its own grants allow, and nobody of another account', async () => {
    const [buyer, stranger] = [await newPerson(server), await newPerson(server)];
    const [one, other] = [await newAdvertiser(buyer), await newAdvertiser(buyer)];
    const [changeOne, changeOther] = [await running(buyer, one), await running(buyer, other)];
    const foreign = await newAdvertiser(stranger);
    const changeForeign = await running(stranger, foreign);
    const all = [await follow(buyer), await follow(buyer), await follow(buyer)];
    const narrowed = await follow(await grantedOnly(server, buyer, one));
    const elsewhere = await follow(await grantedOnly(server, buyer, other));
    const foreigner = await follow(stranger);

    await changeOther('First');
    await changeOne('Second');
    await changeForeign('Third');

    for (const reader of all) {
      expect([await heardBy(reader), await heardBy(reader)]).toEqual([
        { of: other, name: 'First' },
        { of: one, name: 'Second' },
      ]);
    }
    expect(await heardBy(narrowed)).toEqual({ of: one, name: 'Second' });
    expect(await heardBy(elsewhere)).toEqual({ of: other, name: 'First' });
    expect(await heardBy(foreigner)).toEqual({ of: foreign, name: 'Third' });
  });

  test('are made up for by a reader that comes back far behind the others, each once and in order', async () => {
    const buyer = await newPerson(server);
    const change = await running(buyer, await newAdvertiser(buyer));
    const ahead = await follow(buyer);
    await change('Zero');
    const from = await ahead.next();
    const rows = await server.store.db
      .selectFrom('account_events')
      .selectAll()
      .where('organization_id', '=', buyer.organizationId)
      .execute();
    const { sequence: _drawn, ...row } = rows.at(-1) ?? expect.fail('no event was stored');
    const missed = Array.from(
      { length: MISSED },
      (_, index) => `evt_missed.${buyer.organizationId}.${index}`,
    );
    for (const id of missed) {
      const event = { ...row, id, place: null, payload: JSON.stringify({ id }) };
      await server.store.db.insertInto('account_events').values(event).execute();
    }

    const behind = await follow(buyer, from?.id);
    await change('Last');

    for (const reader of [behind, ahead]) {
      const seen = [];
      for (const _ of missed) seen.push((await reader.next())?.payload.id);
      expect(seen).toEqual(missed);
      expect(await heardBy(reader)).toMatchObject({ name: 'Last' });
    }
  });

  test('go to the next reader as well when all who followed have left', async () => {
    const buyer = await newPerson(server);
    const change = await running(buyer, await newAdvertiser(buyer));
    const first = await follow(buyer);
    await change('First');
    const seen = await first.next();
    first.close();

    const second = await follow(buyer, seen?.id);
    await change('Second');

    expect(await heardBy(second)).toMatchObject({ name: 'Second' });
  });

  test('reach a reader who follows also after all that it read was forgotten', async () => {
    const own = await startTestServer({ own: true });
    const buyer = await newPerson(own);
    const { storefrontId: sells } = await openStorefront(await newPerson(own));
    const draft = { advertiserId: await newAdvertiser(buyer), storefrontIds: [sells] };
    const { campaignId } = await draftCampaign(buyer, draft);
    const rename = async (name: string) => done(await buyer.put(`/buyer/campaigns/${campaignId}`, { name }));
    const reader = await readStream(own, buyer, { path: '/buyer/events' });
    for (const name of ['First', 'Second']) {
      await rename(name);
      expect(await heardBy(reader)).toMatchObject({ name });
    }
    const { services } = own.running.app;
    const { clock } = services.ports;
    const { eventDays } = retentionOf(own.config);
    const then = { ...clock, now: () => clock.now() + (eventDays + 1) * DAY_MS };
    await forgetOld({ ...services, ports: { ...services.ports, clock: then } }, retentionOf(own.config));

    await rename('Third');
    // Were it passed over, the stream would end with nothing.
    const heard = heardBy(reader);
    const kept = await readStream(own, buyer, { path: '/buyer/events?follow=false' });
    expect((await kept.rest()).map(({ payload }) => payload.changes.name.to)).toEqual(['Third']);
    await own.stop();

    expect(await heard).toMatchObject({ name: 'Third' });
  });

  test('are kept from a reader from when its grants no longer reach them, while its stream stays open', async () => {
    const buyer = await newPerson(server);
    const [one, other] = [await newAdvertiser(buyer), await newAdvertiser(buyer)];
    const [changeOne, changeOther] = [await running(buyer, one), await running(buyer, other)];
    const key = await buyer.withKey(['buyer:admin']);
    const reader = await follow(key);
    await changeOther('Before');
    expect(await heardBy(reader)).toEqual({ of: other, name: 'Before' });

    await giveGrant(server.operator, {
      organizationId: buyer.organizationId,
      holder: `api_key:${key.keyId}`,
      advertiserId: Number(one),
    });
    // It is asked about within a second: until then it may hear of both.
    let heard = { of: other, name: undefined as unknown };
    for (let round = 0; heard.of === other; round += 1) {
      await changeOther(`Other ${round}`);
      await changeOne(`One ${round}`);
      heard = await heardBy(reader);
      if (heard.of === other) await heardBy(reader);
    }
    await changeOther('After');
    await changeOne('Seen');

    expect(await heardBy(reader)).toEqual({ of: one, name: 'Seen' });
  });
});
