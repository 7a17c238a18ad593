import type { LinkStatus, NewAccount } from '../../../store/advertiser-accounts.ts';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { Context } from '../../core/context.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { contradiction } from '../../core/errors/refusals.ts';
import type { AccountsTold } from '../sellers/accounts.ts';
import { accountsFor } from './available-accounts.ts';

/** Accounts that are to be linked, held against what their sellers say: whoever has another's would let that one pay. */

export type AccountNamed = Omit<NewAccount, 'status'>;

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
  const statuses = new Map(agents.map((agentId, index) => [agentId, found[index]?.status]));
  return named.map(({ account }) => ({
    ...account,
    status: statuses.get(account.agent_id) ?? 'unreachable',
  }));
}

interface AtSeller {
  readonly agentId: string;
  readonly named: readonly Named[];
}

interface Found {
  readonly status: LinkStatus;
  readonly issues: readonly Issue[];
}

/** What was said a moment ago is enough, unless it stands against one of them. */
async function foundAt(ctx: Context, advertiser: Brand, { agentId, named }: AtSeller): Promise<Found> {
  const seller = { advertiser, agentId };
  const told = await accountsFor(ctx, { ...seller, refresh: false });
  const found = foundIn(told, named);
  if (found.issues.length === 0 || told?.isAnew === true) return found;
  return foundIn(await accountsFor(ctx, { ...seller, refresh: true }), named);
}

function foundIn(told: AccountsTold | undefined, named: readonly Named[]): Found {
  if (told === undefined) return { status: 'unreachable', issues: [] };
  if (told.needsNone === true) return { status: 'active', issues: [] };
  const issues = named.flatMap(({ account, path }) => {
    const status = told.accounts.find(({ accountId }) => accountId === account.account_id)?.status;
    if (status === 'active') return [];
    const message =
      status === undefined ? NOT_THERE : `It is ${status} at its seller: it has to be active there.`;
    return [{ path, message }];
  });
  return { status: 'active', issues };
}
