import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('browser_origin_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 201, and pages of the origin call with credentials of that organization alone', async () => {
    const [person, stranger] = [await newPerson(server), await newPerson(server)];
    const admin = await managerOf(server, person.organizationId);
    const origin = `https://page-${person.organizationId}.example`;
    const ask = (key: string) =>
      person.send('/buyer/advertisers', { headers: { origin, authorization: `Bearer ${key}` } });
    expectRefusal(await ask(person.key), 403, {
      code: 'FORBIDDEN',
      words: 'The page that calls is of another origin.',
    });

    const reply = await admin.post('/buyer/browser-origins', { origin, label: 'Dashboard' });

    expect(reply.status).toBe(201);
    const own = await ask(person.key);
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect(own.headers.get('access-control-allow-credentials')).toBeNull();
    expectRefusal(await ask(stranger.key), 403, {
      code: 'FORBIDDEN',
      words: 'The page that calls is of an origin that your organization has not named.',
    });
    const preflight = await person.send('/buyer/advertisers', { method: 'OPTIONS', headers: { origin } });
    expect(preflight.status).toBe(204);
    const byCookie = await admin.send('/buyer/advertisers', {
      headers: { origin, 'sec-fetch-site': 'cross-site' },
    });
    expectRefusal(byCookie, 401, {
      code: 'UNAUTHORIZED',
      words: 'This browser is signed in, and nothing shows that a page of this service sent the request.',
    });
  });

  test('is a setting that a key with buyer:admin makes, lists and takes away, and no lesser one', async () => {
    const acme = await newPerson(server, { permissions: ['buyer:admin'] });
    const writer = await acme.withKey(['buyer:write', 'account:admin']);
    const origin = 'https://made-by-key.example';

    expectRefusal(await writer.post('/buyer/browser-origins', { origin }), 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the permission buyer:admin.',
    });
    const made = await acme.post('/buyer/browser-origins', { origin });
    const listed = await acme.get('/buyer/browser-origins');
    const gone = await acme.delete(`/buyer/browser-origins/${made.body.data.id}`);

    expect([made.status, listed.status, gone.status]).toEqual([201, 200, 204]);
    expect(listed.text).toContain(origin);
  });

  test.each([
    'http://app.example',
    'https://app.example/',
    'https://APP.example',
    'https://u@app.example',
    '*',
  ])('refuses what is no origin: %s', async (origin) => {
    const admin = await managerOf(server, (await newPerson(server)).organizationId);

    const reply = await admin.post('/buyer/browser-origins', { origin });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        origin: 'Give an origin such as https://app.acme.example: https, no path, no blank and nothing else.',
      },
    });
  });

  test('answers CONFLICT for one that is there', async () => {
    const admin = await managerOf(server, (await newPerson(server)).organizationId);
    const origin = 'https://twice.example';
    await admin.post('/buyer/browser-origins', { origin });

    expectRefusal(await admin.post('/buyer/browser-origins', { origin }), 409, {
      code: 'CONFLICT',
      words: 'Your organization has this origin already.',
    });
  });
});
