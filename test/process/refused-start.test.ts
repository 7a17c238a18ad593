import { describe, expect, test } from 'vitest';
import { listen } from '../support/sellers/seller-agent.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { runCommand } from '../support/server/service.ts';

describe('a start that cannot be', () => {
  const fresh = freshPlaces();

  test('stops at settings that cannot be used, and names every one of them at once', async () => {
    const wrong = {
      PORT: 'abc',
      DATABASE_URL: 'mysql://db',
      SECRETS_KEY: 'short',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
      SELLER_TIMEOUT_MS: '-1',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'rialto',
    };

    const { code, stdout, stderr } = await runCommand('main.js', await fresh(wrong));

    expect(code).toBe(1);
    const [first, ...lines] = stderr.trimEnd().split('\n');
    expect(first).toBe('The settings cannot be used:');
    const named = new Set(lines.map((line) => line.trim().split(':')[0]));
    expect([...named].sort()).toEqual(Object.keys(wrong).sort());
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
  });

  test('wants SECRETS_KEY in production', async () => {
    const { code, stderr } = await runCommand(
      'main.js',
      await fresh({ NODE_ENV: 'production', SECRETS_KEY: '' }),
    );

    expect(code).toBe(1);
    expect(stderr).toContain('SECRETS_KEY: required in production.');
  });

  test('says in plain words that its port is in use', async () => {
    const other = await listen((_req, res) => res.end());

    const { code, stderr } = await runCommand('main.js', await fresh({ PORT: new URL(other.url).port }));

    await other.stop();
    expect(code).toBe(1);
    expect(stderr).toBe('The port is in use. Set PORT to another one, or stop what listens there.\n');
  });

  test('says in plain words that the certificate file is not there', async () => {
    const { code, stderr } = await runCommand(
      'main.js',
      await fresh({ OUTBOUND_CA_FILE: '/nowhere/ca.pem' }),
    );

    expect(code).toBe(1);
    expect(stderr).toContain('/nowhere/ca.pem');
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
