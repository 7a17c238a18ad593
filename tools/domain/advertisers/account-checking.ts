import type { NewAccount } from '../../../store/advertiser-accounts.ts';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { Context } from '../../core/context.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { contradiction } from '../../core/errors/refusals.ts';
import { counted } from '../counted.ts';
import type { AccountsTold, SellerAccount } from '../sellers/accounts.ts';
import { accountsFor } from './available-accounts.ts';

/**
 * Accounts that are to be linked, held against what their sellers say: whoever has another's would let that one pay.
 */

export type AccountNamed = Omit<NewAccount, 'status' | 'confirmed_at' | 'updated_at'>;

interface Named {
  readonly account: AccountNamed;
  /** What the caller calls its id. */
  readonly path: string;
}

type Brand = Pick<AdvertiserRow, 'brand'>;

const NOT_THERE =
  'Its seller names no such account for this advertiser that is of a verified domain of your organization.';
const SEE_THEM =
  'See with available_account_list which accounts can be linked, and have the domain of their operator verified (domain_create).';

/** The accounts with how each was found, or all that cannot be linked; each seller is asked. */
export async function checkedAtSellers(
  ctx: Context,
  advertiser: Brand,
  named: readonly Named[],
): Promise<NewAccount[]> {
  const agents = [...new Set(named.map(({ account }) => account.agent_id))];
  const found = await Promise.all(
    agents.map((agentId) =>
      foundAt(ctx, advertiser, {
        agentId,
        named: named.filter(({ account }) => account.agent_id === agentId),
      }),
    ),
  );
  const issues = found.flatMap((one) => one.issues);
  if (issues.length > 0) throw contradiction(issues, { suggestion: SEE_THEM });
  const confirmed = new Set(agents.filter((_, index) => found[index]?.isConfirmed === true));
  return named.map(({ account }) => ({ ...account, ...linkedAs(confirmed.has(account.agent_id), ctx.now) }));
}

function linkedAs(isConfirmed: boolean, now: string) {
  return isConfirmed
    ? { status: 'active' as const, confirmed_at: now, updated_at: now }
    : { status: 'unreachable' as const, confirmed_at: null, updated_at: now };
}

interface AtSeller {
  readonly agentId: string;
  readonly named: readonly Named[];
}

interface Found {
  readonly isConfirmed: boolean;
  readonly issues: readonly Issue[];
}

/** What was said a moment ago is enough, unless it stands against one of them. */
async function foundAt(ctx: Context, advertiser: Brand, { agentId, named }: AtSeller): Promise<Found> {
  const sought = named.map(({ account }) => account.account_id);
  const seller = { advertiser, agentId, sought };
  const told = await accountsFor(ctx, { ...seller, refresh: false });
  const found = foundIn(told, named);
  if (found.issues.length === 0 || told?.isAnew === true) return found;
  return foundIn(await accountsFor(ctx, { ...seller, refresh: true }), named);
}

function foundIn(told: AccountsTold | undefined, named: readonly Named[]): Found {
  const issues = named.flatMap(({ account, path }) => {
    const message = notLinkable(saidOf(told, account.account_id), told?.readOnly);
    return message === undefined ? [] : [{ path, message }];
  });
  return { isConfirmed: told !== undefined, issues };
}

function notLinkable(said: Said, readOnly: number | undefined): string | undefined {
  if (said === 'active' || said === 'unlisted') return undefined;
  if (said === 'absent') return NOT_THERE;
  return said === 'unread'
    ? `Its seller lists more accounts than are read here, and it is not among ${firstOf(readOnly)}.`
    : `It is ${said} at its seller: it has to be active there.`;
}

/** How much of a list was read, in words. */
export function firstOf(read = 0): string {
  return `the first ${counted(read, 'account')}`;
}

/**
 * What a seller says of an account by now: where it stands; that it names none such for this buyer; that it lists none
 * at all; or nothing, because its list goes on behind what is read of it.
 */
export type Said = SellerAccount['status'] | 'absent' | 'unlisted' | 'unread';

export function saidOf(told: AccountsTold | undefined, called: string): Said {
  if (told === undefined) return 'unlisted';
  if (told.needsNone === true) return 'active';
  const found = told.accounts.find(({ accountId }) => accountId === called);
  return found?.status ?? (told.readOnly === undefined ? 'absent' : 'unread');
}
