import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTenant } from '../../store/engine/scope.ts';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { acceptAsPerson } from '../../tools/domain/organizations/terms.ts';
import { tools } from '../../tools/registry.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { newNewcomer } from '../support/callers/newcomers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { lanes } from '../support/callers/tool-lanes.ts';
import { newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a buyer that came by the link of a seller', () => {
  let server: TestServer;
  let seller: Person;
  let own: number;
  let foreign: number;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    seller = await newPerson(server, { roles: ['SELLER'] });
    own = Number((await openStorefront(seller, { name: 'Sponsor' })).storefrontId);
    const stranger = await newPerson(server, { roles: ['SELLER'] });
    foreign = Number((await openStorefront(stranger, { name: 'Stranger' })).storefrontId);
  });
  afterAll(() => server.stop());

  /** Signs up by a link of the seller, accepts the terms, and has a key. */
  async function sponsored(
    approvalPolicy: string,
  ): Promise<Client & { key: string; organizationId: number }> {
    const { slug } = (await seller.post('/storefront/join-links', { approvalPolicy })).body.data;
    const newcomer = await newNewcomer(server);
    const joined = await newcomer.post(`/signup/join-links/${slug}`, { name: 'Sponsored' });
    const organizationId: number = joined.body.data.organization.id;
    await acceptAsPerson(server.operator, {
      tenant: makeTenant(organizationId),
      userId: newcomer.userId,
      via: 'signup',
    });
    const { value } = await createKey(server.operator, {
      organizationId,
      name: 'Test',
      permissions: ['buyer:admin'],
    });
    return { ...clientFor(server.url, value), key: value, organizationId };
  }

  const toolOf = (name: string) => {
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  };

  test.each(Object.entries(lanes))(
    'sees one storefront over %s, and no other by any name',
    async (_, lane) => {
      const buyer = await sponsored('auto_approve');
      const advertiserId = await newAdvertiser(buyer);
      const ask = (name: string, args: object) =>
        lane({ url: server.url, key: buyer.key, tool: toolOf(name), args: { ...args } });

      const list = await ask('storefront_list', {});
      expect(JSON.stringify(list.content)).toContain('Sponsor');
      expect(JSON.stringify(list.content)).not.toContain('Stranger');
      expect((await ask('storefront_get', { storefrontId: own })).failed).toBe(false);
      expect((await ask('storefront_get', { storefrontId: foreign })).content).toMatchObject({
        code: 'NOT_FOUND',
      });
      const all = await ask('discover_products', { advertiserId, waitSeconds: 30 });
      expect(JSON.stringify(all.content)).toContain('Sponsor');
      expect(JSON.stringify(all.content)).not.toContain('Stranger');
      for (const named of [{ storefrontIds: [foreign] }, { storefrontNames: ['Stranger'] }]) {
        const refused = await ask('discover_products', { advertiserId, ...named });
        expect(refused.content).toMatchObject({ code: 'VALIDATION_ERROR' });
      }
    },
  );

  test('cannot pin a campaign to another storefront', async () => {
    const buyer = await sponsored('auto_approve');
    const advertiserId = await newAdvertiser(buyer);

    const reply = await buyer.post('/buyer/campaigns', {
      advertiserId,
      name: 'Winter',
      budget: { total: 100 },
      flightDates: { startDate: '2030-03-01T00:00:00Z', endDate: '2030-03-31T00:00:00Z' },
      storefrontIds: [foreign],
    });

    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { 'storefrontIds.0': 'No such storefront.' } });
  });

  test('sees nothing until it is let in, and nothing while it is stopped', async () => {
    const buyer = await sponsored('manual_approve');
    const seen = async () => (await buyer.get('/buyer/storefronts')).body.data.total;
    const { items } = (await seller.get('/storefront/sponsored-buyers')).body.data;
    const { buyerId } = items.at(-1);
    const tell = (action: string) => seller.post(`/storefront/sponsored-buyers/${buyerId}/${action}`, {});

    expect(await seen()).toBe(0);
    expect((await tell('approve')).body.data.status).toBe('active');
    expect(await seen()).toBe(1);
    expect((await tell('suspend')).body.data.status).toBe('suspended');
    expect(await seen()).toBe(0);
    expectRefusal(await tell('approve'), 409, {
      code: 'CONFLICT',
      words: 'A buyer that is suspended cannot be told to approve.',
    });
    await tell('reactivate');
    expect(await seen()).toBe(1);
  });

  test('is told of to its seller alone', async () => {
    await sponsored('auto_approve');
    const stranger = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(stranger, { name: 'Third' });
    const { items } = (await seller.get('/storefront/sponsored-buyers')).body.data;

    expect((await stranger.get('/storefront/sponsored-buyers')).body.data.total).toBe(0);
    const path = `/storefront/sponsored-buyers/${items[0].buyerId}/suspend`;
    expectRefusal(await stranger.post(path, {}), 404, {
      code: 'NOT_FOUND',
      words: 'No such sponsored buyer.',
    });
  });

  test('has no accounts below it, which would see the others', async () => {
    const buyer = await sponsored('auto_approve');
    const { createOrganization } = await import('../../tools/domain/organizations/organizations.ts');

    await expect(
      createOrganization(server.operator, {
        name: 'Below',
        parentId: buyer.organizationId,
        roles: ['BUYER'],
      }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  /** As it is once its end has come. */
  const endedBefore = (id: string) =>
    server.store.db
      .withoutPlugins()
      .updateTable('join_links')
      .set({ expires_at: '2026-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute();

  test('comes by a link no more that is disabled, over, closed or used up', async () => {
    const links: readonly [link: object, end?: (slug: string, id: string) => Promise<unknown>][] = [
      [{ approvalPolicy: 'closed' }],
      [{ expiresAt: '2027-01-01T00:00:00Z' }, (_slug, id) => endedBefore(id)],
      [
        { maxUses: 1 },
        async (slug) => (await newNewcomer(server)).post(`/signup/join-links/${slug}`, { name: 'First' }),
      ],
      [{ slug: 'disabled-one' }, (_slug, id) => seller.delete(`/storefront/join-links/${id}`)],
    ];
    for (const [link, end] of links) {
      const { slug, id } = (await seller.post('/storefront/join-links', link)).body.data;
      await end?.(slug, id);
      const late = await newNewcomer(server);

      expectRefusal(await late.post(`/signup/join-links/${slug}`, { name: 'Late' }), 404, {
        code: 'NOT_FOUND',
        words: 'No such join link.',
      });
      expect((await late.get(`/signup/join-links/${slug}`)).body.data).toEqual({
        slug,
        valid: false,
        storefrontName: null,
        operatorDomain: null,
        defaultCurrency: null,
      });
    }
  });
});
