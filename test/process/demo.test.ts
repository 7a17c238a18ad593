import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../adapters/ports/clock.ts';
import { openMarket } from '../../demo/marketplace.ts';
import { makeCertificate, type Receiver, startReceiver } from '../../demo/receiver.ts';
import { type DemoSellers, startSellers } from '../../demo/sellers.ts';
import { type Outcome, walk } from '../../demo/walk.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the whole job, with sellers of another project', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let sellers: DemoSellers;
  let server: TestServer;
  let outcome: Outcome;
  const lines: string[] = [];
  beforeAll(async () => {
    database = await freshDatabase();
    const certificate = await makeCertificate(database.folder);
    receiver = await startReceiver(certificate);
    sellers = await startSellers();
    server = await startTestServer({
      database,
      // The sellers live in our time and would not take a flight of another.
      clock: systemClock,
      settings: {
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
        SELLER_ALLOWED_ORGANIZATIONS: '*',
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        OUTBOUND_CA_FILE: certificate.file,
      },
    });
    const { url, operator } = server;
    const { buyerKey } = await openMarket({ url, operator }, sellers);
    outcome = await walk({
      url,
      buyerKey,
      sellers: sellers.sellers,
      receiver,
      say: (line) => lines.push(line),
    });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await sellers?.stop();
    await receiver?.stop();
    await database?.drop();
  });

  test('shows revisions one after the other while answers land', () => {
    const rising = outcome.revisions.every((revision, index, all) => revision > (all[index - 1] ?? 0));
    expect(outcome.revisions.length).toBeGreaterThan(0);
    expect(rising).toBe(true);
  });

  test('buys from the guaranteed and from the non-guaranteed seller, one media buy each', () => {
    expect(outcome.chosen).toHaveLength(2);
    const bought = outcome.buys.map(({ seller }) => seller).sort();
    expect(bought).toEqual(['Guaranteed Publisher agent', 'Open Exchange agent']);
  });

  test('finds each buy again at the seller itself', () => {
    for (const { atSeller } of outcome.buys) {
      expect(atSeller.mediaBuyId).toMatch(/^ord_/);
      expect(atSeller.status).toMatch(/^(active|pending_\w+)$/);
    }
  });

  test('names the dead seller among the incomplete agents, and the social one, which sells no products', () => {
    const byName = Object.fromEntries(outcome.incomplete.map((agent) => [agent.agentName, agent]));
    expect(Object.keys(byName).sort()).toEqual(['Closed Kiosk agent', 'Social Network agent']);
    expect(byName['Closed Kiosk agent']).toMatchObject({
      reason: 'error',
      message: 'The seller could not be reached.',
    });
  });

  test('sends the final revision to the webhook, with a signature that fits', () => {
    expect(outcome.webhook).toEqual({ signed: true, revision: outcome.revisions.at(-1) });
  });

  test('tells its user what happens', () => {
    expect(lines.join('\n')).toContain('Executed: the campaign is ACTIVE, 2 sellers took the order.');
  });
});
