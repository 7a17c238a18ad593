import type { Db, Store } from '../../store/engine/db.ts';
import { listProcesses } from '../../store/unscoped/processes.ts';
import { momentOf } from '../../tools/core/moments.ts';
import { type SealedShare, sealedShares } from '../../tools/domain/sealing/rotation.ts';
import { keyIdOf } from '../ports/secrets.ts';
import { presentSecretsKeys, secretsFile } from '../process/secrets-key.ts';
import { type Config, ConfigError } from '../settings/config.ts';
import { type Finding, failed, fine, warned } from './findings.ts';

/** Whether the keys of this installation open what is stored, and whether one of before may go. */
export async function lookAtKeys(config: Config, store: Store): Promise<Finding[]> {
  const living = await livingKeys(store, config.processLeaseMs);
  return [...apartIn(config, living), ...(await lookAtValues(config, store, living))];
}

/** What one process encrypts the others have to open. */
function apartIn(config: Config, living: readonly (readonly string[])[]): Finding[] {
  const newest = new Set(living.flatMap(([first]) => first ?? []));
  const apart = [...newest].filter((keyId) => living.some((known) => !known.includes(keyId)));
  if (apart.length === 0) return [];
  return [
    failed(
      ABOUT,
      `Processes that serve together do not open what each other encrypts: not all of them have ${apart.join(', ')}.`,
      `${restartWords(config)}; then secrets rotate.`,
    ),
  ];
}

/** The keys of each process that was seen within its lease. */
export async function livingKeys({ db }: Store, leaseMs: number): Promise<readonly (readonly string[])[]> {
  const since = momentOf(Date.now() - leaseMs);
  const rows = await listProcesses(db);
  return rows
    .filter(({ seen_at }) => seen_at >= since)
    .map(({ secret_keys }) => secret_keys?.split(' ') ?? []);
}

async function lookAtValues(
  config: Config,
  { db }: Store,
  living: readonly (readonly string[])[],
): Promise<Finding[]> {
  const known = readIds(config);
  // Without them nothing can be said of what is stored; why they cannot be read is told among the settings.
  if (known === undefined) return [];
  const shares = await sealedShares(db);
  const lost = shares.filter(({ keyId }) => !known.includes(keyId));
  if (lost.length > 0) {
    return lost.map((share) =>
      failed(
        ABOUT,
        `What is stored was encrypted with another key. ${lostWords(share)}`,
        'Set SECRETS_KEY to that one, or put its secrets.key back beside the database; then secrets rotate.',
      ),
    );
  }
  const [newest, ...previous] = known;
  const old = shares.filter(({ keyId }) => keyId !== newest).reduce((sum, { count }) => sum + count, 0);
  if (old > 0) {
    const said = `It opens what is stored; ${old} of it with a key of before.`;
    const isEverywhere = living.every((keyIds) => keyIds.includes(newest ?? ''));
    const rotate = 'un secrets rotate, so that the key of before may go.';
    return [warned(ABOUT, said, isEverywhere ? `R${rotate}` : `${restartWords(config)}; then r${rotate}`)];
  }
  return previous.length === 0
    ? [fine(ABOUT, 'It opens what is stored.')]
    : [fine(ABOUT, `It opens what is stored. Nothing needs ${previous.join(', ')} any more: take it out.`)];
}

/** How every process comes by the keys that a command has: it reads them when it starts, and never again. */
export function restartWords(config: Config): string {
  return config.secretsKey === undefined
    ? `Restart the service, every process of it: each reads its keys in ${secretsFile(config)} when it starts`
    : 'Restart the service, every process of it, with SECRETS_KEY as it is here and the key of before in ' +
        'SECRETS_KEY_PREVIOUS';
}

const ABOUT = 'secrets key';

/** Values that no key of this installation opens; a file of keys that cannot be used is a `ConfigError`. */
export async function lostShares(config: Config, db: Db): Promise<readonly SealedShare[]> {
  const known = presentSecretsKeys(config).map(keyIdOf);
  return (await sealedShares(db)).filter(({ keyId }) => !known.includes(keyId));
}

/** What nothing here can open, and what to do about it. */
export function lostWords({ where, keyId, count }: SealedShare): string {
  const what = count === 1 ? '1 value' : `${count} values`;
  return `${what} in ${where} under the key ${keyId}, which is not here: add it to SECRETS_KEY_PREVIOUS.`;
}

/** The keys that are here, the newest first; undefined where their file cannot be used. */
function readIds(config: Config): readonly string[] | undefined {
  try {
    return presentSecretsKeys(config).map(keyIdOf);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
