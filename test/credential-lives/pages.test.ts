import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../support/callers/event-reader.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectEnded } from '../support/callers/refusals.ts';
import { answersLater, productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { newWorld, type World } from './world.ts';

describe('a page of an origin that an organization names', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });
  afterAll(() => world.stop());

  test('has its streams ended, in whichever process, when the origin is taken away, and no others end', async () => {
    const { one, other, ada } = world;
    const owner = await newPerson(one);
    const admin = await managerOf(one, owner.organizationId);
    const name = async (origin: string) =>
      done(await admin.post('/buyer/browser-origins', { origin })).id as string;
    const [gone, stays] = ['https://gone.example', 'https://stays.example'];
    const id = await name(gone);
    await name(stays);
    const gate = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
    const advertiserId = await newAdvertiser(owner);
    const asked = { advertiserId, storefrontIds: [ada.storefrontId], waitSeconds: 0 };
    const { discoveryId } = done(await owner.post('/buyer/discovery/discover-products', asked));
    const at = (origin: string | undefined) => readEvents(other, owner, { discoveryId, origin });
    const [ended, going, script] = [await at(gone), await at(stays), await at(undefined)];

    expect((await admin.delete(`/buyer/browser-origins/${id}`)).status).toBe(204);
    const [last, ...more] = await ended.rest();
    gate.open();

    expectEnded(last, {
      code: 'FORBIDDEN',
      words: 'The page that calls is of an origin that your organization has not named.',
    });
    expect(more).toEqual([]);
    for (const reader of [going, script]) {
      expect((await reader.rest()).map(({ event }) => event)).toEqual(['complete']);
    }
  });
});
