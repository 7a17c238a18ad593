import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { clientFor } from '../support/callers/client.ts';
import { storeOperator, withStore } from '../support/callers/operator.ts';
import { PASSWORD } from '../support/callers/signed-in.ts';
import { ownService } from '../support/server/own-place.ts';
import { runCommand } from '../support/server/service.ts';

describe('people at a service on a fresh machine', () => {
  const here = ownService({ NODE_ENV: 'development', PASSWORD_COST: '14' }, (settings) =>
    withStore(settings, (store) => agentSandbox(storeOperator(store))),
  );

  /** As a process, which has its files where it runs. */
  const rialtoThere = (...args: string[]) => runCommand('rialto.js', { ...here.place.launch, args });
  const files = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    );
  const fileNamed = (end: string) => {
    const found = files(here.place.database.folder).find((name) => name.endsWith(end));
    if (found === undefined) throw new Error(`There is no file ${end}.`);
    return found;
  };
  const pathOf = (link: string) => {
    const { pathname, search } = new URL(link.trim());
    return `${pathname}${search}`;
  };

  /** What an agent that nobody has claimed reads in, and here before there is anything else. */
  const agentSandbox = (operator: Operator) =>
    createOrganization(operator, { name: 'Sandbox of an agent', kind: 'sandbox', roles: ['BUYER'] });

  test('sign in once by the link of the first start, in a file that its user alone can read, and the key goes on', async () => {
    const file = fileNamed('sign-in.link');
    const browser = browserClient(here.url);

    const done = await browser.submit(pathOf(readFileSync(file, 'utf8')), {
      email: 'ada@first.example',
      name: 'Ada',
      password: PASSWORD,
    });
    const organizations = await browser.get('/settings/organizations');
    const called = await browser.get('/api/v2/buyer/advertisers');

    const again = await browserClient(here.url).get(pathOf(readFileSync(file, 'utf8')));
    const key = readFileSync(fileNamed('sandbox.key'), 'utf8').trim();

    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(done.status).toBe(303);
    expect(again.status).toBe(410);
    expect((await clientFor(here.url, key).get('/buyer/advertisers')).status).toBe(200);
    expect(organizations.text).toContain('Sandbox');
    expect(organizations.text).not.toContain('Sandbox of an agent');
    expect(called.text).toContain('Acme Running');
  });

  test('get their mails shown to the operator, in files that nobody else can read', async () => {
    const browser = browserClient(here.url);
    await browser.submit('/sign-up', { email: 'bob@first.example' });

    const { stdout } = await rialtoThere('mail', 'list');
    const [newest = '', link = ''] = stdout.split('\n');
    const finished = await browser.submit(
      pathOf(link),
      { name: 'Bob', password: PASSWORD },
      '/sign-up/finish',
    );

    expect(newest).toContain('bob@first.example');
    expect(finished.status).toBe(303);
    expect(statSync(fileNamed('.eml')).mode & 0o777).toBe(0o600);
  });

  test('become administrators of the sandbox by another link, and of no sandbox of an agent', async () => {
    const { stdout } = await rialtoThere('admin', 'link');
    const [, link = ''] = stdout.split('\n');

    const page = await browserClient(here.url).get(pathOf(new URL(link.trim()).href));

    expect(page.status).toBe(200);
    expect(stdout).toContain('administers Sandbox:');
  });

  test('are sent to the provider of their organization that the operator names, and no more once it is removed', async () => {
    const options = ['--organization', '1', '--domain', 'corp.example'];
    const made = await here.rialto(
      'provider',
      'set',
      ...options,
      '--issuer',
      'https://login.corp.example',
      '--client-id',
      'c',
      '--client-secret',
      'hush',
    );
    const listed = await here.rialto('provider', 'list', '--organization', '1');
    const page = await browserClient(here.url).get('/sign-in');
    const removed = await here.rialto('provider', 'remove', ...options);
    const after = await browserClient(here.url).get('/sign-in');

    expect(made.stdout).toContain('/sign-in/callback/corp.example');
    expect(listed.stdout).toContain('https://login.corp.example');
    expect(`${made.stdout}${listed.stdout}`).not.toContain('hush');
    expect(page.text).toContain('Continue with your organization');
    expect(removed.code).toBe(0);
    expect(after.text).not.toContain('Continue with your organization');
  });
});
