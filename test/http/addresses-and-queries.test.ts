import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('what is written in an address', () => {
  let server: TestServer;
  let person: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
    advertiserId = await newAdvertiser(person);
  });
  afterAll(() => server.stop());

  test.each([
    'resourceTypes[]=ADVERTISER',
    'resourceTypes[]=advertiser&resourceTypes[]=CAMPAIGN',
    'resourceTypes=ADVERTISER,CAMPAIGN',
    'resourceTypes=ADVERTISER&resourceTypes=CAMPAIGN',
    'endDate=2030-01-01&limit=5&offset=0',
    'outcome=Succeeded&take=05',
  ])('as ?%s is understood as the list that it means', async (query) => {
    const { status, body } = await person.get(`/buyer/audit-logs?${query}`);

    expect(status).toBe(200);
    expect(body.data.logs).toEqual([expect.objectContaining({ resourceType: 'ADVERTISER' })]);
  });

  test.each([
    '/buyer/campaigns?status=ALL',
    '/buyer/storefronts?status=all',
    '/buyer/campaigns?status[]=ALL',
  ])('as %s is no filter', async (path) => {
    expect((await person.get(path)).status).toBe(200);
  });

  test('as a plus sign of an offset is one, though in a query it stands for a space', async () => {
    const at = async (offset: string) =>
      (await person.get(`/buyer/audit-logs?startDate=2020-01-01T00:00:00${offset}`)).body.data;

    expect(await at('+01:00')).toEqual(await at('%2B01:00'));
    expect((await at('+01:00')).total).toBeGreaterThan(0);
    expectRefusal(await person.get('/buyer/audit-logs?startDate=2020-01-01T00:00:00++01:00'), 400, {
      code: 'VALIDATION_ERROR',
      at: { startDate: /^Give a date and time with an offset/ },
    });
  });

  test('under a name with and without brackets is refused', async () => {
    const reply = await person.get('/buyer/audit-logs?actions[]=CREATE&actions=UPDATE');

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { actions: 'Give actions or actions[], not both.' },
    });
  });

  test.each(['GET', 'PUT', 'DELETE'])(
    'below a family that does not serve it is not there for %s',
    async (method) => {
      const reply = await fetch(`${server.url}/api/v2/buyer/advertisers/linked-brands`, {
        method,
        headers: { authorization: `Bearer ${person.key}` },
      });

      expect(reply.status).toBe(404);
      expect(await reply.text()).toContain('/openapi.json');
    },
  );

  test('as an id that is no number is wrong, where one could be meant', async () => {
    expectRefusal(await person.get(`/buyer/advertisers/${advertiserId}x`), 400, {
      code: 'VALIDATION_ERROR',
      at: { advertiserId: 'Give a number.' },
    });
    expect((await person.get(`/buyer/advertisers/${advertiserId}`)).status).toBe(200);
  });

  test('with a broken escape is told how to write it', async () => {
    const reply = await person.get('/buyer/campaigns/%ZZ');

    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: 'The path holds a broken % escape.' });
    expect(reply.text).toContain('%25');
  });

  test.each(['/docs', '/openapi.json', '/'])('as the page %s is there for reading only', async (path) => {
    const reply = await fetch(`${server.url}${path}`, { method: 'POST' });

    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('GET, HEAD');
    expect(await reply.text()).toContain('This address takes GET, HEAD.');
  });
});
