import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('accept_tos', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with the agreement, and gives the same when it is accepted again', async () => {
    const { organizationId } = await newPerson(server, { terms: false });
    const admin = await managerOf(server, organizationId, 'ADMIN');

    const first = await admin.post('/accept-tos', {});
    const again = await admin.post('/accept-tos', { version: '1' });

    expect(first.status).toBe(200);
    expect(first.body.data.acceptance).toMatchObject({ organizationId, acceptedByUserId: admin.userId });
    expect(again.body.data).toEqual(first.body.data);
  });

  test('answers CONFLICT for a version that is not in force', async () => {
    const { organizationId } = await newPerson(server, { terms: false });

    const reply = await (await managerOf(server, organizationId)).post('/accept-tos', { version: 'old' });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { version: 'Version old of the terms is not the one in force.' },
    });
  });
});
