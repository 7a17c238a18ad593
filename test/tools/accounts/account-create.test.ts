import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/managers.ts';
import { newPerson } from '../../support/people.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('account_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 201 with an account below, whose agreement and people are those above it', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);

    const reply = await admin.post('/buyer/accounts/create-child', {
      name: 'Nordics',
      customerRole: 'BUYER',
    });

    expect(reply.status).toBe(201);
    const { id } = reply.body.data;
    expect(reply.body.data).toMatchObject({ company: 'Nordics', parentId: organizationId });
    expect((await admin.post(`/accounts/${id}/switch`, {})).body.data).toMatchObject({ role: 'SUPER_ADMIN' });
    const lamp = { name: 'Lamps', brand: 'lamps.example', saveBrand: true, primaryCurrency: 'USD' };
    expect((await admin.post('/buyer/advertisers', lamp)).status).toBe(201);
  });

  test('answers CONFLICT below the fifth', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const below = { name: 'Below', customerRole: 'BUYER' };
    for (let depth = 2; depth <= 5; depth += 1) {
      const { id } = (await admin.post('/buyer/accounts/create-child', below)).body.data;
      await admin.post(`/accounts/${id}/switch`, {});
    }

    const reply = await admin.post('/buyer/accounts/create-child', below);

    expectRefusal(reply, 409, { code: 'CONFLICT' });
  });
});
