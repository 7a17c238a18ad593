import { changePolicies, deleteDomains, findDomain, listPolicies } from '../../../store/domains.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant, type Tenant } from '../../../store/engine/scope.ts';
import type { MediaBuyStatus } from '../../../store/media-buys.ts';
import { removeProviders } from '../../../store/organization-providers.ts';
import { findOrganization, lockOrganization, updateOrganization } from '../../../store/organizations.ts';
import { countOpenBuys, listBelow, suspendOrganizations } from '../../../store/unscoped/organization-tree.ts';
import type { Context } from '../../core/context.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { insertClaim, requireOwnable } from './domains.ts';
import type { ManagedAccount } from './reach.ts';
import { requireNobodyElses } from './spoken-domain.ts';

/** Whether anybody with a verified address of one of its domains comes in by themselves. */
export async function isOpenToItsDomains({ db }: Pick<Context, 'db'>, tenant: Tenant): Promise<boolean> {
  return (await listPolicies(db, tenant)).includes('auto_approve');
}

/** Lets people of every domain of the account come in by themselves, or has them ask from now on. */
export async function openToItsDomains(
  ctx: Context,
  { organization, tenant }: ManagedAccount,
  isOpen: boolean,
) {
  const before = await isOpenToItsDomains(ctx, tenant);
  if (isOpen === before) return;
  const change = isOpen
    ? ({ from: ['invitation_only', 'request_approval'], to: 'auto_approve' } as const)
    : ({ from: ['auto_approve'], to: 'request_approval' } as const);
  await ctx.write(
    async (tx) => {
      if ((await changePolicies(tx, tenant, change)) > 0) return true;
      // Somebody changed it meanwhile, to the same.
      if ((await isOpenToItsDomains({ db: tx }, tenant)) === isOpen) return false;
      throw conflict(
        'This account has no domain whose people could come in.',
        'Name one with domain_create; it counts once the operator of this service has verified it.',
      );
    },
    (isChanged) =>
      isChanged
        ? {
            resourceId: organization.id,
            resourceName: organization.name,
            changes: { allowDomainAutoJoin: { from: before, to: isOpen } },
          }
        : undefined,
  );
}

/**
 * Gives an account another domain, and says whether the operator has verified it as the account's own. Until then it
 * speaks for nobody.
 */
export async function changeDomain(
  ctx: Context,
  { organization, tenant }: ManagedAccount,
  domain: string,
): Promise<boolean> {
  requireOwnable('customerDomain', domain);
  if (organization.domain !== domain) {
    await ctx.write(
      (tx) => nameDomain(tx, ctx, { tenant, domain }),
      (named) =>
        named && {
          resourceId: organization.id,
          resourceName: organization.name,
          changes: { customerDomain: { from: named.before, to: domain } },
        },
    );
  }
  const known = await findDomain(ctx.db, tenant, domain);
  return known !== undefined && known.verified_at !== null;
}

/** Undefined where somebody gave the account this very domain meanwhile. */
async function nameDomain(
  tx: Db,
  ctx: Context,
  { tenant, domain }: { readonly tenant: Tenant; readonly domain: string },
): Promise<{ readonly before: string | null } | undefined> {
  await lockOrganization(tx, tenant);
  const before = (await findOrganization(tx, tenant))?.domain ?? null;
  if (before === domain) return undefined;
  await requireNobodyElses(tx, tenant.organizationId, { domain });
  await updateOrganization(tx, tenant, { domain, domain_given: 0, updated_at: ctx.now });
  if ((await findDomain(tx, tenant, domain)) === undefined) {
    await insertClaim(tx, ctx, { tenant, domain, policy: 'invitation_only' });
  }
  return { before };
}

/**
 * Closes an account below the one somebody works in, with what is below it: its credentials are refused from this
 * commit on, its storefront is shown to nobody, its domains are free, and
 * its identity providers are believed no more. What was bought and sold stays on record. A
 * conflict while a media buy there is open.
 */
export async function closeAccount(
  ctx: Context,
  { organization }: ManagedAccount,
  open: readonly MediaBuyStatus[],
): Promise<void> {
  const { organizationId } = ctx.scope;
  if (organization.id === organizationId) {
    throw conflict(
      'This is the account you work in.',
      'Switch to the one above it with account_switch, and delete it from there.',
    );
  }
  await ctx.write(
    async (tx) => {
      const ids = await listBelow(tx, organization.id);
      const { bought, sold } = await countOpenBuys(tx, ids, open);
      if (bought + sold > 0) throw stillOpen(bought, sold);
      await suspendOrganizations(tx, ids, { since: null, suspendedAt: ctx.now, now: ctx.now });
      for (const id of ids) {
        await deleteDomains(tx, makeTenant(id));
        await removeProviders(tx, makeTenant(id));
      }
    },
    {
      resourceId: organization.id,
      resourceName: organization.name,
    },
  );
}

function stillOpen(bought: number, sold: number) {
  return conflict(
    `Media buys are open: ${bought} that the account bought, ${sold} that its storefront sold.`,
    'Cancel them with campaign_cancel, or wait until they have ended.',
  );
}
