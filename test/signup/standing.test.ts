import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suspendOrganization, suspendPerson } from '../../tools/domain/organizations/operator-decisions.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newNewcomer } from '../support/callers/newcomers.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('whoever the operator stops', () => {
  let server: TestServer;
  let clock: SkippingClock;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({
      clock,
      settings: { TRUSTED_PROXIES: '127.0.0.0/8', SIGNUPS_PER_HOUR: '2' },
    });
  });
  afterAll(() => server.stop());

  test('is refused from the next call on, with its accounts, and goes on when it may again', async () => {
    const person = await newPerson(server);
    const { organizationId } = person;
    const below = await createOrganization(server.operator, {
      name: 'Below',
      parentId: organizationId,
      roles: ['BUYER'],
    });
    const admin = await managerOf(server, below.organization.id);
    const ask = async () =>
      [await person.get('/buyer/advertisers'), await admin.get('/buyer/advertisers')] as const;

    await suspendOrganization(server.operator, { organizationId, isSuspended: true });
    const [byKey, byPerson] = await ask();
    await suspendOrganization(server.operator, { organizationId, isSuspended: false });

    const words = 'The credential is unknown, expired or revoked.';
    expectRefusal(byKey, 401, { code: 'UNAUTHORIZED', words });
    expectRefusal(byPerson, 401, { code: 'UNAUTHORIZED', words: 'This call needs a credential.' });
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('goes on without the account below that was stopped by itself', async () => {
    const { parent, child, suspend, ask } = await family();
    await suspend(child, true);
    await suspend(parent, true);

    expect(await suspend(parent, false)).toEqual([parent]);

    expect(await ask()).toEqual([200, 401]);
    expect(await suspend(child, false)).toEqual([child]);
    expect(await ask()).toEqual([200, 200]);
  });

  test('keeps an account stopped that was stopped by itself after its parent', async () => {
    const { parent, child, suspend, ask } = await family();
    expect(await suspend(parent, true)).toEqual([parent, child]);
    await suspend(child, true);

    await suspend(parent, false);

    expect(await ask()).toEqual([200, 401]);
    expect(await suspend(parent, false)).toEqual([]);
  });

  test('is an account too that is made below it meanwhile, and goes on with it', async () => {
    const { parent, suspend } = await family();
    await suspend(parent, true);
    const late = await createOrganization(server.operator, {
      name: 'Late',
      parentId: parent,
      roles: ['BUYER'],
    });
    const admin = await managerOf(server, late.organization.id);

    const stopped = await admin.get('/buyer/advertisers');
    await suspend(parent, false);

    expectRefusal(stopped, 401, { code: 'UNAUTHORIZED', words: 'This call needs a credential.' });
    expect((await admin.get('/buyer/advertisers')).status).toBe(200);
  });

  /** An organization with an account below it, and somebody in each. */
  async function family() {
    const person = await newPerson(server);
    const parent = person.organizationId;
    const below = await createOrganization(server.operator, {
      name: 'Below',
      parentId: parent,
      roles: ['BUYER'],
    });
    const child = below.organization.id;
    const admin = await managerOf(server, child);
    const suspend = (organizationId: number, isSuspended: boolean) => {
      clock.skip(1_000);
      return suspendOrganization(server.operator, { organizationId, isSuspended });
    };
    const ask = async () => {
      const replies = [await person.get('/buyer/advertisers'), await admin.get('/buyer/advertisers')];
      return replies.map(({ status }) => status);
    };
    return { parent, child, suspend, ask };
  }

  test('is stopped as a person everywhere', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);

    await suspendPerson(server.operator, { email: admin.email, isSuspended: true });

    expectRefusal(await admin.get('/members'), 401, {
      code: 'UNAUTHORIZED',
      words: 'This call needs a credential.',
    });
    expectRefusal(await admin.post('/signup/buyers', { name: 'Other' }), 401, {
      code: 'UNAUTHORIZED',
      words: 'Sign in first: this is done by a person at a browser.',
    });
  });

  test('may ask so often from one address whether somebody may sign up', async () => {
    const newcomer = await newNewcomer(server);
    const ask = () =>
      newcomer.send('/signup/email-availability?email=ada@acme.example', {
        headers: { 'x-forwarded-for': '198.51.100.7' },
      });

    const replies = [await ask(), await ask(), await ask()];

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test('sees the pages of the way in, which frame nothing and say what is open', async () => {
    const newcomer = await newNewcomer(server);
    for (const path of ['/start', '/start/advertiser', '/start/storefront', '/terms', '/join/nowhere']) {
      const page = await newcomer.send(`${server.url}${path}`, {});
      expect([path, page.status]).toEqual([path, path === '/join/nowhere' ? 404 : 200]);
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(page.text).not.toMatch(/price|signup.?code/i);
    }
    const stranger = await fetch(`${server.url}/start`, { redirect: 'manual' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/sign-in?return_to=%2Fstart']);
  });
});
