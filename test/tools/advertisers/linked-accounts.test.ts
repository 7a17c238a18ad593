import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Accounts that an advertiser has at sellers: `linkedAccounts` of advertiser_create and advertiser_update. */
describe('an account at a seller', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let other: FarSeller;
  let at: (
    seller: FarSeller,
    accountId: string,
  ) => { storefrontId: string; sourceId: string; accountId: string };
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    other = await farSeller(server, 'Other');
    buyer = await newPerson(server);
    const sourceIds = new Map<string, string>();
    for (const { storefrontId } of [far, other]) {
      const { sources } = done(await buyer.get(`/buyer/storefronts/${storefrontId}`));
      sourceIds.set(storefrontId, sources[0].sourceId);
    }
    at = ({ storefrontId }, accountId) => ({
      storefrontId,
      sourceId: sourceIds.get(storefrontId) ?? '',
      accountId,
    });
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([far.agent.stop(), other.agent.stop()]);
  });

  const read = async (id: string) => done(await buyer.get(`/buyer/advertisers/${id}`));
  const update = (id: string, changes: object) => buyer.put(`/buyer/advertisers/${id}`, changes);
  const accountIds = (advertiser: { linkedAccounts?: { accountId: string }[] }) =>
    advertiser.linkedAccounts?.map(({ accountId }) => accountId);

  test('is linked with the advertiser, shown as it was, and counted in the list', async () => {
    const reader = await newPerson(server);
    const id = await newAdvertiser(reader, { linkedAccounts: [at(far, 'acct_1')] });

    const shown = done(await reader.get(`/buyer/advertisers/${id}`));

    expect(shown.linkedAccounts).toEqual([
      {
        linkId: expect.stringMatching(/^[1-9]\d*$/),
        accountId: 'acct_1',
        name: null,
        sources: [
          {
            storefrontId: Number(far.storefrontId),
            storefrontName: 'Far',
            sourceId: at(far, '').sourceId,
            sourceName: 'Agent',
          },
        ],
        status: 'unreachable',
        createdAt: shown.createdAt,
        updatedAt: shown.createdAt,
      },
    ]);
    const { items } = done(await reader.get('/buyer/advertisers'));
    expect(items).toMatchObject([{ id, linkedAccountCount: 1 }]);
    expect(items[0]).not.toHaveProperty('linkedAccounts');
  });

  test('is added to those before by an update, once however often it is given, and logged', async () => {
    const id = await newAdvertiser(buyer, { linkedAccounts: [at(far, 'acct_1')] });

    const { body } = await update(id, {
      linkedAccounts: [at(far, 'acct_1'), at(other, 'acct_2'), at(other, 'acct_2')],
    });

    expect(accountIds(body.data)).toEqual(['acct_1', 'acct_2']);
    expect(body.data).toEqual(await read(id));
    const [entry] = await auditOf(server, buyer, 'advertiser_update');
    expect(entry).toMatchObject({ resource_id: id });
    expect(JSON.parse(entry?.changes ?? '{}')).toMatchObject({ linkedAccountCount: { from: 1, to: 2 } });
    const before = await auditOf(server, buyer, 'advertiser_update');
    done(await update(id, { linkedAccounts: [at(far, 'acct_1')] }));
    expect(await auditOf(server, buyer, 'advertiser_update')).toHaveLength(before.length);
  });

  test('narrows the list to advertisers that have one at a storefront, or at a sales agent', async () => {
    const reader = await newPerson(server);
    const ids = [
      await newAdvertiser(reader, { linkedAccounts: [at(far, 'a')] }),
      await newAdvertiser(reader, { linkedAccounts: [at(other, 'a')] }),
    ];
    await newAdvertiser(reader);
    const found = async (partner: string) => {
      const { items, total } = done(
        await reader.get(`/buyer/advertisers?linkedAccountPartnerId=${encodeURIComponent(partner)}`),
      );
      expect(total).toBe(items.length);
      return items.map(({ id }: { id: string }) => id);
    };

    expect(await found(far.storefrontId)).toEqual([ids[0]]);
    expect(await found(other.agentId)).toEqual([ids[1]]);
    expect(await found('nobody')).toEqual([]);
    expect(await found('9'.repeat(30))).toEqual([]);
  });

  test('is what its seller is asked under, and no other: for products, and with the order', async () => {
    const advertiserId = await newAdvertiser(buyer, {
      linkedAccounts: [at(other, 'elsewhere'), at(far, 'acct_1'), at(far, 'acct_2')],
    });
    const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });

    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

    const accounts = (tool: string) =>
      far.agent.calls.filter((call) => call.tool === tool).map(({ args }) => args['account']);
    expect(accounts('get_products').at(-1)).toEqual({ account_id: 'acct_2' });
    expect(accounts('create_media_buy').at(-1)).toEqual({ account_id: 'acct_2' });
  });

  test('that is linked later leaves what was ordered where it is', async () => {
    const advertiserId = await newAdvertiser(buyer);
    const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

    done(await update(advertiserId, { linkedAccounts: [at(far, 'late')] }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`));

    const told = far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').at(-1);
    expect(told?.args['account']).toMatchObject({ brand: { domain: 'acme.example' } });
  });

  test('that comes after a refusal is in the order that is sent anew', async () => {
    const advertiserId = await newAdvertiser(buyer);
    const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    far.agent.on('create_media_buy', () => ({ errors: [{ code: 'ACCOUNT_NOT_FOUND', message: 'Which?' }] }));
    expect(done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).success).toBe(false);
    far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_2', status: 'active', packages: [] }));

    done(await update(advertiserId, { linkedAccounts: [at(far, 'acct_9')] }));
    expect(done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).success).toBe(true);

    const told = far.agent.calls.filter(({ tool }) => tool === 'create_media_buy').at(-1);
    expect(told?.args['account']).toEqual({ account_id: 'acct_9' });
  });

  test('of an unknown storefront or source is refused with 400, and nothing is made', async () => {
    const person = await newPerson(server);
    const fields = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };

    const reply = await person.post('/buyer/advertisers', {
      ...fields,
      linkedAccounts: [
        { storefrontId: 999_999, sourceId: 'x', accountId: 'a' },
        { ...at(far, 'a'), sourceId: 'nowhere' },
      ],
    });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'linkedAccounts.0.storefrontId': 'No such storefront.',
        'linkedAccounts.1.sourceId': 'No such source behind this storefront.',
      },
    });
    expect(done(await person.get('/buyer/advertisers')).total).toBe(0);
  });

  test('is refused with 422 to a sandbox advertiser, whose orders would be real under it', async () => {
    const id = await newAdvertiser(buyer, { sandbox: true });

    const reply = await update(id, { linkedAccounts: [at(far, 'acct_1')] });

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        linkedAccounts: 'A sandbox advertiser has no accounts at sellers: orders under one would be real.',
      },
    });
    expect(await read(id)).not.toHaveProperty('linkedAccounts');
  });

  test('is one of 100 at the most: 409 CONFLICT', async () => {
    const many = (from: number) => Array.from({ length: 50 }, (_, index) => at(far, `acct_${from + index}`));
    const id = await newAdvertiser(buyer, { linkedAccounts: many(0) });
    done(await update(id, { linkedAccounts: many(50) }));

    expectRefusal(await update(id, { linkedAccounts: [at(far, 'one more')] }), 409, {
      code: 'CONFLICT',
      words: 'An advertiser has 100 accounts at the most.',
    });

    expect((await read(id)).linkedAccounts).toHaveLength(100);
  });

  test('that two add at once is there once, and one of them is told to look again', async () => {
    const id = await newAdvertiser(buyer);

    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => update(id, { linkedAccounts: [at(far, 'acct_1')] })),
    );

    expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
      [],
    );
    expect(accountIds(await read(id))).toEqual(['acct_1']);
  });

  test.each(['credentialId', 'billingType'])('takes no %s yet: 501 NOT_IMPLEMENTED', async (field) => {
    const id = await newAdvertiser(buyer);

    const reply = await update(id, { linkedAccounts: [{ ...at(far, 'acct_1'), [field]: 'x' }] });

    expectRefusal(reply, 501, {
      code: 'NOT_IMPLEMENTED',
      at: { [`linkedAccounts.0.${field}`]: 'Documented, and not built yet.' },
    });
    expect(await read(id)).not.toHaveProperty('linkedAccounts');
  });
});
