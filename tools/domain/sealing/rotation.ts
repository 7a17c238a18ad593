import type { Db, Store } from '../../../store/engine/db.ts';
import {
  countSealed,
  listSealedRows,
  replaceSealed,
  type SealedPlace,
  type SealedRow,
} from '../../../store/unscoped/sealed.ts';
import type { Actor } from '../../core/context.ts';
import type { Secrets } from '../../core/ports.ts';
import { secretsKeyKind } from '../organizations/kinds.ts';
import { sealedPlaces } from './places.ts';

/** Rows of a step. Callers write between two of them. */
const ROWS = 100;

/** How many values of a column a key encrypted. */
export interface SealedShare {
  /** `table.column`. */
  readonly where: string;
  readonly keyId: string;
  readonly count: number;
}

/** Who encrypted what is stored. */
export async function sealedShares(db: Db): Promise<readonly SealedShare[]> {
  const shares: SealedShare[] = [];
  for (const place of sealedPlaces) {
    for (const { key_id: keyId, count } of await countSealed(db, place)) {
      shares.push({ where: `${place.table}.${place.column}`, keyId, count });
    }
  }
  return shares;
}

/**
 * Encrypts with the newest key what another one encrypted, in small steps; gives how many values. It can be stopped
 * and begun again at any time: what is done is done. What no key opens that is known here stays as it is; `damaged`
 * is told of each value that its own key does not open, as `table.column of key`.
 */
export async function sealAnew(
  store: Pick<Store, 'db' | 'transaction'>,
  secrets: Secrets,
  damaged: (where: string) => void = () => {},
): Promise<number> {
  let done = 0;
  for (const place of sealedPlaces) {
    let after: SealedRow['key'] | undefined;
    do {
      const asked = { except: secrets.keyIds[0], after, limit: ROWS };
      const rows = await listSealedRows(store.db, place, asked);
      if (rows.length === 0) break;
      done += await store.transaction((tx) => sealRows(tx, { place, rows, secrets, damaged }));
      after = rows.length < ROWS ? undefined : rows.at(-1)?.key;
    } while (after !== undefined);
  }
  return done;
}

interface Rotated {
  /** How many values are encrypted with the newest key that were not before. */
  readonly done: number;
  /** What no key opens although its own is here. */
  readonly damaged: readonly string[];
}

/** The same by the operator: where anything was encrypted anew, the installation's own log says so. */
export async function rotateSecrets(
  operator: Actor,
  store: Pick<Store, 'db' | 'transaction'>,
  secrets: Secrets,
): Promise<Rotated> {
  const damaged: string[] = [];
  const before = await sealedShares(store.db);
  const done = await sealAnew(store, secrets, (where) => damaged.push(where));
  if (done > 0) await note(operator, secrets, { before, done });
  return { done, damaged };
}

async function note(
  operator: Actor,
  { keyIds: [newest, ...previous] }: Secrets,
  { before, done }: { readonly before: readonly SealedShare[]; readonly done: number },
): Promise<void> {
  const withNewest = before
    .filter(({ keyId }) => keyId === newest)
    .reduce((sum, { count }) => sum + count, 0);
  const others = previous.filter((known) => before.some(({ keyId }) => keyId === known));
  await operator.write(async () => undefined, {
    kind: secretsKeyKind,
    action: 'UPDATE',
    resourceId: newest,
    changes: {
      encryptedWith: { from: others, to: newest },
      encrypted: { from: withNewest, to: withNewest + done },
    },
    tenant: 'installation',
  });
}

interface Step {
  readonly place: SealedPlace;
  readonly rows: readonly SealedRow[];
  readonly secrets: Secrets;
  damaged(where: string): void;
}

/** One damaged value must not keep all others under an old key. */
function opened(secrets: Secrets, sealed: SealedRow['sealed'], owner: string): string | undefined {
  try {
    return secrets.open(sealed, owner);
  } catch {
    return undefined;
  }
}

async function sealRows(tx: Db, { place, rows, secrets, damaged }: Step): Promise<number> {
  let done = 0;
  for (const row of rows.filter(({ key_id }) => secrets.keyIds.includes(key_id))) {
    const owner = place.owner(String(row.key));
    const plain = opened(secrets, row.sealed, owner);
    if (plain === undefined) {
      damaged(`${place.table}.${place.column} of ${row.key}`);
      continue;
    }
    const fingerprint = secrets.fingerprint(plain, place.found?.purpose ?? '');
    const by = secrets.seal(plain, owner);
    if (await replaceSealed(tx, place, { of: row, by, fingerprint })) done += 1;
  }
  return done;
}
