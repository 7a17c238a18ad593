import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta'];

describe('campaign_list with a cursor', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    // The last three are of the same moment: their ids alone tell them apart.
    for (const [index, name] of NAMES.entries()) {
      if (index < 5) clock.skip(1_000);
      await create(name);
    }
  });
  afterAll(() => server.stop());

  const create = async (name: string, by = buyer, advertiser = advertiserId): Promise<string> => {
    const fields = { advertiserId: advertiser, name, flightDates, budget: { total: 10 } };
    return done(await by.post('/buyer/campaigns', fields)).campaign.campaignId;
  };
  const list = (query: string, by: Person = buyer) => by.get(`/buyer/campaigns?${query}`);
  const cursorOf = async (query: string): Promise<string> => done(await list(query)).nextCursor;
  const idsOf = (data: { campaigns: { campaignId: string }[] }) =>
    data.campaigns.map(({ campaignId }) => campaignId);

  /** Every page of a list, gone on with by the cursor of the page before. */
  async function walk(query: string, between: (page: number) => Promise<unknown> = async () => undefined) {
    const pages: string[][] = [];
    let cursor = '';
    for (let page = 0; page < 20; page += 1) {
      const data = done(await list(`${query}${cursor}`));
      pages.push(idsOf(data));
      expect(data.hasMore).toBe(data.nextCursor !== undefined);
      if (data.nextCursor === undefined) return pages;
      cursor = `&cursor=${data.nextCursor}`;
      await between(page);
    }
    throw new Error('The list has no end.');
  }

  describe('200', () => {
    test('goes through every campaign once, in the order of the whole list, page after page', async () => {
      const whole = idsOf(done(await list('take=250')));

      for (const take of [1, 2, 3, 6, 7]) {
        const pages = await walk(`take=${take}`);
        expect(pages.flat()).toEqual(whole);
        expect(pages).toHaveLength(Math.ceil(whole.length / take));
      }
    });

    test('takes every filter along, and counts what the filters leave', async () => {
      for (const query of ['name=eta', 'status=DRAFT', `advertiserId=${advertiserId}`, 'mode=discovery']) {
        const whole = done(await list(`${query}&take=250`));
        const first = done(await list(`${query}&take=1`));
        const second = await list(`${query}&take=1&cursor=${first.nextCursor}`);

        expect((await walk(`${query}&take=1`)).flat()).toEqual(idsOf(whole));
        expect(done(second).total).toBe(whole.total);
        expect(second.body.meta.pagination).toMatchObject({
          skip: 0,
          take: 1,
          total: whole.total,
          hasMore: done(second).hasMore,
        });
      }
    });

    test('shows nothing twice and passes nothing over while campaigns are made and renamed', async () => {
      const before = idsOf(done(await list('take=250')));
      const pages = await walk('take=2', async (page) => {
        clock.skip(1_000);
        await create(`Between ${page}`);
        done(await buyer.put(`/buyer/campaigns/${before.at(-1)}`, { name: `Renamed ${page}` }));
      });

      expect(pages.flat()).toEqual(before);
    });

    test('goes on after the campaign it stood at left the list', async () => {
      const whole = idsOf(done(await list('take=250')));
      const nextCursor = await cursorOf('take=2');
      expect((await buyer.delete(`/buyer/campaigns/${whole[1]}`)).status).toBe(204);

      expect(idsOf(done(await list(`take=250&cursor=${nextCursor}`)))).toEqual(whole.slice(2));
    });

    test('takes another take and other fields, and filters that mean the same in another order', async () => {
      const nextCursor = await cursorOf('take=1&status=DRAFT&status=ACTIVE');
      const whole = idsOf(done(await list('take=250')));
      const page = done(
        await list(`take=3&fields=name&status=ACTIVE&status=DRAFT&management=managed&cursor=${nextCursor}`),
      );

      expect(idsOf(page)).toEqual(whole.slice(1, 4));
    });
  });

  describe('400', () => {
    test.each([
      'status=DRAFT',
      'name=Alpha',
      'mode=performance',
      'management=tracked',
      'includeArchived=true',
      'mediaBuyStatus=ACTIVE',
      'advertiserId=1',
    ])('VALIDATION_ERROR for a cursor of the list without %s', async (filter) => {
      const reply = await list(`${filter}&cursor=${await cursorOf('take=1')}`);

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { cursor: 'This cursor was made with other filters.' },
      });
    });

    test('VALIDATION_ERROR for a cursor of another account, though the filters are the same', async () => {
      const other = await newPerson(server);
      const theirs = await newAdvertiser(other);
      await create('Theirs', other, theirs);

      const reply = await list(`cursor=${await cursorOf('take=1')}`, other);

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { cursor: 'This is no cursor of this list.' },
      });
    });

    test('VALIDATION_ERROR for what is no cursor, and for one with a letter changed', async () => {
      const cursor = await cursorOf('take=1');
      const parts: string[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      const forged = [parts[0], 'cmp_zzzzzzzz', ...parts.slice(2)];
      const broken = [
        'x',
        'null',
        cursor.slice(0, -4),
        `${cursor.slice(0, 20)}${cursor[20] === 'A' ? 'B' : 'A'}${cursor.slice(21)}`,
        Buffer.from(JSON.stringify(forged)).toString('base64url'),
        Buffer.from('[1,2,3,4]').toString('base64url'),
      ];
      for (const one of broken) {
        expectRefusal(await list(`cursor=${one}`), 400, {
          code: 'VALIDATION_ERROR',
          at: { cursor: 'This is no cursor of this list.' },
        });
      }
      expectRefusal(await list(`cursor=${'a'.repeat(513)}`), 400, {
        code: 'VALIDATION_ERROR',
        at: { cursor: '512 characters at the most.' },
      });
    });

    test('VALIDATION_ERROR for a cursor beside skip', async () => {
      const reply = await list(`skip=1&cursor=${await cursorOf('take=1')}`);

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { skip: 'A cursor says where the list goes on: skip goes with no cursor.' },
      });
    });
  });
});
