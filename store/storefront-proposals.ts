import type { Generated, Selectable } from 'kysely';
import { byIdInAccount } from './engine/by-id.ts';
import type { Sealed } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Scope } from './engine/scope.ts';
import { atVersion, type Change, inAccount, nextVersion, ofAccount } from './engine/scoped.ts';

export const proposalStatuses = ['active', 'redeemed', 'expired', 'revoked'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

/** What a seller offers to one buyer, who takes it up by its code. */
export interface StorefrontProposalTable {
  id: Generated<number>;
  /** The seller's. */
  organization_id: number;
  customer_id: number;
  storefront_id: number;
  /**
   * What its code is found by: a fingerprint. The code is `PRP-` and six letters or digits, and opens for the
   * operator alone that it is for; in rows of before it was encrypted it stands here, until housekeeping comes.
   */
  code: string;
  /** The code, encrypted for this row. */
  code_sealed: Sealed | null;
  /** Whom it is for: an account, or the organization with this domain. */
  operator_customer_id: number | null;
  operator_domain: string | null;
  label: string;
  notes: string | null;
  expires_at: string;
  /** The session in which its seller proposed it. */
  session_id: string;
  agent_id: string;
  proposal_id: string;
  /** The proposal and its products as they were then, as JSON. */
  snapshot: string;
  created_by: string;
  created_at: string;
  first_viewed_at: string | null;
  last_viewed_at: string | null;
  revoked_at: string | null;
  redeemed_at: string | null;
  redeemed_campaign_id: string | null;
  redeemed_media_buy_id: string | null;
  /** Counts what its seller changes, not that its buyer looks at it. */
  version: number;
}

/** Codes that an account tried since a moment. */
export interface ProposalCodeTriesTable {
  organization_id: number;
  customer_id: number;
  since: string;
  tries: number;
}

export type StorefrontProposalRow = Selectable<StorefrontProposalTable>;

declare module './engine/database.ts' {
  interface Database {
    storefront_proposals: StorefrontProposalTable;
    proposal_code_tries: ProposalCodeTriesTable;
  }
}

export function insertProposal(
  db: Db,
  scope: Scope,
  row: Omit<StorefrontProposalRow, 'id' | 'organization_id' | 'customer_id' | 'code_sealed'>,
): Promise<StorefrontProposalRow> {
  return db
    .insertInto('storefront_proposals')
    .values(ofAccount(scope, { ...row, code_sealed: null }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How many proposals a storefront has, whatever became of them. */
export async function countProposals(db: Db, scope: Scope, storefrontId: number): Promise<number> {
  const { count } = await db
    .selectFrom('storefront_proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .$call(inAccount(scope))
    .where('storefront_id', '=', storefrontId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Keeps the code of a row that was just made: it is encrypted for the row. */
export function keepCode(
  db: Db,
  scope: Scope,
  { id, sealed }: { readonly id: number; readonly sealed: Sealed },
): Promise<StorefrontProposalRow> {
  return db
    .updateTable('storefront_proposals')
    .set({ code_sealed: sealed })
    .$call(inAccount(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const findProposal = byIdInAccount((db) => db.selectFrom('storefront_proposals').selectAll());

export interface ProposalFilter {
  readonly status?: ProposalStatus | undefined;
  readonly operatorCustomerId?: number | undefined;
  readonly operatorDomain?: string | undefined;
  readonly now: string;
}

/** The proposals of the seller, the newest first. */
export function listStorefrontProposals(
  db: Db,
  scope: Scope,
  { filter, page }: { readonly filter: ProposalFilter; readonly page: Page },
): Promise<Counted<StorefrontProposalRow>> {
  const { status, operatorCustomerId, operatorDomain, now } = filter;
  const found = db
    .selectFrom('storefront_proposals')
    .$call(inAccount(scope))
    .$if(operatorCustomerId !== undefined, (query) =>
      query.where('operator_customer_id', '=', operatorCustomerId ?? 0),
    )
    .$if(operatorDomain !== undefined, (query) => query.where('operator_domain', '=', operatorDomain ?? ''))
    .$if(status === 'revoked', (query) => query.where('revoked_at', 'is not', null))
    .$if(status === 'redeemed', (query) => query.where('redeemed_at', 'is not', null))
    .$if(status === 'active' || status === 'expired', (query) =>
      query
        .where('revoked_at', 'is', null)
        .where('redeemed_at', 'is', null)
        .where('expires_at', status === 'active' ? '>' : '<=', now),
    );
  return counted(db, { asker: scope, rows: found.selectAll().orderBy('id', 'desc'), found }, page);
}

type Changed = Partial<Pick<StorefrontProposalRow, 'label' | 'notes' | 'expires_at' | 'revoked_at'>>;

/** Changes one that is neither redeemed nor revoked, if nobody wrote in between; undefined otherwise. */
export function changeProposal(
  db: Db,
  scope: Scope,
  change: Change<number, Changed>,
): Promise<StorefrontProposalRow | undefined> {
  return db
    .updateTable('storefront_proposals')
    .set(nextVersion(change))
    .$call(inAccount(scope))
    .$call(atVersion(change))
    .where('revoked_at', 'is', null)
    .where('redeemed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Counts one more try of a code, and gives how many there are since when. Those before `cutoff` count no more. */
export function countCodeTry(
  db: Db,
  scope: Scope,
  { now, cutoff }: { readonly now: string; readonly cutoff: string },
): Promise<ProposalCodeTriesTable> {
  return db
    .insertInto('proposal_code_tries')
    .values(ofAccount(scope, { since: now, tries: 1 }))
    .onConflict((key) =>
      key
        .column('customer_id')
        .doUpdateSet((eb) => {
          const isOver = eb('proposal_code_tries.since', '<', cutoff);
          return {
            tries: eb
              .case()
              .when(isOver)
              .then(1)
              .else(eb('proposal_code_tries.tries', '+', 1))
              .end(),
            since: eb.case().when(isOver).then(now).else(eb.ref('proposal_code_tries.since')).end(),
          };
        })
        .where('proposal_code_tries.organization_id', '=', scope.organizationId),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A code that was right was no guess. */
export async function forgiveCodeTry(db: Db, scope: Scope): Promise<void> {
  await db
    .updateTable('proposal_code_tries')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .$call(inAccount(scope))
    .where('tries', '>', 0)
    .execute();
}
