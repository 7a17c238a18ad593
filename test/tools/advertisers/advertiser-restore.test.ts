import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('advertiser_restore', () => {
  const between = writesBetween('advertiser_restore');
  let server: TestServer;
  let buyer: Person;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
    buyer = await newPerson(server);
    path = `/buyer/advertisers/${await newAdvertiser(buyer)}`;
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('brings back what was archived, as it was', async () => {
      const before = done(await buyer.get(path));
      await buyer.delete(path);

      const { status, body } = await buyer.post(`${path}/restore`, {});

      expect(status).toBe(200);
      expect(body.data).toEqual({ ...before, revision: 3, updatedAt: expect.any(String) });
      expect(done(await buyer.get('/buyer/advertisers')).items).toHaveLength(1);
    });

    test('answers for one that is active, and changes nothing', async () => {
      const before = done(await buyer.get(path));

      expect(done(await buyer.post(`${path}/restore`, {}))).toEqual(before);
    });
  });

  describe('409', () => {
    test('CONFLICT when somebody writes in the meantime', async () => {
      await buyer.delete(path);
      between.next(() => buyer.put(path, { name: 'First' }));

      const reply = await buyer.post(`${path}/restore`, {});

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The advertiser was changed by somebody else in the meantime.',
      });
      expect(done(await buyer.get(path))).toMatchObject({ name: 'First', status: 'ARCHIVED' });
    });
  });
});
