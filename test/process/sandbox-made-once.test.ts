import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedSandbox } from '../../adapters/sandbox/sandbox.ts';
import { listOrganizations } from '../../store/unscoped/organizations.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a sandbox that several processes make at once', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  test('is made by one of them, and the others find it made', async () => {
    const { services } = server.running.app;

    const keys = await Promise.all([1, 2, 3].map(() => seedSandbox(services)));

    expect(keys.filter((key) => key !== undefined)).toEqual([expect.stringMatching(/^rialtok_test_/)]);
    expect(await listOrganizations(server.store.db)).toHaveLength(1);
  });
});
