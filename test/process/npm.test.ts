import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freshDatabase } from '../support/database/database.ts';
import { settingsFor } from '../support/server/service.ts';

const start = fileURLToPath(new URL('../../adapters/cli/start.mjs', import.meta.url));

/** What loads a part of the service with its first request, and the status it answers. */
const LATER: readonly (readonly [string, number])[] = [
  ['/', 200],
  ['/style.css', 200],
  ['/people.css', 200],
  ['/sign-in', 200],
  ['/sign-up', 200],
  ['/settings/profile', 200],
  ['/docs', 200],
  ['/docs/docs.js', 200],
  ['/openapi.json', 200],
  ['/mcp-manifest.json', 200],
  ['/llms.txt', 200],
  ['/api/v2/buyer/skill.md', 200],
  ['/api/v2/storefront/skill.md', 200],
  ['/auth.md', 200],
  ['/agent/claim', 200],
  ['/mcp/v2/buyer', 401],
  ['/.well-known/oauth-authorization-server', 200],
  // Loads the library of authorization.
  ['/authorize?client_id=nobody', 400],
];

test('a service that npm started answers everywhere, and stops when npm is told to: its shell ends without passing the signal on', async () => {
  const database = await freshDatabase();
  // As npm does it: a shell between, and a word in the environment.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${start}"; true`], {
    env: { PATH: process.env['PATH'] ?? '', ...settingsFor(database), npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const ready = new Promise<void>((resolve) => {
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('"msg":"ready"')) resolve();
    });
  });
  await ready;
  const url = /"url":"([^"]+)"/.exec(printed)?.[1];
  for (const [path, status] of LATER) {
    expect((await fetch(`${url}${path}`)).status, path).toBe(status);
  }

  shell.kill('SIGTERM');
  // The pipe closes once nobody is left who could write into it.
  await once(shell, 'close');

  expect(printed).toContain('"msg":"stopped"');
  await database.drop();
});
