import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('browser_origin_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 204, and the next call of a page is refused', async () => {
    const person = await newPerson(server);
    const admin = await managerOf(server, person.organizationId);
    const origin = `https://gone-${person.organizationId}.example`;
    const { id } = (await admin.post('/buyer/browser-origins', { origin })).body.data;

    const reply = await admin.delete(`/buyer/browser-origins/${id}`);

    expect(reply.status).toBe(204);
    const call = await person.send('/buyer/advertisers', { headers: { origin } });
    expectRefusal(call, 403, { code: 'FORBIDDEN', words: 'The page that calls is of another origin.' });
    expectRefusal(await admin.delete(`/buyer/browser-origins/${id}`), 404, {
      code: 'NOT_FOUND',
      words: 'No such browser origin.',
    });
  });
});
