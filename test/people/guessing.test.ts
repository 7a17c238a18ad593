import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../adapters/people/passwords.ts';
import { type Answer, browserClient } from '../support/callers/browser-client.ts';
import { newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const WRONG = 'five wrong words in here';

describe('somebody who guesses passwords', () => {
  const clock = manualClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: { SIGN_IN_FAILURES_PER_IP: '12', SIGN_IN_FAILURES_PER_EMAIL: '4', MAILS_PER_IP: '1000' },
    });
  });
  afterAll(() => server.stop());

  const pass = () => clock.advance(15 * 60_000);
  const tries = async (emails: readonly string[], password = WRONG): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const email of emails)
      answers.push(await browserClient(server.url).submit('/sign-in', { email, password }));
    return answers;
  };

  test('of one account is stopped, with the time to wait, even where the next guess is right', async () => {
    pass();
    const { email } = await newAccount(server);

    const answers = await tries(Array.from({ length: 5 }, () => email));
    const [right] = await tries([email], PASSWORD);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429]);
    expect(right?.status).toBe(429);
    expect(Number(right?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(right?.text).toContain('Try again in 15 minutes');
    expect(right?.text).toContain('/forgotten');
  });

  test('of one account in many requests at once gets no more guesses than one after the other', async () => {
    pass();
    const { email } = await newAccount(server);

    const answers = await Promise.all(Array.from({ length: 20 }, () => tries([email])));

    const seen = answers.flat().filter(({ status }) => status === 401);
    expect(seen.length).toBeLessThanOrEqual(4);
    expect(answers.flat().filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(16);
  });

  test('of many accounts is stopped by where they come from', async () => {
    pass();

    const answers = await tries(Array.from({ length: 13 }, newAddress));

    expect(answers.slice(0, 12).every(({ status }) => status === 401)).toBe(true);
    expect(answers[12]?.status).toBe(429);
  });

  test('does not keep the owner out of a browser that was signed in before, nor from a link by mail', async () => {
    pass();
    const ada = await newAccount(server);
    await ada.submit('/settings/profile', {}, '/sign-out');
    await tries(Array.from({ length: 6 }, () => ada.email));

    const known = await ada.submit('/sign-in', { email: ada.email, password: PASSWORD });
    const mailed = await browserClient(server.url).submit('/forgotten', { email: ada.email });

    expect(known.status).toBe(303);
    expect(mailed.status).toBe(200);
    expect((await server.mail.next(ada.email)).text).toContain('/reset?token=');
  });

  test('gains nothing by the cookie of a known browser of another person', async () => {
    pass();
    const [ada, eve] = [await newAccount(server), await newAccount(server)];
    await eve.submit('/settings/profile', {}, '/sign-out');
    await tries(Array.from({ length: 5 }, () => ada.email));

    const answer = await eve.submit('/sign-in', { email: ada.email, password: WRONG });

    expect(answer.status).toBe(429);
  });

  test('is not counted for what was right: somebody may sign in again and again', async () => {
    pass();
    const { email } = await newAccount(server);

    const answers = await tries(
      Array.from({ length: 14 }, () => email),
      PASSWORD,
    );

    expect(answers.every(({ status }) => status === 303)).toBe(true);
  });

  test('may begin anew after a quarter of an hour', async () => {
    pass();
    const { email } = await newAccount(server);
    await tries(Array.from({ length: 5 }, () => email));

    pass();

    expect((await tries([email], PASSWORD))[0]?.status).toBe(303);
  });
});

describe('somebody who asks who has an account', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      own: true,
      settings: { SIGN_IN_FAILURES_PER_IP: '1000', SIGN_IN_FAILURES_PER_EMAIL: '1000', MAILS_PER_IP: '1000' },
    });
  });
  afterAll(() => server.stop());

  const withoutNames = ({ status, text }: Answer, email: string) => ({
    status,
    text: text.replaceAll(email, 'x').replace(/name="csrf" value="[^"]+"/g, ''),
  });

  test.each(['/sign-in', '/sign-up', '/forgotten'])('is told the same either way: %s', async (path) => {
    const { email } = await newAccount(server);
    const nobody = newAddress();

    const known = await browserClient(server.url).submit(path, { email, password: WRONG });
    const unknown = await browserClient(server.url).submit(path, { email: nobody, password: WRONG });

    expect(withoutNames(known, email)).toEqual(withoutNames(unknown, nobody));
    expect(Object.keys(Object.fromEntries(known.headers))).toEqual(
      Object.keys(Object.fromEntries(unknown.headers)),
    );
  });

  test('who has one is told by mail that there is one, and is given no second', async () => {
    const ada = await newAccount(server);

    await browserClient(server.url).submit('/sign-up', { email: ada.email });
    const mail = await server.mail.next(ada.email);

    expect(mail.text).toContain('There is one already');
    expect(mail.text).not.toContain('token=');
  });

  test('has so many mails sent to an address and no more, and is told nothing of it', async () => {
    const email = newAddress();
    const answers: Answer[] = [];
    for (let index = 0; index < 8; index += 1) {
      answers.push(await browserClient(server.url).submit('/sign-up', { email }));
    }
    // What was asked for last is sent last: once another address has its mail, these were dealt with.
    const last = newAddress();
    await browserClient(server.url).submit('/sign-up', { email: last });
    await server.mail.next(last);

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(server.mail.sent.filter(({ to }) => to === email)).toHaveLength(5);
  });
});

describe('the work that a password takes', () => {
  test('is done for an account that is not there, or has no password, as well', async () => {
    const done: object[] = [];
    const passwords = createPasswords({
      ...{ cost: 16, atOnce: 1, waiting: 60 },
      deriveBy: async (_password, { cost, blockSize, parallel, length, salt }) => {
        done.push({ cost, blockSize, parallel, length, salt: salt.length });
        return Buffer.alloc(length);
      },
    });
    const stored = await passwords.hash(WRONG);

    for (const one of [stored, undefined, null, '']) await passwords.verify(PASSWORD, one);

    expect(done).toHaveLength(5);
    const whole = { cost: 16, blockSize: 8, parallel: 1, length: 32, salt: 16 };
    for (const work of done) expect(work).toEqual(whole);
  });

  test('is stored with the hash: one made with less is still right, and is known to be old', async () => {
    const [before, now] = [
      createPasswords({ cost: 14, atOnce: 1, waiting: 60 }),
      createPasswords({ cost: 15, atOnce: 1, waiting: 60 }),
    ];
    const stored = await before.hash(PASSWORD);

    expect(await now.verify(PASSWORD, stored)).toBe(true);
    expect(await now.verify(WRONG, stored)).toBe(false);
    expect([now.isOld(stored), before.isOld(stored)]).toEqual([true, false]);
    expect(await before.hash(PASSWORD)).not.toBe(stored);
  });

  test('is never done for more than may wait: others are asked to come back', async () => {
    const passwords = createPasswords({ cost: 10, atOnce: 1, waiting: 20 });

    const results = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.verify(WRONG, null)));

    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(49);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  });
});
