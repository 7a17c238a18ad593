import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOrClose } from '../../../tools/domain/admission/operating.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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

  test.each([
    { has: 'SELLER', wanted: 'BUYER', gate: 'buyers' },
    { has: 'BUYER', wanted: 'SELLER', gate: 'storefront_accounts' },
  ] as const)(
    'answers FORBIDDEN to who has only a $has account for a $wanted one, until such accounts are open',
    async ({ has, wanted, gate }) => {
      const own = await startTestServer({ own: true });
      try {
        const { organizationId } = await newPerson(own, { roles: [has] });
        const admin = await managerOf(own, organizationId);
        const path = has === 'BUYER' ? '/buyer/accounts/create-child' : '/storefront/accounts/create-child';
        const make = () => admin.post(path, { name: 'Below', customerRole: wanted });

        expectRefusal(await make(), 403, {
          code: 'FORBIDDEN',
          words: `The organization has no ${wanted} account, and such accounts are not open to everybody for now.`,
        });
        await openOrClose(own.operator, { name: gate, isOpen: true });

        expect((await make()).status).toBe(201);
      } finally {
        await own.stop();
      }
    },
  );

  test('answers CONFLICT beyond as many as the organization at the top has below it, however deep', async () => {
    const own = await startTestServer({ own: true, settings: { ACCOUNTS_PER_ORGANIZATION: '3' } });
    try {
      const { organizationId } = await newPerson(own);
      const [top, deep] = [await managerOf(own, organizationId), await managerOf(own, organizationId)];
      const below = { name: 'Below', customerRole: 'BUYER' };
      for (const _ of [1, 2, 3]) {
        const { id } = done(await deep.post('/buyer/accounts/create-child', below));
        done(await deep.post(`/accounts/${id}/switch`, {}));
      }

      for (const admin of [top, deep]) {
        expectRefusal(await admin.post('/buyer/accounts/create-child', below), 409, {
          code: 'CONFLICT',
          words: 'The organization at the top has 3 accounts below it, which is the most it may have.',
        });
      }
      const other = await managerOf(own, (await newPerson(own)).organizationId);
      done(await other.post('/buyer/accounts/create-child', below));
    } finally {
      await own.stop();
    }
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

    expectRefusal(reply, 409, { code: 'CONFLICT', words: 'Accounts stand 5 deep at the most.' });
  });
});
