import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openOrClose, startPilot } from '../../tools/domain/admission/operating.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { changeStanding } from '../../tools/domain/organizations/operator-decisions.ts';
import type { Reply } from '../support/callers/client.ts';
import { type Newcomer, newNewcomer } from '../support/callers/newcomers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { countRows, grown } from '../support/database/row-counts.ts';
import { openStorefront } from '../support/sellers/market.ts';
import { linkIn, recordingMail } from '../support/server/mail.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const preview = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines',
  role: 'brand',
  intended_markets: ['US', 'FR'],
  intended_channels: ['ctv'],
  pilot_budget: 'around 20,000 USD',
  pilot_timing: 'ready_now',
  self_service_experience: true,
  prelaunch_willing: true,
};

const OF_A_PLAN = /price|pricing|plan(?!ned)|rate.?card|code|credit|charge/i;

describe('signing up', () => {
  const mail = recordingMail();
  let server: TestServer;
  let seller: Person;
  let storefrontId: string;
  let slug: string;
  beforeAll(async () => {
    server = await startTestServer({ mail });
    seller = await newPerson(server, { roles: ['SELLER'] });
    storefrontId = String((await openStorefront(seller)).storefrontId);
    await openStorefront(await newPerson(server, { roles: ['SELLER'] }));
    const made = await seller.post('/storefront/join-links', { approvalPolicy: 'auto_approve' });
    expect(made.status).toBe(201);
    ({ slug } = made.body.data);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    for (const name of ['buyers', 'storefront_accounts', 'plans'] as const) await open(name, false);
  });

  const open = (name: 'buyers' | 'storefront_accounts' | 'plans', isOpen = true) =>
    openOrClose(server.operator, { name, isOpen });

  /** What a call wrote, table by table. */
  async function writtenBy<T>(call: () => Promise<T>): Promise<{ reply: T; written: object }> {
    const before = await countRows(server.store);
    const reply = await call();
    return { reply, written: grown(before, await countRows(server.store)) };
  }

  /** A mailed invitation: its value, as the address in the mail has it. */
  async function invited(email: string, organization: Person): Promise<string> {
    const admin = await adminOf(organization);
    expect((await admin.post('/invitations', { email, role: 'MEMBER' })).status).toBe(201);
    return linkIn(await mail.next(email)).replace(/^.*\//, '');
  }

  async function adminOf({ organizationId }: Person): Promise<Newcomer> {
    const admin = await newNewcomer(server, { organizationId });
    await server.store.db
      .insertInto('memberships')
      .values({
        user_id: admin.userId,
        organization_id: organizationId,
        role: 'ADMIN',
        created_at: server.operator.now,
      })
      .execute();
    return admin;
  }

  describe('while buyers are not let in', () => {
    test('a person who chooses to buy is asked for what a preview needs, and no organization is made', async () => {
      const newcomer = await newNewcomer(server);

      const { reply, written } = await writtenBy(() => newcomer.post('/signup/buyers', { name: 'Engines' }));

      expect(reply.status).toBe(200);
      expect(reply.body.data).toMatchObject({ nextStep: 'preview', organization: null });
      const fields = reply.body.data.form.fields.map(({ name }: { name: string }) => name);
      expect(fields).toEqual(expect.arrayContaining([...Object.keys(preview), 'email']));
      expect(written).toEqual({});
    });

    test('plans for a market where a pilot is live go to review, and open no other pilot', async () => {
      await startPilot(server.operator, { country: 'FR', channel: 'ctv' });
      const newcomer = await newNewcomer(server);

      const { reply, written } = await writtenBy(() =>
        newcomer.post('/signup/previews', { ...preview, email: newcomer.email }),
      );

      expect(reply.status).toBe(201);
      expect(reply.body.data).toEqual({
        ok: true,
        org_ref: null,
        qualification_route: 'solutions_review',
        outcome: 'solutions_review',
        launchCountries: [],
      });
      expect(written).toEqual({ preview_requests: 1 });
    });

    test.each([
      ['another country', { intended_markets: ['DE', 'FR'], intended_channels: ['audio'] }, ['DE', 'FR']],
      ['another channel', { intended_markets: ['FR'], intended_channels: ['radio'] }, ['FR']],
      ['no country yet', { intended_markets: [], intended_channels: ['ctv'] }, []],
    ])('plans for %s wait on the launch list under their countries', async (_, plans, launchCountries) => {
      const stranger = await newNewcomer(server);

      const { reply, written } = await writtenBy(() =>
        stranger.post('/buyer/auth/buyer-signup-intake', {
          ...preview,
          ...plans,
          email: 'ada@launch.example',
        }),
      );

      expect(reply.body.data).toMatchObject({ outcome: 'launch_list', launchCountries });
      expect(written).toEqual({ preview_requests: 1 });
    });

    test('what is wanted, for which agent and from where is kept with the plans', async () => {
      const email = 'grace@intent.example';
      const wanted = { intent: 'agent_connection', agent_name: 'Scout', source: 'marketing-site' };
      const { post } = await newNewcomer(server);

      const told = await post('/buyer/auth/buyer-signup-intake', { ...preview, ...wanted, email });
      const silent = await post('/buyer/auth/buyer-signup-intake', { ...preview, email });

      expect([told.status, silent.status]).toEqual([201, 201]);
      const rows = await server.store.db
        .selectFrom('preview_requests')
        .select(['intent', 'agent_name', 'source'])
        .where('email', '=', email)
        .orderBy('id')
        .execute();
      expect(rows).toEqual([wanted, { intent: null, agent_name: null, source: 'agentic-signup' }]);
    });

    test('a work address of a known organization is linked to it, and makes nobody a member', async () => {
      const known = await newPerson(server);
      await verifyDomain(server.operator, { organizationId: known.organizationId, domain: 'known.example' });
      const mine = await newNewcomer(server, { email: 'mine@known.example' });
      const unverified = await newNewcomer(server, { email: 'not-mine@known.example', isVerified: false });
      const asked = { ...preview };

      const own = await writtenBy(() => mine.post('/signup/previews', { ...asked, email: mine.email }));
      const other = await writtenBy(() =>
        unverified.post('/signup/previews', { ...asked, email: unverified.email }),
      );

      expect(own.reply.body.data.org_ref).toMatch(/^Organization \d+$/);
      expect(other.reply.body.data.org_ref).toBeNull();
      expect([own.written, other.written]).toEqual([{ preview_requests: 1 }, { preview_requests: 1 }]);
      const rows = await server.store.db
        .selectFrom('preview_requests')
        .select('matched_organization_id')
        .where('email', 'in', [mine.email, unverified.email])
        .execute();
      expect(rows.map((row) => row.matched_organization_id)).toEqual([
        known.organizationId,
        known.organizationId,
      ]);
      expect((await mine.get('/signup')).body.data.person.knownOrganization).toMatchObject({
        policy: 'invitation_only',
      });
      expect((await unverified.get('/signup')).body.data.person.knownOrganization).toBeNull();
      expectRefusal(await mine.post('/signup/join-requests', {}), 403, {
        code: 'FORBIDDEN',
        words: 'No organization takes in people of your e-mail domain by themselves.',
      });
    });

    test('a work address is linked by a domain that the operator gave to one organization alone', async () => {
      const [one, two, three] = [await newPerson(server), await newPerson(server), await newPerson(server)];
      for (const [{ organizationId }, domain] of [
        [one, 'given.example'],
        [two, 'shared.example'],
        [three, 'shared.example'],
      ] as const) {
        const { db } = server.store;
        await db
          .updateTable('organizations')
          .set({ domain, domain_given: 1 })
          .where('id', '=', organizationId)
          .execute();
      }
      const matched = async (email: string, isVerified = true) => {
        const person = await newNewcomer(server, { email, isVerified });
        const { body } = await person.post('/signup/previews', { ...preview, email });
        const row = await server.store.db
          .selectFrom('preview_requests')
          .select('matched_organization_id')
          .where('email', '=', email)
          .executeTakeFirstOrThrow();
        return [row.matched_organization_id, body.data.org_ref];
      };

      expect(await matched('mine@given.example')).toEqual([
        one.organizationId,
        expect.stringMatching(/^Organization \d+$/),
      ]);
      expect(await matched('not-mine@given.example', false)).toEqual([one.organizationId, null]);
      expect(await matched('mine@shared.example')).toEqual([null, null]);
    });

    test('an invitation to an admitted organization makes an account of it, and nothing else', async () => {
      const host = await newPerson(server);
      const guest = await newNewcomer(server, { isVerified: false });
      const token = await invited(guest.email, host);
      await server.store.db
        .deleteFrom('terms_acceptances')
        .where('organization_id', '=', host.organizationId)
        .execute();

      const { reply, written } = await writtenBy(() => guest.post('/signup/invitations', { token }));

      expect(reply.status).toBe(200);
      expect(reply.body.data).toMatchObject({ organization: { id: host.organizationId }, role: 'MEMBER' });
      expect(written).toEqual({ memberships: 1, audit_logs: 1 });
      const create = { name: 'Lamps', brand: 'lamps.example', saveBrand: true, primaryCurrency: 'USD' };
      expectRefusal(await guest.post('/buyer/advertisers', create), 403, {
        code: 'TOS_ACCEPTANCE_REQUIRED',
        words: 'The organization has not accepted version 1 of the terms of service.',
      });
      expectRefusal(await guest.post('/signup/invitations', { token }), 409, {
        code: 'CONFLICT',
        words: 'This invitation was used, taken back, or has expired.',
      });
    });

    test('an invitation to an organization that waits itself leads nowhere', async () => {
      const host = await newPerson(server);
      const guest = await newNewcomer(server);
      const token = await invited(guest.email, host);
      await changeStanding(server.operator, host.organizationId, { admission: 'waitlisted' });

      const { reply, written } = await writtenBy(() => guest.post('/signup/invitations', { token }));

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'This organization is not admitted to the marketplace: nobody can join it for now.',
      });
      expect(written).toEqual({});
    });

    test('an invitation is for the address it came to alone', async () => {
      const host = await newPerson(server);
      const token = await invited('guest@elsewhere.example', host);
      const thief = await newNewcomer(server);

      const { reply, written } = await writtenBy(() => thief.post('/signup/invitations', { token }));

      expectRefusal(reply, 403, {
        code: 'FORBIDDEN',
        words: 'This invitation is for another e-mail address than the one you are signed in with.',
      });
      expect(written).toEqual({});
    });

    test('two companies come by one link of a seller, and each sees that seller alone', async () => {
      for (const company of ['One', 'Two']) {
        const newcomer = await newNewcomer(server);

        const { reply, written } = await writtenBy(() =>
          newcomer.post(`/signup/join-links/${slug}`, { name: company }),
        );

        expect(reply.status).toBe(201);
        expect(reply.body.data).toMatchObject({ status: 'active', accounts: [{ role: 'BUYER' }] });
        expect(written).toEqual({
          organizations: 1,
          customers: 1,
          pricing_rules: 1,
          memberships: 1,
          sponsorships: 1,
          audit_logs: 1,
        });
        const { items } = (await newcomer.get('/buyer/storefronts')).body.data;
        expect(items.map(({ id }: { id: number }) => String(id))).toEqual([storefrontId]);
      }
    });

    test('who comes by one link twice, at the same moment or later, has one organization', async () => {
      const newcomer = await newNewcomer(server);
      const join = () => newcomer.post(`/signup/join-links/${slug}`, { name: 'Once' });

      const { reply: replies, written } = await writtenBy(async () => [
        ...(await Promise.all([join(), join()])),
        await join(),
      ]);

      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(written).toMatchObject({ organizations: 1, memberships: 1, sponsorships: 1 });
    });
  });

  test('a buyer who is let in has one organization and three ways to begin, whichever is chosen', async () => {
    await open('buyers');
    const newcomer = await newNewcomer(server);

    const { reply, written } = await writtenBy(() => newcomer.post('/signup/buyers', { name: 'Engines' }));

    expect(reply.status).toBe(201);
    expect(written).toEqual({
      organizations: 1,
      customers: 1,
      pricing_rules: 1,
      memberships: 1,
      audit_logs: 1,
    });
    const offered = ['web_app', 'api', 'assistant'];
    const choices = (shown: Reply) =>
      shown.body.data.startingPoints.map(({ choice }: { choice: string }) => choice);
    expect(choices(reply)).toEqual(offered);
    const chosen = await newcomer.post('/signup/starting-points', { choice: 'api' });
    expect(choices(chosen)).toEqual(offered);
    const after = await newcomer.post('/signup/starting-points', { choice: 'web_app' });
    expect(after.body.data.startingPoints).toEqual([
      { choice: 'web_app', isChosen: true },
      { choice: 'api', isChosen: true },
      { choice: 'assistant', isChosen: false },
    ]);
    const again = await writtenBy(() => newcomer.post('/signup/buyers', { name: 'Engines again' }));
    expectRefusal(again.reply, 409, {
      code: 'CONFLICT',
      words: 'You have signed an organization up before.',
    });
    expect(again.written).toEqual({});
  });

  describe('with an address that nobody has shown to be theirs', () => {
    const name = 'Engines';
    test.each([
      ['buys', () => '/signup/buyers', { name }],
      ['sells', () => '/signup/storefronts', { name, termsVersion: '1' }],
      ['comes by the link of a seller', () => `/signup/join-links/${slug}`, { name }],
    ])('who %s makes nothing, until the address is confirmed', async (_, path, form) => {
      await open('buyers');
      await open('storefront_accounts');
      const newcomer = await newNewcomer(server, { isVerified: false });

      const { reply, written } = await writtenBy(() => newcomer.post(path(), form));

      expectRefusal(reply, 403, { code: 'FORBIDDEN', words: 'Your e-mail address is not verified yet.' });
      expect(written).toEqual({});
      const confirmed = { email_verified_at: server.operator.now };
      await server.store.db.updateTable('users').set(confirmed).where('id', '=', newcomer.userId).execute();
      expect((await newcomer.post(path(), form)).status).toBe(201);
    });
  });

  describe('as a storefront', () => {
    const form = { name: 'Corner Media', termsVersion: '1' };

    test('an account comes with its standard agreement, and with nothing of a plan', async () => {
      await open('storefront_accounts');
      const newcomer = await newNewcomer(server);

      const { reply, written } = await writtenBy(() => newcomer.post('/signup/storefronts', form));

      expect(reply.status).toBe(201);
      expect(reply.body.data).toMatchObject({ agreement: { termsVersion: '1' } });
      expect(written).toEqual({
        organizations: 1,
        customers: 1,
        memberships: 1,
        terms_acceptances: 1,
        storefront_agreements: 1,
        audit_logs: 1,
      });
    });

    test('what can be signed up for says nothing of prices, plans or codes', async () => {
      await open('storefront_accounts');

      const { text } = await (await newNewcomer(server)).get('/signup');

      expect(text).not.toMatch(OF_A_PLAN);
    });

    test.each(['/start', '/start/storefront'])(
      'the page at %s says nothing of prices, plans or codes either',
      async (path) => {
        await open('storefront_accounts');
        const newcomer = await newNewcomer(server);

        const page = await fetch(`${server.url}${path}`, { headers: newcomer.headers });

        expect(page.status).toBe(200);
        // What a person reads and what the page carries unseen, without where it says what it is to be shown by.
        const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(await page.text()) ?? [];
        expect(main).toContain('<h1>');
        expect(main).not.toMatch(OF_A_PLAN);
      },
    );

    test.each(['plan', 'planId', 'rateCardId', 'signupCode', 'code'])(
      'a body with %s is refused by that name, wherever one signs up',
      async (field) => {
        await open('storefront_accounts');
        await open('buyers');
        const newcomer = await newNewcomer(server);

        for (const path of ['/signup/storefronts', '/signup/buyers', '/signup/previews']) {
          const { reply, written } = await writtenBy(() => newcomer.post(path, { ...form, [field]: 'X' }));
          expectRefusal(reply, 400, {
            code: 'VALIDATION_ERROR',
            at: { [field]: 'There are no plans and no codes to sign up with.' },
          });
          expect(written).toEqual({});
        }
      },
    );

    test('nobody is told of plans that are not built, once they are open', async () => {
      await open('storefront_accounts');
      await open('plans');

      const reply = await (await newNewcomer(server)).post('/signup/storefronts', { ...form, plan: 'pro' });

      expectRefusal(reply, 501, { code: 'NOT_IMPLEMENTED', at: { plan: 'Documented, and not built yet.' } });
    });

    test('while it is closed nothing is made', async () => {
      const newcomer = await newNewcomer(server);

      const { reply, written } = await writtenBy(() => newcomer.post('/signup/storefronts', form));

      expectRefusal(reply, 403, {
        code: 'FORBIDDEN',
        words: 'Storefront accounts are not open to everybody for now.',
      });
      expect(written).toEqual({});
    });
  });

  test.each([
    { storefronts: false, plans: false },
    { storefronts: true, plans: false },
    { storefronts: true, plans: true },
  ])(
    'an address may sign up as the operator says ($storefronts, $plans), known or not',
    async ({ storefronts, plans }) => {
      await open('storefront_accounts', storefronts);
      await open('plans', plans);
      const known = await newNewcomer(server);
      const ask = (email: string) =>
        known.get(`/signup/email-availability?email=${encodeURIComponent(email)}`);

      const [one, other] = [await ask(known.email), await ask('nobody@unknown.example')];

      expect(one.body.data).toEqual({
        storefrontAccountSignupAllowed: storefronts,
        storefrontIuSignupAllowed: plans,
        storefrontSignupAllowed: plans,
      });
      expect(other.text).toBe(one.text);
      expectRefusal(await ask('no address'), 400, {
        code: 'VALIDATION_ERROR',
        at: { email: 'Give an e-mail address such as ada@acme.example.' },
      });
    },
  );
});
