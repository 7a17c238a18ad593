import { afterEach, describe, expect, test } from 'vitest';
import { lookAtMail, lookAtProvider } from '../../adapters/cli/people-ways.ts';
import { readConfig } from '../../adapters/settings/config.ts';
import { CLIENT, type IdentityProvider, lyingProvider } from '../support/callers/identity-provider.ts';
import { freePort } from '../support/run/free-port.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { newAuthority } from '../support/server/receiver.ts';
import { type SmtpServer, startSmtpServer, type Temper } from '../support/server/smtp-server.ts';

const fresh = freshPlaces();
const PASSWORD = 'a password of the mail server';
const MAIL_FROM = 'Acme <no-reply@acme.example>';
/** Who says nothing is waited for no longer. */
const SOON_MS = 50;

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function mailServer(temper: Temper): Promise<SmtpServer & { readonly url: string }> {
  const server = await startSmtpServer({ temper });
  open.push(server);
  return Object.assign(server, { url: mailAt(server.port) });
}

const mailAt = (port: number) => `smtp://postbox:${encodeURIComponent(PASSWORD)}@localhost:${port}`;

async function provider(lies: Parameters<typeof lyingProvider>[0] = () => ({})): Promise<IdentityProvider> {
  const one = await lyingProvider(lies);
  open.push(one);
  return one;
}

describe('doctor looks at how people come and are reached', () => {
  test('and greets the mail server and asks the provider, which it sends no mail and nobody', async () => {
    const mail = await mailServer('takes');
    const { settings, issuer } = await provider();
    const { rialto } = await fresh({ MAIL_URL: mail.url, MAIL_FROM, ...settings });

    const { code, stdout } = await rialto('doctor');

    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(new RegExp(`^ok +mail +smtp://localhost:${mail.port} answers\\.$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^ok +sign-in +${issuer} answers\\.$`, 'm'));
    expect(mail.taken).toEqual([]);
  });

  test('and says of each that is not there what to do, without a secret', async () => {
    const port = await freePort();
    const gone = await lyingProvider(() => ({}));
    await gone.stop();
    const { rialto } = await fresh({ MAIL_URL: mailAt(port), MAIL_FROM, ...gone.settings });

    const { code, stdout } = await rialto('doctor');

    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^warn mail +smtp://localhost:${port} takes no mail: .*ECONNREFUSED.*\n +→ Start it, or`,
        'm',
      ),
    );
    expect(stdout).toMatch(
      new RegExp(`^warn sign-in +${gone.issuer} cannot be asked: .*ECONNREFUSED.*\n +→ Start it, or`, 'm'),
    );
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'postbox', CLIENT.secret, CLIENT.id]) {
      expect(stdout).not.toContain(secret);
    }
  });

  test('and says nothing of a mail server and a provider that the settings do not name', async () => {
    const { rialto } = await fresh();

    expect((await rialto('doctor')).stdout).not.toMatch(/^\w+ +(?:mail|sign-in) /m);
  });

  test('and waits for no mail server that says nothing', async () => {
    const mail = await mailServer('silent');

    const found = await lookAtMail(readConfig({ MAIL_URL: mail.url, MAIL_FROM }), SOON_MS);

    expect(found).toMatchObject([{ state: 'warned', about: 'mail' }]);
    expect(found[0]?.said).toMatch(/takes no mail: /);
  });

  test('and names a password that the mail server does not take, which it does not repeat', async () => {
    const mail = await mailServer('doubts');

    const found = await lookAtMail(readConfig({ MAIL_URL: mail.url, MAIL_FROM }));

    expect(found).toEqual([
      {
        state: 'warned',
        about: 'mail',
        said: `smtp://localhost:${mail.port} does not let this service in: it answered 535`,
        remedy: 'Correct the name and the password in MAIL_URL: until then no mail is sent.',
      },
    ]);
  });

  test('and has no mail go in clear: a server that knows no STARTTLS is told', async () => {
    const mail = await mailServer('takes');

    const found = await lookAtMail(readConfig({ MAIL_URL: `${mail.url}?requireTLS=true`, MAIL_FROM }));

    expect(found).toMatchObject([{ state: 'warned', remedy: expect.stringContaining('STARTTLS') }]);
  });

  test('and speaks TLS from the first byte with smtps, to none whose certificate is not believed', async () => {
    const authority = await newAuthority();
    const mail = await startSmtpServer({ authority, isImplicit: true });
    open.push(mail, { stop: async () => authority.remove() });
    const url = mailAt(mail.port).replace('smtp:', 'smtps:');

    const found = await lookAtMail(readConfig({ MAIL_URL: url, MAIL_FROM }));

    expect(found).toMatchObject([
      {
        state: 'warned',
        said: `smtps://localhost:${mail.port} takes no mail: self-signed certificate`,
      },
    ]);
  });

  test('and asks no provider at an address that the settings close, and names the setting', async () => {
    const { settings, issuer } = await provider();

    const found = await lookAtProvider(readConfig({ ...settings, OIDC_ALLOWED_CIDRS: '' }));

    expect(found).toMatchObject([{ state: 'warned', about: 'sign-in' }]);
    expect(found[0]?.said).toContain(`${issuer} is closed by the settings`);
    expect(found[0]?.remedy).toContain('OIDC_ALLOWED_CIDRS');
  });

  test('and does not take a provider that says it is another for the one of the settings', async () => {
    const { settings, issuer } = await provider(() => ({ issuer: 'https://other.example' }));

    const found = await lookAtProvider(readConfig(settings));

    expect(found).toMatchObject([
      { state: 'warned', remedy: expect.stringContaining('correct OIDC_ISSUER') },
    ]);
    expect(found[0]?.said).toContain(`${issuer} cannot be asked: `);
  });

  test('and waits for no provider that says nothing', async () => {
    const mail = await mailServer('silent');
    const issuer = `http://127.0.0.1:${mail.port}`;
    const { settings } = await provider();

    const found = await lookAtProvider(readConfig({ ...settings, OIDC_ISSUER: issuer }), SOON_MS);

    expect(found).toMatchObject([{ state: 'warned', about: 'sign-in' }]);
  });
});
