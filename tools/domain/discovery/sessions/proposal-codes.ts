import type { StorefrontProposalRow } from '../../../../store/storefront-proposals.ts';
import { closeCode, listOpenCodes } from '../../../../store/unscoped/proposal-codes.ts';
import type { Services } from '../../../core/context.ts';
import type { Secrets } from '../../../core/ports.ts';
import { CODE_PURPOSE, proposalCodeOwner } from './proposal-code-owner.ts';

type Kept = Pick<StorefrontProposalRow, 'code' | 'code_sealed' | 'id'>;

/** The code of a proposal, for its seller. */
export function codeOf({ code, code_sealed: sealed, id }: Kept, secrets: Pick<Secrets, 'open'>): string {
  return sealed === null ? code : secrets.open(sealed, proposalCodeOwner(id));
}

/** The same, or null where no key that is here opens it: what else there is to say of it needs none. */
export function codeIfOpened(row: Kept, secrets: Pick<Secrets, 'open'>): string | null {
  try {
    return codeOf(row, secrets);
  } catch {
    return null;
  }
}

/** What a code that somebody gives may be kept as. One of before it was encrypted is kept as it is. */
export function placesOfCode(code: string, secrets: Pick<Secrets, 'fingerprints'>): readonly string[] {
  return [...secrets.fingerprints(code, CODE_PURPOSE), code];
}

/** Encrypts codes that stand as they are, a step of them; gives whether there may be more. */
export async function closeOpenCodes({ store, ports: { secrets } }: Services): Promise<boolean> {
  const rows = await listOpenCodes(store.db);
  if (rows.length === 0) return false;
  await store.transaction(async (tx) => {
    for (const { id, code } of rows) {
      const sealed = secrets.seal(code, proposalCodeOwner(id));
      await closeCode(tx, { id, fingerprint: secrets.fingerprint(code, CODE_PURPOSE), sealed });
    }
  });
  return true;
}
