import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { clientFor } from '../support/callers/client.ts';
import { newLegacyKey } from '../support/callers/legacy-keys.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** One more than a list gives at once. */
const MANY = 101;

describe('a page of settings shows everything, also more than a list gives at once', () => {
  let server: TestServer;
  let owner: Person;
  beforeAll(async () => {
    server = await startTestServer();
    owner = await newPerson(server);
  });
  afterAll(() => server.stop());

  /** Makes so many of something, one after the other; each is told its number. */
  async function makeMany(make: (count: number) => Promise<unknown>): Promise<void> {
    for (let count = 1; count <= MANY; count += 1) await make(count);
  }

  async function pageOf(section: string): Promise<string> {
    const { credential } = await newBrowser(server, owner.organizationId, 'ADMIN');
    const { status, text } = await clientFor(server.url, credential).get(`${server.url}/settings/${section}`);
    expect(status).toBe(200);
    return text;
  }

  test('of keys', async () => {
    const { organizationId } = owner;
    await makeMany((count) =>
      createKey(server.operator, { organizationId, name: `Key no ${count}.`, permissions: ['buyer:read'] }),
    );

    expect(await pageOf('keys')).toContain('Key no 1.');
  });

  test('of legacy keys', async () => {
    await makeMany((count) => newLegacyKey(server, owner, { name: `Key no ${count}.` }));

    expect(await pageOf('legacy-keys')).toContain('Key no 1.');
  });
});
