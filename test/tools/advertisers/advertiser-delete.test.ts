import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('advertiser_delete', () => {
  const between = writesBetween('advertiser_delete');
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  const entries = async () => done(await buyer.get('/buyer/audit-logs')).logs;

  describe('204', () => {
    test('archives without a word: lists leave it out, and what it has stays', async () => {
      const advertiserId = await newAdvertiser(buyer);
      const path = `/buyer/advertisers/${advertiserId}`;
      const campaign = { advertiserId, name: 'Winter', flightDates, budget: { total: 100 } };
      const { campaignId } = done(await buyer.post('/buyer/campaigns', campaign)).campaign;

      const reply = await buyer.delete(path);

      expect(reply.status).toBe(204);
      expect(reply.text).toBe('');
      expect(done(await buyer.get('/buyer/advertisers')).items).toEqual([]);
      expect(done(await buyer.get(path)).status).toBe('ARCHIVED');
      expect((await buyer.get(`/buyer/campaigns/${campaignId}`)).status).toBe(200);
      const refused = await buyer.post('/buyer/campaigns', campaign);
      expectRefusal(refused, 409, { code: 'CONFLICT', words: 'The advertiser is archived.' });
      expect(refused.body.error.details.suggestion).toContain('advertiser_restore');
    });

    test('is logged as archiving, and once: the second time nothing changes', async () => {
      const path = `/buyer/advertisers/${await newAdvertiser(buyer)}`;
      await buyer.delete(path);
      const [last, ...before] = await entries();

      expect((await buyer.delete(path)).status).toBe(204);

      expect(last).toMatchObject({
        action: 'ARCHIVE',
        changes: { status: { from: 'ACTIVE', to: 'ARCHIVED' } },
      });
      expect(await entries()).toHaveLength(before.length + 1);
    });
  });

  describe('409', () => {
    test('CONFLICT when somebody writes in the meantime', async () => {
      const path = `/buyer/advertisers/${await newAdvertiser(buyer)}`;
      between.next(() => buyer.put(path, { name: 'First' }));

      const reply = await buyer.delete(path);

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The advertiser was changed by somebody else in the meantime.',
      });
      expect(done(await buyer.get(path))).toMatchObject({ name: 'First', status: 'ACTIVE' });
    });
  });
});
