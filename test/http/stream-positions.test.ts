import { afterAll, beforeAll, describe, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const TOO_LONG = 'e'.repeat(10_000);

describe('a place in a stream that is none', () => {
  let server: TestServer;
  let buyer: Person;
  let session: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const found = done(await buyer.post('/buyer/discovery/discover-products', { advertiserId }));
    session = `/buyer/discovery/${found.discoveryId}/events`;
  });
  afterAll(() => server.stop());

  const back = (path: string, lastEventId: string) =>
    buyer.send(path, { method: 'GET', headers: { 'last-event-id': lastEventId } });

  test.each([
    ['a discovery session', { field: 'sinceRevision', none: 'abc', path: () => session }],
    ['an account', { field: 'after', none: TOO_LONG, path: () => '/buyer/events' }],
  ])('is called as the reader of %s called it', async (_, { field, none, path }) => {
    const inQuery = await buyer.get(`${path()}?${field}=${none}`);
    const inHeader = await back(path(), none);
    const inBoth = await back(`${path()}?${field}=1`, none);

    const refusal = (place: string) => ({ code: 'VALIDATION_ERROR' as const, at: { [place]: /./ } });
    expectRefusal(inQuery, 400, refusal(field));
    expectRefusal(inHeader, 400, refusal('Last-Event-ID'));
    expectRefusal(inBoth, 400, refusal('Last-Event-ID'));
  });
});
