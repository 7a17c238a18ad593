import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMail } from '../../adapters/mail/mail.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { PASSWORD } from '../support/callers/signed-in.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { manualClock } from '../support/run/clock.ts';
import { type Authority, newAuthority } from '../support/server/receiver.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';
import { type SmtpServer, startSmtpServer, type TakenMail } from '../support/server/smtp-server.ts';

describe('mails by SMTP', () => {
  let database: TestDatabase;
  let authority: Authority;
  let server: SmtpServer | undefined;

  beforeAll(async () => {
    database = await freshDatabase();
    authority = await newAuthority();
  });
  afterEach(async () => {
    await killServices();
    await server?.stop();
    server = undefined;
  });
  afterAll(async () => {
    authority.remove();
    await database.drop();
  });

  const serviceWith = (url: string): Promise<Service> =>
    startService({
      folder: database.folder,
      settings: {
        ...settingsFor(database),
        MAIL_URL: url,
        MAIL_FROM: 'Acme <no-reply@acme.example>',
        NODE_EXTRA_CA_CERTS: authority.file,
      },
    });

  /** The text of a mail as its reader sees it. */
  function textOf({ raw }: TakenMail): string {
    const [, ...body] = raw.split('\n\n');
    return body
      .join('\n\n')
      .replace(/=\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }

  const signUp = (service: Service, email: string) =>
    browserClient(service.url).submit('/sign-up', { email });

  test('go over STARTTLS with the name and password of MAIL_URL, and what is in them works', async () => {
    server = await startSmtpServer({ authority });
    const service = await serviceWith(`smtp://rialto:p%40ss@localhost:${server.port}`);
    const email = 'ada@smtp.example';

    await signUp(service, email);
    const mail = await server.next();

    expect(mail).toMatchObject({ isEncrypted: true, login: 'rialto p@ss' });
    expect(mail.from).toContain('<no-reply@acme.example>');
    expect(mail.to).toContain(`<${email}>`);
    expect(mail.raw).toMatch(/^From: Acme <no-reply@acme\.example>$/m);
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated$/m);
    const { pathname, search } = new URL(/https?:\/\/\S+/.exec(textOf(mail))?.[0] ?? '');
    const browser = browserClient(service.url);
    const made = await browser.submit(
      `${pathname}${search}`,
      { name: 'Ada', password: PASSWORD },
      '/sign-up/finish',
    );
    expect(made.status).toBe(303);
    expect((await browser.get('/settings/profile')).text).toContain(email);
  });

  test('go over TLS from the first byte with smtps', async () => {
    server = await startSmtpServer({ authority, isImplicit: true });
    const service = await serviceWith(`smtps://localhost:${server.port}`);

    await signUp(service, 'bob@smtp.example');

    expect((await server.next()).isEncrypted).toBe(true);
  });

  test('never go in clear to a server beyond this machine, nor to one whose certificate is not believed', async () => {
    server = await startSmtpServer();
    const service = await serviceWith(`smtp://localhost:${server.port}?requireTLS=true`);

    await signUp(service, 'eve@smtp.example');
    await service.says('background work failed');

    expect(server.taken).toEqual([]);
  });

  test.each([
    ['refuses the mailbox', 'refuses', 'No such mailbox here'],
    ['is not there', undefined, 'ECONNREFUSED'],
  ] as const)(
    'are in the log where the server %s, and the page stands as ever',
    async (_what, temper, word) => {
      server = await startSmtpServer(temper === undefined ? {} : { temper });
      const { port } = server;
      if (temper === undefined) await server.stop();
      const service = await serviceWith(`smtp://localhost:${port}`);
      if (temper === undefined) server = undefined;

      const page = await signUp(service, 'gone@smtp.example');
      await service.says('background work failed');

      expect(page.status).toBe(200);
      expect(service.output()).toContain(word);
      expect(service.output()).toContain('mail to a person');
      expect(service.output()).not.toContain('token=');
    },
  );

  test.each(['silent', 'dawdling'] as const)('keep nobody waiting: the server is %s', async (temper) => {
    server = await startSmtpServer({ temper });
    const service = await serviceWith(`smtp://localhost:${server.port}`);

    const page = await signUp(service, 'slow@smtp.example');
    await server.connected(1);
    const signIn = await browserClient(service.url).submit('/sign-in', {
      email: 'nobody@smtp.example',
      password: PASSWORD,
    });

    expect(page.status).toBe(200);
    expect(service.output()).not.toContain('background work failed');
    expect(signIn.status).toBe(401);
  });

  test.each(['silent', 'dawdling'] as const)('end after 20 s: the server is %s', async (temper) => {
    server = await startSmtpServer({ temper });
    const clock = manualClock();
    const config = {
      mailUrl: `smtp://localhost:${server.port}`,
      mailFrom: 'a@acme.example',
      brand: 'rialto',
    };
    const mail = createMail({ config, clock, folder: database.folder });

    const sent = mail.send({ to: 'slow@smtp.example', subject: 'Slow', text: 'Slow' });
    await server.connected(1);
    clock.advance(20_000);

    await expect(sent).rejects.toThrow('did not take a mail within 20 s');
  });
});
