import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newApplication } from '../../support/callers/applications.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('m2m_application_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 lists the applications of the organization, without secrets, and of no other', async () => {
    const [one, other] = [await newPerson(server), await newPerson(server)];
    const made = await newApplication(server, one);
    await newApplication(server, other);

    const list = await clientFor(server.url, await one.browser()).get('/m2m-applications');

    expect(list.status).toBe(200);
    expect(list.body.data).toMatchObject({ total: 1, applications: [{ id: made.id }] });
    expect(list.text).not.toContain(made.clientSecret.slice(-4));
  });
});
