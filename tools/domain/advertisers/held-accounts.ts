import {
  type AdvertiserAccountRow,
  type LinkStatus,
  listAdvertiserAccounts,
  noteAccountStatus,
} from '../../../store/advertiser-accounts.ts';
import { findSeller } from '../../../store/unscoped/market.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { ISSUES_MAX } from '../../core/errors/few-issues.ts';
import { contradiction, unavailable } from '../../core/errors/refusals.ts';
import { StoppedError, unasked } from '../sellers/deadline.ts';
import { SellerError } from '../sellers/port.ts';
import { firstOf, type Said, saidOf } from './account-checking.ts';
import { type Asking, accountsAt } from './available-accounts.ts';

/**
 * Accounts that orders go out under, held against what their sellers say of them by then: one that was another's, or
 * does not run any more, would be billed all the same. What is said is kept with the links.
 */

/** An account that an order is to go out under. */
export interface Under {
  readonly agentId: string;
  readonly accountId: string;
  /** Its seller, as it is spoken of. */
  readonly seller: string;
  /** The brand that is ordered for. */
  readonly brand: string;
}

/** Why nothing is ordered under an account. */
export interface Against {
  readonly accountId: string;
  readonly salesAgentId: string;
  /** What its seller says of it; undefined where that could not be learned. */
  readonly status?: LinkStatus;
  readonly message: string;
}

const INSTEAD =
  'Link another account there with account_link_create (available_account_list shows them), or take this one away with account_link_delete';

/** What each of them comes to, in order; undefined where the order may go out. Asks sellers: in no transaction. */
export async function heldAgainstSellers(
  ctx: Asking & { readonly now: string },
  advertiserId: number,
  unders: readonly Under[],
): Promise<(Against | undefined)[]> {
  if (unders.length === 0) return [];
  const links = await listAdvertiserAccounts(ctx.db, ctx.scope, advertiserId);
  return Promise.all(
    unders.map(async (under) => {
      const link = linkOf(links, under);
      const heard = await heardOf(ctx, under);
      const after = statusAfter(link, heard, ctx.now);
      await noted(ctx, link, after);
      return against(under, heard, after);
    }),
  );
}

export function linkOf(
  links: readonly AdvertiserAccountRow[],
  { agentId, accountId }: Pick<Under, 'agentId' | 'accountId'>,
): AdvertiserAccountRow | undefined {
  return links.find(({ agent_id, account_id }) => agent_id === agentId && account_id === accountId);
}

/** What a seller said, or why nothing could be learned; `gone` is a seller that has left. */
type Heard =
  | { readonly said: Exclude<Said, 'unread'> | 'gone' }
  | { readonly said: 'unread'; readonly why: string };

async function heardOf(ctx: Asking, { agentId, accountId, seller, brand }: Under): Promise<Heard> {
  const row = await findSeller(ctx.db, ctx.scope, agentId);
  if (row === undefined) return { said: 'gone' };
  try {
    const told = await accountsAt(ctx, row, { advertiser: { brand }, refresh: true, sought: [accountId] });
    const said = saidOf(told, accountId);
    if (said !== 'unread') return { said };
    const why = `${seller} lists more accounts than are read here, and ${accountId} is not among ${firstOf(told?.readOnly)}.`;
    return { said, why };
  } catch (error) {
    if (error instanceof StoppedError) throw unasked(error);
    if (!(error instanceof SellerError)) throw error;
    return {
      said: 'unread',
      why: `${seller} could not be asked for the account ${accountId}. ${error.message}`,
    };
  }
}

type Standing = Pick<AdvertiserAccountRow, 'status' | 'confirmed_at'>;
const NEVER: Standing = { status: 'unreachable', confirmed_at: null };

/**
 * What is known of it by then. Where nothing is heard, the last word of its seller stands: what it took back stays so,
 * and what it named is unreachable, and known to be confirmed. Pure.
 */
