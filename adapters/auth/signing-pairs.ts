import type { JWK } from 'jose';
import { fromJson } from '../../store/engine/codec.ts';
import type { Store } from '../../store/engine/db.ts';
import { listSigningKeys, type SigningKeyRow } from '../../store/unscoped/signing-keys.ts';
import type { Secrets } from '../../tools/core/ports.ts';
import { signingKeyOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { keyIdIn } from '../ports/secrets.ts';

/** The half of a pair that checks what the other one signs, or signed. */
export interface PublicHalf {
  readonly kid: string;
  readonly publicJwk: JWK;
}

/** The pair that signs. */
export interface SigningPair extends PublicHalf {
  readonly privateJwk: JWK;
}

/** The pairs as they were read. */
export interface Known {
  readonly all: readonly PublicHalf[];
  /** Undefined where there is none, or none that can be opened here. */
  readonly signing: SigningPair | undefined;
  /** The one that should sign and cannot be opened here. */
  readonly unopened: Unopened | undefined;
}

export interface Unopened {
  readonly kid: string;
  /** Which secrets key opens it. */
  readonly keyId: string;
}

interface Parts {
  readonly store: Pick<Store, 'db'>;
  readonly secrets: Pick<Secrets, 'open'>;
}

/** Those that sign first, whenever they were made. To believe what a pair signed its private half is not needed. */
export async function readPairs(parts: Parts): Promise<Known> {
  const rows = await listSigningKeys(parts.store.db);
  const live = rows.filter(({ retired_at }) => retired_at === null);
  const retired = rows.filter(({ retired_at }) => retired_at !== null);
  const all = [...live, ...retired].map((row) => ({ kid: row.id, publicJwk: fromJson(row.public_jwk) }));
  const [first] = live;
  if (first === undefined) return { all, signing: undefined, unopened: undefined };
  const signing = opened(parts, first);
  const unopened = { kid: first.id, keyId: keyIdIn(first.private_sealed) };
  return { all, signing, unopened: signing === undefined ? unopened : undefined };
}

/** Undefined for one that was encrypted with a key that is not here. */
function opened({ secrets }: Parts, row: SigningKeyRow): SigningPair | undefined {
  try {
    const privateJwk = JSON.parse(secrets.open(row.private_sealed, signingKeyOwner(row.id))) as JWK;
    return { kid: row.id, publicJwk: fromJson(row.public_jwk), privateJwk };
  } catch {
    return undefined;
  }
}
