import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openOrClose, startPilot } from '../../tools/domain/admission/operating.ts';
import { type BrowserClient, browserClient, hiddenIn } from '../support/callers/browser-client.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount } from '../support/callers/signed-in.ts';
import { countRows, grown } from '../support/database/row-counts.ts';
import { openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PREVIEW = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines & Sons',
  role: 'agency',
  markets: 'US, FR',
  channels: 'ctv',
  pilot_budget: 'around 20,000 USD',
  pilot_timing: 'later',
  self_service_experience: 'yes',
};

describe('the forms of the way in', () => {
  let server: TestServer;
  let ada: BrowserClient & { readonly email: string };
  beforeAll(async () => {
    server = await startTestServer({
      own: true,
      settings: { MAILS_PER_IP: '1000', SIGNUPS_PER_HOUR: '1000' },
    });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    for (const name of ['buyers', 'storefront_accounts', 'plans'] as const) await open(name, false);
    ada = await newAccount(server);
  });

  const open = (name: 'buyers' | 'storefront_accounts' | 'plans', isOpen = true) =>
    openOrClose(server.operator, { name, isOpen });
  const writtenBy = async (work: () => Promise<unknown>) => {
    const before = await countRows(server.store);
    await work();
    return grown(before, await countRows(server.store));
  };

  test('take a request for a preview while buyers are not let in, and say which of the two it led to', async () => {
    const listed = await ada.submit('/start/advertiser', PREVIEW);
    await startPilot(server.operator, { country: 'US', channel: 'ctv' });
    const reviewed = await ada.submit('/start/advertiser', PREVIEW);

    const rows = await server.store.db
      .selectFrom('preview_requests')
      .selectAll()
      .where('email', '=', ada.email)
      .orderBy('id')
      .execute();
    expect(listed.text).toContain('on the launch list for US, FR');
    expect(reviewed.text).toContain('We look at what you wrote');
    expect(rows.map(({ route }) => route)).toEqual(['launch_list', 'solutions_review']);
    expect(rows[0]).toMatchObject({ company: 'Engines & Sons', org_type: 'agency', pilot_timing: 'later' });
    expect((await ada.get('/settings/organizations')).text).toContain('You are in no organization yet');
  });

  test('lose nothing of what was typed when something is wrong, and write nothing', async () => {
    let shown = await ada.get('/start/advertiser');
    const written = await writtenBy(async () => {
      shown = await ada.submit('/start/advertiser', { ...PREVIEW, markets: 'Atlantis' });
    });

    expect(shown.status).toBe(400);
    expect(shown.text).toContain('role="alert"');
    expect(shown.text).toContain('value="Engines &amp; Sons"');
    expect(shown.text).toContain('value="Atlantis"');
    expect(shown.text).toContain('<option value="agency" selected>');
    expect(shown.text).toContain('name="channels" value="ctv" checked');
    expect(shown.text).toContain('name="self_service_experience" value="yes" checked');
    expect(written).not.toHaveProperty('preview_requests');
  });

  test('make a company that the person administers once buyers are let in, with three ways to begin', async () => {
    await open('buyers');

    const made = await ada.submit('/start/advertiser', { name: 'Engines' });
    const organizations = await ada.get('/settings/organizations');

    expect(made.status).toBe(200);
    for (const path of ['/settings', '/docs', '/llms.txt']) expect(made.text).toContain(`href="${path}"`);
    expect(organizations.text).toContain('Engines');
    expect(organizations.text).toContain('you work here now');
    expect((await ada.get('/settings/members')).text).toContain(ada.email);
    expect((await ada.get('/api/v2/buyer/advertisers')).status).toBe(200);
  });

  test('say that a company needs a name, and that a plan is not chosen here', async () => {
    await open('buyers');

    const nameless = await ada.submit('/start/advertiser', { name: '  ' });
    const planned = await ada.submit('/start/advertiser', { name: 'Engines', plan: 'gold' });

    expect([nameless.status, planned.status]).toEqual([400, 400]);
    expect(nameless.text).toContain('Give the name of your company');
    expect(planned.text).toContain('value="Engines"');
    expect((await ada.get('/settings/organizations')).text).toContain('no organization yet');
  });

  test('make a storefront account where that is open, and only with the terms accepted', async () => {
    const closed = await ada.get('/start/storefront');
    const version = 'termsVersion';
    const forced = await ada.submit('/start/storefront', { name: 'Seller', accept: 'yes', [version]: '1' });
    await open('storefront_accounts');
    const without = await ada.submit('/start/storefront', { name: 'Seller' });
    const done = await ada.submit('/start/storefront', { name: 'Seller', accept: 'yes' });

    expect(closed.text).not.toContain('name="accept"');
    expect(forced.status).toBeGreaterThanOrEqual(400);
    expect(without.status).toBe(400);
    expect(without.text).toContain('needs the terms to be accepted');
    expect([done.status, done.location]).toEqual([303, '/settings/organizations?done=chosen']);
    expect((await ada.get('/settings/organizations')).text).toContain('Seller');
  });

  test('accept the terms for the company that was just made', async () => {
    await open('buyers');
    await ada.submit('/start/advertiser', { name: 'Engines' });
    const before = await ada.get('/terms');

    const accepted = await ada.submit('/terms', {});
    const after = await ada.get('/terms?done=1');

    expect(before.text).toContain('Accept for my organization');
    expect(accepted.location).toBe('/terms?done=1');
    expect(after.text).toContain('has accepted the terms');
    expect(after.text).not.toContain('Accept for my organization');
  });

  test('join a seller by its link, with a name, and show no other company by it', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const { slug } = (await seller.post('/storefront/join-links', { approvalPolicy: 'auto_approve' })).body
      .data;

    const nameless = await ada.submit(`/join/${slug}`, { name: '' });
    const joined = await ada.submit(`/join/${slug}`, { name: 'Buyer of one' });

    expect(nameless.status).toBe(400);
    expect(joined.location).toBe('/terms');
    expect((await ada.get('/settings/organizations')).text).toContain('Buyer of one');
    expect((await ada.get('/join/nowhere')).status).toBe(404);
  });

  test.each(['/start/advertiser', '/start/storefront', '/terms'])(
    'do nothing that no page of ours sent: %s',
    async (path) => {
      await open('buyers');
      await open('storefront_accounts');
      const carried = hiddenIn((await ada.get(path)).text);
      const fields = { name: 'Forged', accept: 'yes', termsVersion: '1' };

      const written = await writtenBy(async () => {
        const bare = await ada.post(path, fields);
        const foreign = await ada.post(path, { ...fields, ...carried }, { origin: 'https://evil.example' });
        const chosen = await ada.post(path, { ...fields, csrf: 'x'.repeat(43) });
        expect([bare.status, foreign.status, chosen.status]).toEqual([403, 403, 403]);
      });

      expect(written).toEqual({});
    },
  );

  test('ask who is not signed in to sign in, and send nothing on', async () => {
    for (const path of ['/start/advertiser', '/start/storefront', '/terms', '/join/any']) {
      const answer = await browserClient(server.url).post(path, { name: 'Nobody' });
      expect([answer.status, answer.location]).toEqual([
        303,
        `/sign-in?${new URLSearchParams({ return_to: path })}`,
      ]);
    }
  });
});
