import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../support/callers/client.ts';
import { newMember } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type Gate, gate } from '../support/run/gate.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

/** Has the process fail when it is told to: SIGUSR2 is a promise, SIGWINCH an exception. */
const PRELOAD = join(import.meta.dirname, '..', 'support', 'run', 'uncaught-preload.mjs');

describe('what nobody caught', () => {
  let database: TestDatabase;
  let far: SellerAgent;
  let service: Service;
  let buyer: Client;
  let campaignId: string;
  let held: Gate;

  beforeAll(async () => {
    database = await freshDatabase();
    far = await startSellerAgent([adcpProduct('far-1')]);
  });
  beforeEach(async () => {
    held = gate();
    const settings = settingsFor(database);
    service = await startService({ folder: database.folder, settings, node: ['--import', PRELOAD] });
    const remote = await connectAgent((await newMember(settings, 'far')).at(service.url), far.url);
    buyer = (await newMember(settings, 'buyer')).at(service.url);
    const advertiserId = await newAdvertiser(buyer);
    campaignId = await draftOf(buyer, { ...remote, advertiserId, productId: 'far-1', flight: flightAhead() });
    far.on('create_media_buy', async () => {
      await held.passed;
      return { media_buy_id: 'far_caught', status: 'active', packages: [] };
    });
  });
  afterEach(killServices);
  afterAll(async () => {
    await far.stop();
    await database.drop();
  });

  const countOrders = () => far.calls.filter(({ tool }) => tool === 'create_media_buy').length;

  test('of a promise is logged, and the service goes on with what is under way and what comes', async () => {
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    await far.called('create_media_buy', countOrders() + 1);

    service.signal('SIGUSR2');
    await service.says('a promise failed that nobody waited for');
    const other = await buyer.get(`/buyer/campaigns/${campaignId}`);
    held.open();

    expect(service.output()).toContain('A promise that nobody waits for.');
    expect(other.status).toBe(200);
    expect((await executing).body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('of an exception stops the service in order: what is under way is answered, and it ends with 1', async () => {
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    await far.called('create_media_buy', countOrders() + 1);

    service.signal('SIGWINCH');
    await service.says('"msg":"stopping"');
    held.open();

    expect((await executing).body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(await service.ended).toMatchObject({ code: 1, signal: null, stderr: '' });
    expect(service.output()).toContain('An exception that nobody catches.');
    await expect(fetch(`${service.url}/health`)).rejects.toThrow('fetch failed');
  });

  test.each([
    ['a signal', ['SIGWINCH', 'SIGTERM']],
    ['an exception', ['SIGTERM', 'SIGWINCH']],
  ] as const)('in a stop that goes on leaves it its time, where it is %s', async (_, [first, second]) => {
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    await far.called('create_media_buy', countOrders() + 1);
    service.signal(first);
    await service.says('"msg":"stopping"');

    service.signal(second);
    await service.says('meanwhile');
    held.open();

    expect((await executing).body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(await service.ended).toMatchObject({ code: 1, signal: null, stderr: '' });
  });

  test('twice ends the service at once', async () => {
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`).catch(() => 'cut off');
    await far.called('create_media_buy', countOrders() + 1);
    service.signal('SIGWINCH');
    await service.says('"msg":"stopping"');

    service.signal('SIGWINCH');

    expect(await service.ended).toMatchObject({ code: 1, signal: null });
    held.open();
    expect(await executing).toBe('cut off');
  });
});
