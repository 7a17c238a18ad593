import type { Db } from '../engine/db.ts';
import { latestVersion, type TermsVersionTable } from '../terms.ts';

/** Makes a version of the terms known, once. False: it was known before, and stays as it was. */
export async function publishTerms(
  db: Db,
  version: Omit<TermsVersionTable, 'url'> & { readonly url?: string | null },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('terms_versions')
    .values({ url: null, ...version })
    .onConflict((key) => key.column('version').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The version that is asked for, since when, and where it is read. */
export type TermsInForce = TermsVersionTable;

export function termsInForce(db: Db, now: string): Promise<TermsInForce | undefined> {
  return latestVersion(db, now).executeTakeFirst();
}

export async function latestTerms(db: Db, now: string): Promise<string | undefined> {
  return (await termsInForce(db, now))?.version;
}
