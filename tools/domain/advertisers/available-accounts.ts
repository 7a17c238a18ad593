import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { listDomains } from '../../../store/domains.ts';
import { findSeller, type SellerRow } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import { listingNotSupported } from '../../core/errors/change-refusals.ts';
import { notFound, unavailable } from '../../core/errors/refusals.ts';
import type { AccountsAsked, AccountsTold, SellerAccount } from '../sellers/accounts.ts';
import { withinSellerTimeout } from '../sellers/deadline.ts';
import { SellerError } from '../sellers/port.ts';
import { asSeller } from '../sellers/seller.ts';

/** Accounts that a seller has for an advertiser, whether or not they are linked. */

/** Domains of an organization that are looked at. */
const DOMAINS_MAX = 250;

interface Wanted extends AccountsAsked {
  readonly advertiser: Pick<AdvertiserRow, 'brand'>;
  readonly agentId: string;
}

/** What it takes to ask. */
export type Asking = Pick<Context, 'db' | 'scope' | 'services'> & {
  readonly signal: AbortSignal | undefined;
};

/**
 * The accounts at a seller that are for this advertiser. A seller tells us of the accounts of every buyer behind
 * our connection: an organization is shown those of its verified domains, and the seller's own all of them.
 */
export async function availableAccounts(ctx: Context, wanted: Wanted): Promise<AccountsTold> {
  const told = await accountsFor(ctx, wanted);
  if (told === undefined) throw listingNotSupported(wanted.agentId);
  return told;
}

/** The same; undefined of a seller that lists none. */
export async function accountsFor(ctx: Context, wanted: Wanted): Promise<AccountsTold | undefined> {
  const row = await findSeller(ctx.db, ctx.scope, wanted.agentId);
  if (row === undefined) throw notFound({ word: 'seller', lookUp: 'Find sellers with storefront_get.' });
  try {
    return await accountsAt(ctx, row, wanted);
  } catch (error) {
    if (!(error instanceof SellerError)) throw error;
    throw unavailable(`The seller could not be asked for its accounts. ${error.message}`, {
      suggestion: 'Call again later: an account can be linked once its seller has named it.',
      details: { reason: error.reason },
    });
  }
}

/** The same of a seller that is there. Errors: `SellerError` where it cannot be asked. */
export async function accountsAt(
  ctx: Asking,
  row: SellerRow,
  { advertiser, refresh, sought }: Omit<Wanted, 'agentId'>,
): Promise<AccountsTold | undefined> {
  const told = await withinSellerTimeout(ctx.services, ctx.signal, (signal) =>
    ctx.services.ports.sellers.listAccounts(asSeller(row), { refresh, ...(sought && { sought }) }, signal),
  );
  if (told === undefined) return undefined;
  const isOwn = row.source.organization_id === ctx.scope.organizationId;
  const domains = isOwn ? new Set<string>() : await verifiedDomains(ctx);
  const accounts = told.accounts.filter(
    (one) => isForBrand(one, advertiser) && (isOwn || isOfOne(one, domains)),
  );
  return { ...told, accounts };
}

/** Two organizations may give the same domain; one alone has it verified. */
async function verifiedDomains(ctx: Pick<Context, 'db' | 'scope'>): Promise<ReadonlySet<string>> {
  const { rows } = await listDomains(ctx.db, ctx.scope, { take: DOMAINS_MAX, skip: 0 });
  return new Set(rows.flatMap(({ domain, verified_at }) => (verified_at === null ? [] : [domain])));
}

/** An account without a brand is for any. */
function isForBrand({ brand }: SellerAccount, advertiser: Pick<AdvertiserRow, 'brand'>): boolean {
  return brand === null || brand === advertiser.brand;
}

/** Whose account it is: its operator's; a brand that names none operates it itself. */
function isOfOne({ brand, operator }: SellerAccount, domains: ReadonlySet<string>): boolean {
  const holder = operator ?? brand;
  return holder !== null && domains.has(holder);
}
