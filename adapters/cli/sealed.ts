import type { Db, Store } from '../../store/engine/db.ts';
import { listProcesses } from '../../store/unscoped/processes.ts';
import { type SealedShare, sealedShares } from '../../tools/domain/sealing/rotation.ts';
import { keyIdOf } from '../ports/secrets.ts';
import { presentSecretsKeys } from '../process/secrets-key.ts';
import { type Config, ConfigError } from '../settings/config.ts';
import { type Finding, failed, fine, warned } from './findings.ts';

/** Whether the keys of this installation open what is stored, and whether one of before may go. */
export async function lookAtKeys(config: Config, store: Store): Promise<Finding[]> {
  const living = await livingKeys(store, config.processLeaseMs);
  return [...apartIn(living), ...(await lookAtValues(config, store))];
}

/** What one process encrypts the others have to open. */
function apartIn(living: readonly (readonly string[])[]): Finding[] {
  const newest = new Set(living.flatMap(([first]) => first ?? []));
  const apart = [...newest].filter((keyId) => living.some((known) => !known.includes(keyId)));
  if (apart.length === 0) return [];
  return [
    failed(
      ABOUT,
      `Processes that serve together do not open what each other encrypts: not all of them have ${apart.join(', ')}.`,
      'Start every process with the same SECRETS_KEY, and the other keys in SECRETS_KEY_PREVIOUS; then secrets rotate.',
    ),
  ];
}

/** The keys of each process that was seen within its lease. */
export async function livingKeys({ db }: Store, leaseMs: number): Promise<readonly (readonly string[])[]> {
  const since = new Date(Date.now() - leaseMs).toISOString();
  const rows = await listProcesses(db);
  return rows
    .filter(({ seen_at }) => seen_at >= since)
    .map(({ secret_keys }) => secret_keys?.split(' ') ?? []);
}

async function lookAtValues(config: Config, { db }: Store): Promise<Finding[]> {
  const known = knownIds(config);
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
    return [warned(ABOUT, said, 'Run secrets rotate, so that the key of before may go.')];
  }
  return previous.length === 0
    ? [fine(ABOUT, 'It opens what is stored.')]
    : [fine(ABOUT, `It opens what is stored. Nothing needs ${previous.join(', ')} any more: take it out.`)];
}

const ABOUT = 'secrets key';

/** Values that no key of this installation opens. */
export async function lostShares(config: Config, db: Db): Promise<readonly SealedShare[]> {
  const known = knownIds(config);
  return (await sealedShares(db)).filter(({ keyId }) => !known.includes(keyId));
}

/** What nothing here can open, and what to do about it. */
export function lostWords({ where, keyId, count }: SealedShare): string {
  const what = count === 1 ? '1 value' : `${count} values`;
  return `${what} in ${where} under the key ${keyId}, which is not here: add it to SECRETS_KEY_PREVIOUS.`;
}

function knownIds(config: Config): readonly string[] {
  try {
    return presentSecretsKeys(config).map(keyIdOf);
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
