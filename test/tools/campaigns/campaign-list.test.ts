import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { mediaBuyRow } from '../../support/buying/media-buy-row.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import {
  done,
  draftCampaign,
  flightDates,
  newAdvertiser,
  openStorefront,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('campaign_list', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  let otherAdvertiserId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    otherAdvertiserId = await newAdvertiser(buyer);
    await create('Alpha');
    await create('Beta 100%', { advertiserId: otherAdvertiserId });
    await putStatus(server, buyer, { campaignId: await create('Gamma'), status: 'ACTIVE' });
    await putStatus(server, buyer, { campaignId: await create('Delta'), status: 'ARCHIVED' });
  });
  afterAll(() => server.stop());

  const create = async (name: string, changes: object = {}): Promise<string> => {
    clock.skip(1_000);
    const fields = { advertiserId, name, flightDates, budget: { total: 10 }, ...changes };
    return done(await buyer.post('/buyer/campaigns', fields)).campaign.campaignId;
  };
  const list = (query = '', by: Person = buyer) => by.get(`/buyer/campaigns${query}`);
  const names = async (query: string) =>
    done(await list(query)).campaigns.map(({ name }: { name: string }) => name);

  describe('200', () => {
    test('shows where a campaign has to stay, and of a draft how many products are chosen', async () => {
      const own = await newPerson(server);
      const constraints = { channels: ['display'], geo_countries: ['US'] };
      const empty = done(
        await own.post('/buyer/campaigns', {
          ...{ advertiserId: await newAdvertiser(own), name: 'Empty', flightDates, budget: { total: 10 } },
          constraints,
        }),
      ).campaign;
      const { storefrontId } = await openStorefront(await newPerson(server));
      const { campaignId } = await draftCampaign(own, {
        advertiserId: await newAdvertiser(own),
        storefrontIds: [storefrontId],
      });

      const { campaigns } = done(await list('', own));
      const rowOf = (id: string) => campaigns.find((row: { campaignId: string }) => row.campaignId === id);
      expect(rowOf(campaignId)).toMatchObject({ productCount: 1 });
      expect(rowOf(empty.campaignId)).toMatchObject({ constraints });
      expect(rowOf(empty.campaignId)).not.toHaveProperty('productCount');
    });

    test('lists newest first, without the archived, with total and pagination', async () => {
      const { status, body } = await list('', await buyer.withKey(['buyer:read']));

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ total: 3 });
      expect(body.data.campaigns.map(({ name }: { name: string }) => name)).toEqual([
        'Gamma',
        'Beta 100%',
        'Alpha',
      ]);
      expect(body.meta).toEqual({ pagination: { skip: 0, take: 50, total: 3, hasMore: false } });
      expect(body.data.campaigns[2]).toEqual({
        campaignId: expect.stringMatching(/^cmp_/),
        advertiserId,
        name: 'Alpha',
        mode: 'discovery',
        management: 'managed',
        sandbox: false,
        status: 'DRAFT',
        flightDates,
        budget: { total: 10, currency: 'USD' },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
    });

    test('narrows by advertiser, part of the name, and status', async () => {
      expect(await names(`?advertiserId=${otherAdvertiserId}`)).toEqual(['Beta 100%']);
      expect(await names('?name=ALPH')).toEqual(['Alpha']);
      expect(await names('?name=100%25')).toEqual(['Beta 100%']);
      expect(await names('?name=%25')).toEqual(['Beta 100%']);
      expect(await names('?name=_')).toEqual([]);
      expect(await names('?status=ACTIVE')).toEqual(['Gamma']);
      expect(await names('?status=ACTIVE&status=ARCHIVED')).toEqual(['Delta', 'Gamma']);
      expect(await names(`?status=DRAFT&advertiserId=${advertiserId}`)).toEqual(['Alpha']);
    });

    test('shows the archived when asked', async () => {
      expect(await names('?includeArchived=true')).toEqual(['Delta', 'Gamma', 'Beta 100%', 'Alpha']);
    });

    test('shows drafts, the active and the paused by default, every one with ALL, and no filter with none', async () => {
      const campaignId = await create('Epsilon');
      await putStatus(server, buyer, { campaignId, status: 'COMPLETED' });

      expect(await names('')).toEqual(['Gamma', 'Beta 100%', 'Alpha']);
      expect(await names('?status=')).toEqual(['Gamma', 'Beta 100%', 'Alpha']);
      const every = ['Epsilon', 'Delta', 'Gamma', 'Beta 100%', 'Alpha'];
      expect(await names('?status=ALL')).toEqual(every);
      expect(await names('?status=all')).toEqual(every);
      expect(await names('?status=COMPLETED')).toEqual(['Epsilon']);
      await putStatus(server, buyer, { campaignId, status: 'ARCHIVED' });
    });

    test('says how many of a name are left out because of where they stand, and nothing of that elsewhere', async () => {
      const guidance = async (query: string) => done(await list(query)).guidance;

      expect(await guidance('?name=delt')).toBe(
        '1 campaign of that name is left out, which is COMPLETED, CANCELED or ARCHIVED: status ALL lists all.',
      );
      expect(await guidance('?name=a')).toMatch(/^1 campaign /);
      expect(await guidance('?name=a&take=1')).toBeUndefined();
      expect(await guidance('?name=delt&includeArchived=true')).toBeUndefined();
      expect(await guidance('?name=delt&status=ALL')).toBeUndefined();
      expect(await guidance('?name=delt&status=ACTIVE')).toBeUndefined();
      expect(await guidance(`?name=delt&advertiserId=${otherAdvertiserId}`)).toBeUndefined();
      expect(await guidance('?name=nobody')).toBeUndefined();
      expect(await guidance('')).toBeUndefined();
    });

    test('narrows by mode and management, of which there is one each', async () => {
      const all = await names('');

      expect(await names('?mode=discovery')).toEqual(all);
      expect(await names('?mode=performance&mode=discovery')).toEqual(all);
      expect(await names('?mode=performance,directed')).toEqual([]);
      expect(await names('?management=managed')).toEqual(all);
      expect(await names('?management=all')).toEqual(all);
      expect(done(await list('?management=tracked'))).toEqual({ campaigns: [], total: 0, hasMore: false });
    });

    test('narrows to campaigns with a media buy in one of the states', async () => {
      const { campaignId } = done(await list('?name=gamma')).campaigns[0];
      const row = mediaBuyRow({
        organization_id: buyer.organizationId,
        customer_id: buyer.accounts.BUYER ?? 0,
        advertiser_id: Number(advertiserId),
        campaign_id: campaignId,
        status: 'PAUSED',
      });
      await server.store.db.insertInto('media_buys').values(row).execute();

      expect(await names('?mediaBuyStatus=PAUSED')).toEqual(['Gamma']);
      expect(await names('?mediaBuyStatus=FAILED,PAUSED')).toEqual(['Gamma']);
      expect(await names('?mediaBuyStatus=ACTIVE')).toEqual([]);
    });

    test('gives only the fields that are asked for, beside the id', async () => {
      const { campaigns } = done(await list('?fields=name,status&name=alpha'));

      expect(campaigns).toEqual([
        { campaignId: expect.stringMatching(/^cmp_/), name: 'Alpha', status: 'DRAFT' },
      ]);
    });
  });

  describe('400', () => {
    test.each<[string, string, string | RegExp]>([
      ['status.0', '?status=RUNNING', /^Give one of: DRAFT, ACTIVE, .*, ALL\.$/],
      ['take', '?take=251', '250 at the most.'],
      ['limit', '?limit=251', '250 at the most.'],
      ['take', '?take=0', '1 at the least.'],
      ['skip', '?skip=-1', '0 at the least.'],
      ['advertiserId', '?advertiserId=acme', 'Give a number.'],
      ['order', '?order=name', /^Unknown field. Known here: advertiserId, .*, take, skip\.$/],
      ['fields.0', '?fields=nome', /^Give one of: campaignId, advertiserId, name, .*, waitingApprovals\.$/],
      ['mode.0', '?mode=magic', 'Give one of: discovery, performance, directed.'],
    ])('VALIDATION_ERROR names %s for %s and says what is allowed', async (field, query, says) => {
      const reply = await list(query);

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [field]: says } });
    });
  });
});
