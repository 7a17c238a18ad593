import type { Db, Store } from '../../store/engine/db.ts';
import { type SealedShare, sealedShares } from '../../tools/domain/sealing/rotation.ts';
import { keyIdOf } from '../ports/secrets.ts';
import { presentSecretsKeys } from '../process/secrets-key.ts';
import { type Config, ConfigError } from '../settings/config.ts';
import { type Finding, failed, fine, warned } from './findings.ts';

/** Whether the keys of this installation open what is stored, and whether one of before may go. */
export async function lookAtKeys(config: Config, { db }: Store): Promise<Finding[]> {
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
