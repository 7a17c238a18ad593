import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { type EventReader, readStream } from '../support/callers/event-reader.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { eventually } from '../support/run/eventually.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { openSocket, readToEnd, requestText } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** Together far more than the system takes on for a reader that pauses. */
const EVENTS = 300;
const EVENT_BYTES = 100_000;

const WAYS = [
  ['everything that is kept', (from: string) => `/buyer/events?follow=false&after=${from}`],
  ['what was missed, and what follows', (from: string) => `/buyer/events?after=${from}`],
] as const;

describe.each(WAYS)('a reader that pauses over %s', (_, pathAfter) => {
  let server: TestServer;
  let storefrontId: string;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { STREAMS_PER_ACCOUNT: '2' } });
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  });

  /** An event of a campaign of this advertiser, which its reader has read, and a way to make another. */
  async function changed(buyer: Person) {
    const advertiserId = await newAdvertiser(buyer);
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    const change = async (name: string) => done(await buyer.put(`/buyer/campaigns/${campaignId}`, { name }));
    return { advertiserId, change };
  }

  /** Stores long events of an advertiser that has one already. */
  async function storeMany({ organizationId }: Person, advertiserId: string): Promise<void> {
    const { db } = server.store;
    const rows = await db
      .selectFrom('account_events')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('advertiser_id', '=', Number(advertiserId))
      .execute();
    const { sequence: _drawn, ...row } = rows.at(-1) ?? expect.fail('no event was stored');
    const long = 'x'.repeat(EVENT_BYTES);
    for (let index = 0; index < EVENTS; index += 1) {
      const id = `evt_long.${organizationId}.${index}`;
      const payload = JSON.stringify({ id, advertiserId, long });
      await db
        .insertInto('account_events')
        .values({ ...row, id, place: null, payload })
        .execute();
    }
  }

  /** A reader that takes nothing of what is sent to it, from when the service has sent all that it can. */
  async function pausing({ key }: Pick<Person, 'key'>, path: string): Promise<Socket> {
    const socket = await openSocket(server.url);
    sockets.push(socket);
    socket.write(requestText(`GET /api/v2${path}`, { Authorization: `Bearer ${key}` }));
    await new Promise((resolve) => socket.once('readable', resolve));
    return socket;
  }

  const longOnes = (text: string) => text.match(/^id: evt_long\./gm)?.length ?? 0;

  async function beginning() {
    const buyer = await newPerson(server);
    const [one, other] = [await changed(buyer), await changed(buyer)];
    const witness = await readStream(server, buyer, { path: '/buyer/events' });
    await one.change('One');
    await other.change('Other');
    const first = await witness.next();
    await witness.next();
    witness.close();
    const { advertiserId } = other;
    await storeMany(buyer, advertiserId);
    return { buyer, one, other, path: pathAfter(String(first?.id)) };
  }

  test('is sent nothing more once its key is revoked, but why', async () => {
    const { buyer, path } = await beginning();
    const reader = await buyer.withKey(['buyer:read']);
    const socket = await pausing(reader, path);

    await revokeKey(server.operator, { organizationId: buyer.organizationId, id: reader.keyId });
    // It has its seat until the service knows.
    const seats = async () => {
      const readers = [];
      for (let count = 0; count < 2; count += 1) {
        readers.push(await readStream(server, buyer, { path: '/buyer/events' }));
      }
      for (const one of readers) one.close();
      expect(readers.map(({ status }) => status)).toEqual([200, 200]);
    };
    await eventually(seats);
    const text = (await readToEnd(socket)).toString();

    expect(longOnes(text)).toBeLessThan(EVENTS / 2);
    expect(text).toContain('event: error');
    expect(text).toContain('"UNAUTHORIZED"');
  });

  test('is sent nothing more of an advertiser from when its grants no longer reach it', async () => {
    const { buyer, one, other, path } = await beginning();
    const third = await changed(buyer);
    const reader = await buyer.withKey(['buyer:read']);
    const socket = await pausing(reader, path);
    // Asked about in the same round, after the one that pauses; by itself only while it is new.
    const witness = await readStream(server, reader, { path: '/buyer/events' });
    const grant = (advertiserId: string) =>
      giveGrant(server.operator, {
        organizationId: buyer.organizationId,
        holder: `api_key:${reader.keyId}`,
        advertiserId: Number(advertiserId),
      });

    await grant(one.advertiserId);
    while (await isHeard(witness, other, one));
    await grant(third.advertiserId);
    while (!(await isHeard(witness, third, one)));
    witness.close();
    await one.change('Seen');
    const text = await readUntil(socket, '"to":"Seen"');

    expect(longOnes(text)).toBeLessThan(EVENTS / 2);
  });
});

interface Changed {
  readonly advertiserId: string;
  change(name: string): Promise<unknown>;
}

let names = 0;

/** Whether the witness hears of one, which is changed just before another that it always hears of. */
async function isHeard(witness: EventReader, one: Changed, always: Changed): Promise<boolean> {
  names += 1;
  await one.change(`Name ${names}`);
  await always.change(`Name ${names}`);
  const heard = await witness.next();
  if (heard?.payload.advertiserId !== one.advertiserId) return false;
  await witness.next();
  return true;
}

/** What has come when this has, or when the connection is closed. */
async function readUntil(socket: Socket, last: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of socket) {
    parts.push(part);
    if (Buffer.concat(parts.slice(-2)).includes(last)) break;
  }
  return Buffer.concat(parts).toString();
}
