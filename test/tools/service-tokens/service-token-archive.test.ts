import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { newServiceToken } from '../../support/callers/service-tokens.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('service_token_archive', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 gives id and archivedAt, twice the same, and the token stops working', async () => {
    const owner = await newPerson(server);
    const { record, bearer } = await newServiceToken(server, owner);

    const { status, body } = await owner.delete(`/service-tokens/${record.id}`);
    const again = await owner.delete(`/service-tokens/${record.id}`);

    expect(status).toBe(200);
    expect(body.data).toEqual({ id: record.id, archivedAt: expect.any(String) });
    expect(again.body.data).toEqual(body.data);
    expect((await clientFor(server.url, bearer).get('/buyer/campaigns')).status).toBe(401);
  });

  test('the log goes on naming the token and the person behind it', async () => {
    const owner = await newPerson(server);
    const { record, bearer, maker } = await newServiceToken(server, owner, {
      name: 'Worker',
      role: 'READ_WRITE',
    });
    await clientFor(server.url, bearer).post('/buyer/advertisers', {
      name: 'Acme',
      brand: 'acme.example',
      saveBrand: true,
      primaryCurrency: 'USD',
    });
    await owner.delete(`/service-tokens/${record.id}`);

    const logs = await owner.get('/buyer/audit-logs?detail=full&resourceTypes=ADVERTISER&take=1');

    expect(logs.body.data.logs[0]).toMatchObject({
      tool: 'advertiser_create',
      userEmail: maker.email,
      serviceTokenId: record.id,
      serviceTokenName: 'Worker',
      actorOrigin: 'autonomous',
    });
  });
});