function statusAfter(link: Standing | undefined, { said }: Heard, now: string): Standing {
  const before = link ?? NEVER;
  switch (said) {
    case 'active':
      return { status: said, confirmed_at: before.confirmed_at ?? now };
    case 'absent':
      return { status: 'closed', confirmed_at: null };
    case 'gone':
    case 'unlisted':
    case 'unread':
      return isTakenBack(before.status) ? before : { ...before, status: 'unreachable' };
    default:
      return { status: said, confirmed_at: null };
  }
}

function isTakenBack(status: LinkStatus): boolean {
  return status !== 'active' && status !== 'unreachable';
}

/**
 * A seller that is down may well take the order a moment later, under an account that it has named before. Of one that
 * it never named, although it may list what it has, nobody knows whose it is.
 */
function against(under: Under, heard: Heard, { status, confirmed_at }: Standing): Against | undefined {
  const { accountId, agentId: salesAgentId, seller } = under;
  const ids = { accountId, salesAgentId };
  if (heard.said === 'absent') {
    const message = `${seller} names no account ${accountId} for this advertiser that is of a verified domain of your organization.`;
    return { ...ids, status, message };
  }
  if (isTakenBack(status)) return { ...ids, status, message: takenBack(under, status) };
  return heard.said === 'unread' && confirmed_at === null ? { ...ids, message: heard.why } : undefined;
}

/** That an account does not run at its seller, in words. */
function takenBack({ accountId, seller }: Pick<Under, 'accountId' | 'seller'>, status: LinkStatus): string {
  return `The account ${accountId} is ${inWords(status)} at ${seller}: nothing is ordered under it.`;
}

export function inWords(status: LinkStatus): string {
  return status === 'closed' ? 'closed, or named no more,' : status;
}

/** The same by what its seller said last, without asking it. */
export function againstLink(link: AdvertiserAccountRow): Against | undefined {
  const { agent_id: salesAgentId, account_id: accountId, source_name: seller, status } = link;
  if (!isTakenBack(status)) return undefined;
  return { accountId, salesAgentId, status, message: takenBack({ accountId, seller }, status) };
}

/** Whether nothing could be learned of it: the next time may tell. */
export function isUnheard({ status }: Against): boolean {
  return status === undefined;
}

/** What stands against the orders, as refusals. Pure. */
export function refusalsOf(againsts: readonly Against[]): AppError[] {
  const refused = againsts.filter((against) => !isUnheard(against));
  const unheard = againsts.filter(isUnheard);
  return [
    ...(refused.length === 0
      ? []
      : [
          contradiction(
            refused.map(({ message }) => ({ path: 'linkedAccounts', message })),
            {
              suggestion: `${INSTEAD}, and repeat the call.`,
              details: { accounts: refused.slice(0, ISSUES_MAX).map(named) },
            },
          ),
        ]),
    ...(unheard.length === 0
      ? []
      : [
          unavailable(unheard.map(({ message }) => message).join(' '), {
            suggestion: `Repeat the call later: nothing is ordered under an account that its seller never named. ${INSTEAD}.`,
            details: { accounts: unheard.slice(0, ISSUES_MAX).map(named) },
          }),
        ]),
  ];
}

function named({ message: _, ...ids }: Against) {
  return ids;
}

/** Kept without an entry in the log: nobody here changed anything. When that fails, nothing else does. */
async function noted(
  { services, scope, now }: Asking & { readonly now: string },
  link: AdvertiserAccountRow | undefined,
  { status, confirmed_at }: Standing,
): Promise<void> {
  if (link === undefined || (link.status === status && link.confirmed_at === confirmed_at)) return;
  const updated_at = link.status === status ? link.updated_at : now;
  try {
    await noteAccountStatus(services.store.db, scope, { id: link.id, status, confirmed_at, updated_at });
  } catch (error) {
    services.log.warn(
      { err: error, linkId: link.id },
      'what a seller says of an account could not be stored',
    );
  }
}
