import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manyMoreLike } from '../support/buying/many-advertisers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const AT_ONCE = 40;
const LIST = '/buyer/advertisers?name=nobody';

describe('an organization with long lists and many calls', () => {
  let server: TestServer;
  let large: Person;
  let small: Person;
  beforeAll(async () => {
    server = await startTestServer({
      settings: { DATABASE_ASIDE_BYTES: '0', DATABASE_LISTS_WAITING_PER_ORGANIZATION: '4' },
    });
    [large, small] = [await newPerson(server), await newPerson(server)];
    const id = Number(await newAdvertiser(large));
    const first = await server.store.db
      .selectFrom('advertisers')
      .selectAll()
      .where('id', '=', id)
      .where('organization_id', '=', large.organizationId)
      .executeTakeFirstOrThrow();
    await manyMoreLike(server.store, first, 20_000);
  });
  afterAll(() => server.stop());

  test('is told to come back with some of them, and nobody else is', async () => {
    const theirs = Array.from({ length: AT_ONCE }, () => large.get('/buyer/advertisers?take=1&skip=19000'));
    const ours = await Promise.all([small.get(LIST), small.get('/buyer/advertisers')]);
    const replies = await Promise.all(theirs);

    expect(ours.map(({ status }) => status)).toEqual([200, 200]);
    const [answered, refused] = [200, 503].map((wanted) => replies.filter(({ status }) => status === wanted));
    expect(answered).not.toEqual([]);
    expect(refused).not.toEqual([]);
    expect(replies).toHaveLength((answered?.length ?? 0) + (refused?.length ?? 0));
    for (const reply of refused ?? []) {
      expectRefusal(reply, 503, {
        code: 'SERVICE_UNAVAILABLE',
        words: 'The database cannot do this at present.',
      });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});
