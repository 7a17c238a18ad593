import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../adapters/signup/endpoints.ts';
import { openOrClose } from '../../tools/domain/admission/operating.ts';
import { clientFor } from '../support/callers/client.ts';
import { newNewcomer } from '../support/callers/newcomers.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { countRows, grown } from '../support/database/row-counts.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const changes = endpoints.filter(({ method }) => method === 'POST');
const addressOf = (path: string) => path.replace('/api/v2', '').replace('{slug}', 'acme-media');
const bodyOf = ({ example }: (typeof endpoints)[number]) => {
  const { slug: _slug, ...body } = example;
  return body;
};

describe('signing up over REST', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    await openOrClose(server.operator, { name: 'buyers', isOpen: true });
  });
  afterAll(() => server.stop());

  test.each(changes.map((endpoint) => [endpoint.path, endpoint] as const))(
    'takes no key for a repeat at %s, says why, and makes nothing',
    async (path, endpoint) => {
      const newcomer = await newNewcomer(server);
      const before = await countRows(server.store);
      for (const key of ['one', 'two words']) {
        const reply = await newcomer.send(addressOf(path), {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify(bodyOf(endpoint)),
        });

        expectRefusal(reply, 400, {
          code: 'VALIDATION_ERROR',
          at: {
            'Idempotency-Key':
              'Signing up takes no key: one belongs to an account, and this is done outside of all.',
          },
        });
      }
      expect(grown(before, await countRows(server.store))).toEqual({});
    },
  );

  test('keeps the reason of a person in the log of what is made', async () => {
    const newcomer = await newNewcomer(server);
    const reply = await newcomer.post('/signup/buyers', { name: 'Engines', reason: 'We begin in spring.' });
    const chosen = await newcomer.post('/signup/starting-points', {
      choice: 'api',
      reason: 'We write code.',
    });

    expect([reply.status, chosen.status]).toEqual([201, 200]);
    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select(['tool', 'reason'])
      .where('organization_id', '=', reply.body.data.organization.id)
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { tool: 'signup_buyer', reason: 'We begin in spring.' },
      { tool: 'signup_start', reason: 'We write code.' },
    ]);
  });

  test.each([
    ['of nothing', ' '],
    ['beyond a thousand characters', 'x'.repeat(1_001)],
  ])('refuses a reason %s', async (_, reason) => {
    const newcomer = await newNewcomer(server);

    expectRefusal(await newcomer.post('/signup/buyers', { name: 'Engines', reason }), 400, {
      code: 'VALIDATION_ERROR',
      at: { reason: 'Give 1 to 1000 characters, none of them hidden.' },
    });
  });

  test.each(
    changes.filter(({ needsPerson }) => !needsPerson).map(({ path, example }) => [path, example] as const),
  )('has no log that could keep a reason at %s, and says so', async (path, example) => {
    const reply = await clientFor(server.url).post(addressOf(path), { ...example, reason: 'Because.' });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { reason: /^Of a request for a preview no audit log has an entry that could keep it: / },
    });
  });
});
