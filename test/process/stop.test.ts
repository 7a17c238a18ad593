import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../support/callers/client.ts';
import { type Member, newMember } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { gate } from '../support/run/gate.ts';
import { beginDiscovery, browse, draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, flightAhead, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { subscribe, subscriptionOf } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, startReceiver } from '../support/server/receiver.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

describe('a stop', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let authority: Authority;
  let service: Service;
  let far: SellerAgent;
  let member: Member;
  let buyer: Client;
  let advertiserId: string;
  let near: { storefrontId: string };
  let remote: { storefrontId: string; agentId: string };

  beforeAll(async () => {
    authority = await newAuthority();
    database = await freshDatabase();
    settings = settingsFor(database, { OUTBOUND_CA_FILE: authority.file });
    far = await startSellerAgent([adcpProduct('far-1')]);
    service = await startService({ folder: database.folder, settings });
    near = await openStorefront((await newMember(settings, 'near')).at(service.url));
    remote = await connectAgent((await newMember(settings, 'far')).at(service.url), far.url);
    member = await newMember(settings, 'buyer');
    advertiserId = await newAdvertiser(member.at(service.url));
    await service.kill();
  });
  beforeEach(async () => {
    service = await startService({ folder: database.folder, settings });
    buyer = member.at(service.url);
    far.on('get_products', () => ({ products: [adcpProduct('far-1')] }));
  });
  afterEach(killServices);
  afterAll(async () => {
    await far.stop();
    await database.drop();
    authority.remove();
  });

  /** One request over a kept connection; tells whether the service wants the connection kept. */
  function readOver(agent: Agent): Promise<{ status: number; closing: boolean; body: string }> {
    return new Promise((resolve, reject) => {
      const url = `${service.url}/api/v2/buyer/advertisers`;
      const headers = { authorization: `Bearer ${member.key}` };
      const sent = request(url, { agent, headers }, (response) => {
        const { statusCode = 0, headers: answered } = response;
        text(response).then(
          (body) => resolve({ status: statusCode, closing: answered.connection === 'close', body }),
          reject,
        );
      });
      sent.on('error', reject).end();
    });
  }

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s under load answers every request it took, cuts none off, and ends with 0',
    async (signal) => {
      const underWay = gate();
      const answered: number[] = [];
      const read = async () => {
        // One connection each, kept from request to request until the service says that it is the last.
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let last = false; !last; ) {
          const { status, closing, body } = await readOver(agent);
          expect(JSON.parse(body).error).toBeNull();
          answered.push(status);
          if (answered.length >= 100) underWay.open();
          last = closing;
        }
        agent.destroy();
      };
      const readers = Promise.all(Array.from({ length: 8 }, read));
      await underWay.passed;

      service.signal(signal);

      await readers;
      expect(new Set(answered)).toEqual(new Set([200]));
      expect(await service.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      await expect(fetch(`${service.url}/health`)).rejects.toThrow('fetch failed');
    },
  );

  test('answers who waits for sellers with what there is, and closes the session', async () => {
    far.on('get_products', () => new Promise(() => {}));
    const storefrontIds = [near.storefrontId, remote.storefrontId];
    const fields = { advertiserId, storefrontIds, waitSeconds: 30 };
    const before = far.calls.length;
    const waiting = buyer.post('/buyer/discovery/discover-products', fields);
    await far.called('get_products', before + 1);

    service.signal('SIGTERM');

    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect(body.data.pendingAgents).toHaveLength(1);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    service = await startService({ folder: database.folder, settings });
    const closed = await browse(member.at(service.url), body.data.discoveryId);
    expect(closed).toMatchObject({
      resultsComplete: true,
      pendingAgents: [],
      incompleteAgents: [
        {
          agentId: remote.agentId,
          reason: 'error',
          message: 'The service was stopped while the seller was being asked.',
        },
      ],
    });
  });

  test('ends event streams, whose readers find the rest after the restart', async () => {
    far.on('get_products', () => new Promise(() => {}));
    const ids = [near.storefrontId, remote.storefrontId];
    const { discoveryId } = await beginDiscovery(buyer, advertiserId, ids);
    await browse(buyer, discoveryId, ({ revision }) => revision === 1);
    const path = `/buyer/discovery/${discoveryId}/events`;
    const stream = await fetch(`${service.url}/api/v2${path}`, {
      headers: { authorization: `Bearer ${member.key}` },
    });

    service.signal('SIGTERM');

    const seen = await stream.text();
    expect(seen).toMatch(/^event: revision\nid: 1\n/);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    service = await startService({ folder: database.folder, settings });
    const rest = await member.at(service.url).send(path, { headers: { 'last-event-id': '1' } });
    expect(rest.text).toMatch(/^event: complete\nid: 2\n/);
  });

  test('waits for an order that is on its way, and its caller hears what came of it', async () => {
    const campaignId = await draftOf(buyer, {
      ...remote,
      advertiserId,
      productId: 'far-1',
      flight: flightAhead(),
    });
    const held = gate();
    far.on('create_media_buy', async () => {
      await held.passed;
      return { media_buy_id: 'far_stop', status: 'active', packages: [] };
    });
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    await far.called('create_media_buy');

    service.signal('SIGTERM');
    await service.says('"msg":"stopping"');
    held.open();

    const { status, body } = await executing;
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    expect(far.calls.filter(({ tool }) => tool === 'create_media_buy')).toHaveLength(1);
  });

  test('waits for a webhook under way, and each of those behind it is sent once', async () => {
    const hook = await startReceiver(authority);
    const held = gate();
    hook.answers((res) => void held.passed.then(() => res.writeHead(204).end()));
    const { id } = await subscribe(buyer, hook.url);
    for (let round = 0; round < 3; round += 1) {
      await beginDiscovery(buyer, advertiserId, [near.storefrontId]);
    }
    await hook.received(1);

    service.signal('SIGTERM');
    await service.says('"msg":"stopping"');
    held.open();
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    service = await startService({ folder: database.folder, settings });
    await hook.received(3);

    await hook.stop();
    const told = hook.deliveries.map(({ payload }) => payload.discoveryId);
    expect(new Set(told).size).toBe(3);
    const subscription = await subscriptionOf(member.at(service.url), id);
    expect(subscription).toMatchObject({ failureCount: 0, lastFailure: null });
  });

  test.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ] as const)('by %s that takes too long is cut short by %s, which says so with 1', async (first, second) => {
    const campaignId = await draftOf(buyer, {
      ...remote,
      advertiserId,
      productId: 'far-1',
      flight: flightAhead(),
    });
    const before = far.calls.filter(({ tool }) => tool === 'create_media_buy').length;
    far.on('create_media_buy', () => new Promise(() => {}));
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`).catch(() => 'no answer');
    await far.called('create_media_buy', before + 1);

    service.signal(first);
    await service.says('"msg":"stopping"');
    service.signal(second);

    expect(await service.ended).toMatchObject({ code: 1, signal: null });
    expect(await executing).toBe('no answer');
  });
});
