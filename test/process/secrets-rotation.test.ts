import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyIdOf, sealWith } from '../../adapters/ports/secrets.ts';
import { listSigningKeys } from '../../store/unscoped/signing-keys.ts';
import { signingKeyOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { withStore } from '../support/callers/operator.ts';
import { engine } from '../support/database/database.ts';
import { runHere } from '../support/server/command-line.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { runCommand, type Service, startService } from '../support/server/service.ts';

type Settings = Readonly<Record<string, string>>;

const [OLD, NEW] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)] as const;
const text = (key: Buffer) => key.toString('base64');

describe('the key that encrypts stored credentials', { timeout: 60_000 }, () => {
  const places = freshPlaces();

  /** One that is killed counts as alive until its lease is over. */
  async function stopped(service: Service): Promise<void> {
    service.signal('SIGTERM');
    await service.ended;
  }

  async function fresh(base: Settings = {}) {
    const { folder, settings } = await places(base);
    const rialto = (more: Settings, ...args: string[]) => runHere({ ...settings, ...more }, args);
    /** As a process, which has its files where it runs. */
    const rialtoThere = (...args: string[]) => runCommand('rialto.js', { folder, settings, args });
    /** A service whose pair that signs was opened, or made. */
    const serve = async (more: Settings = {}) => {
      const service = await startService({ folder, settings: { ...settings, ...more } });
      const keys = await fetch(`${service.url}/.well-known/jwks.json`);
      return { service, kids: await keys.text() };
    };
    return { folder, settings, rialto, rialtoThere, serve };
  }

  const both = { SECRETS_KEY: text(NEW), SECRETS_KEY_PREVIOUS: text(OLD) };

  test('is changed while the service runs, and the key of before may go when the command says so', async () => {
    const { settings, rialto, serve } = await fresh();
    const first = await serve();
    await stopped(first.service);
    const { kids, service } = await serve(both);

    const before = await rialto(both, 'doctor');
    const rotated = await rialto(both, 'secrets', 'rotate');
    const after = await rialto(both, 'doctor');
    const again = await rialto(both, 'secrets', 'rotate');

    expect(kids).toBe(first.kids);
    expect(before.stdout).toMatch(
      /^warn secrets key +It opens what is stored; 1 of it with a key of before\.$/m,
    );
    expect(rotated.stdout.split('\n')).toEqual([
      `1 encrypted anew with the key ${keyIdOf(NEW)}.`,
      `Nothing stored needs the key ${keyIdOf(OLD)} any more: take it out of SECRETS_KEY_PREVIOUS or of secrets.key.`,
      'Backups made until now need it: keep it with them.',
      '',
    ]);
    expect(after.stdout).toContain(`Nothing needs ${keyIdOf(OLD)} any more`);
    expect(again.stdout).toContain('0 encrypted anew');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await stopped(service);
    expect((await serve({ SECRETS_KEY: text(NEW) })).kids).toBe(kids);
    const [pair] = await withStore(settings, ({ db }) => listSigningKeys(db));
    if (pair === undefined) throw new Error('no pair');
    expect(sealWith(NEW).open(pair.private_sealed, signingKeyOwner(pair.id))).toContain(pair.id);
    expect((await rialto({}, 'audit', 'list')).stdout).toContain('secrets_rotate');
  });

  test('is not changed while a process serves that could not open what it encrypts', async () => {
    const { settings, rialto, serve } = await fresh();
    await serve();

    const { code, stderr } = await rialto(both, 'secrets', 'rotate');

    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^A process serves without the key ${keyIdOf(NEW)}, .* run this again\\.`),
    );
    const [pair] = await withStore(settings, ({ db }) => listSigningKeys(db));
    expect(JSON.stringify(pair)).toContain(`v1.${keyIdOf(OLD)}.`);
  });

  test('that nobody has any more is named by doctor and the command, with how much it encrypted', async () => {
    const { rialto, serve } = await fresh();
    await stopped((await serve()).service);
    const words = `1 value in signing_keys.private_sealed under the key ${keyIdOf(OLD)}, which is not here`;
    const other = { SECRETS_KEY: text(NEW) };

    const doctor = await rialto(other, 'doctor');
    const rotated = await rialto(other, 'secrets', 'rotate');

    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(words);
    expect(rotated.stdout).toContain(words);
    expect(rotated.stdout).toContain('0 encrypted anew');
  });

  test('is put above those in secrets.key, whose service then encrypts with it', async () => {
    const { folder, rialtoThere, serve } = await fresh({ SECRETS_KEY: '' });
    const { service, kids } = await serve();
    const file = join(folder, engine === 'sqlite' ? 'secrets.key' : 'data/secrets.key');
    const [first] = readFileSync(file, 'utf8').trim().split('\n');

    const { stdout } = await rialtoThere('secrets', 'new-key');

    expect(stdout).toContain('secrets.key.\nRestart the service, then run npm run rialto -- secrets rotate.');
    const [newest, ...others] = readFileSync(file, 'utf8').trim().split('\n');
    expect(others).toEqual([first]);
    expect(newest).not.toBe(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const restart =
      /Restart the service, every process of it: each reads its keys in \S+secrets\.key when it starts; then r/;
    expect((await rialtoThere('doctor')).stdout).toMatch(new RegExp(`→ ${restart.source}un secrets rotate`));
    const early = (await rialtoThere('secrets', 'rotate')).stderr;
    expect(early).toMatch(
      new RegExp(`^A process serves without the key .*${restart.source.replace(/r$/, '')}run this`),
    );
    expect(early).not.toContain('SECRETS_KEY');
    await stopped(service);
    expect((await serve()).kids).toBe(kids);
    expect((await rialtoThere('secrets', 'rotate')).stdout).toContain('1 encrypted anew');
    if (engine === 'postgres') return;
    const backup = join(folder, 'kept.backup');
    await rialtoThere('backup', backup, '--with-secrets-key');
    expect(readFileSync(backup).includes(`${newest}\n${first}`)).toBe(true);
  });

  test('is not made in a file where the setting holds it', async () => {
    const { folder, rialtoThere } = await fresh();

    const { code, stderr } = await rialtoThere('secrets', 'new-key');

    expect(code).toBe(1);
    expect(stderr).toContain('Put its value into SECRETS_KEY_PREVIOUS');
    expect(existsSync(join(folder, 'secrets.key'))).toBe(false);
  });

  test('is refused at the start where one of before is none', async () => {
    const { rialto } = await fresh();

    const { code, stderr } = await rialto(
      { SECRETS_KEY_PREVIOUS: `${text(OLD)},${randomBytes(16).toString('base64')}` },
      'secrets',
      'rotate',
    );

    expect(code).toBe(1);
    expect(stderr).toContain('SECRETS_KEY_PREVIOUS: Give keys of 32 bytes in base64, separated by commas.');
  });
});
