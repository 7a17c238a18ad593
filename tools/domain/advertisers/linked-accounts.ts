import { z } from 'zod';
import {
  type AdvertiserAccountRow,
  insertAdvertiserAccount,
  linkStatuses,
  listAdvertiserAccounts,
  type NewAccount,
} from '../../../store/advertiser-accounts.ts';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { findStorefrontsByIdOrName, listMarketSources } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { conflict, contradicts, invalidInput } from '../../core/errors/refusals.ts';
import { counted } from '../counted.ts';
import { numericId, outputId } from '../ids.ts';
import { shortText } from '../text.ts';
import { timestamp } from '../time.ts';
import { type AccountNamed, checkedAtSellers } from './account-checking.ts';

/** Accounts that an advertiser has at sellers: its orders there are placed under them. */

/** Which account it is. */
export const accountFields = {
  storefrontId: numericId('the storefront'),
  sourceId: shortText(255).describe('The source behind it, as storefront_get names it.'),
  accountId: shortText(255).describe('What the seller calls the account.'),
};

export const linkedAccounts = z.array(z.strictObject(accountFields)).max(50);

/** What is told of an account beside that, and has to be agreed with its seller first. */
export const accountNotBuilt = ['credentialId', 'billingType'] as const;
export const accountsNotBuilt = accountNotBuilt.map((field) => `linkedAccounts[].${field}` as const);

/** Contract: LinkedAccount. */
export const shownLinkedAccount = z.object({
  linkId: z.string().describe('Id of the link.'),
  accountId: z.string().describe('What the seller calls the account.'),
  name: z
    .string()
    .nullable()
    .describe('null: what its seller calls it is not kept. See available_account_list.'),
  sources: z
    .array(
      z.object({
        storefrontId: outputId('The storefront.'),
        storefrontName: z.string().describe('Its name when the account was linked.'),
        sourceId: z.string().describe('The source behind it.'),
        sourceName: z.string().describe('Its name when the account was linked.'),
      }),
    )
    .describe('Where the account is held.'),
  status: z
    .enum(linkStatuses)
    .describe(
      'What its seller said of it when it was linked, or last ordered under; closed too where it names it no more. ' +
        'unreachable: nobody could look it up.',
    ),
  createdAt: timestamp.describe('When it was linked.'),
  updatedAt: timestamp.describe('When its status became what it is.'),
});

export const shownLinkedAccounts = z.array(shownLinkedAccount);

type Given = z.output<typeof linkedAccounts>;

/** The accounts that are new among those given, each found at its seller; those that were linked before stay. */
export async function newlyLinked(
  ctx: Context,
  given: Given | undefined,
  { brand, sandbox, before }: { brand: string; sandbox: boolean; before: readonly AdvertiserAccountRow[] },
): Promise<readonly NewAccount[]> {
  if (given === undefined || given.length === 0) return [];
  if (sandbox) throw ofSandbox('linkedAccounts', 'Leave linkedAccounts out.');
  const known = new Set(before.map(keyOf));
  const added = new Map<string, { account: AccountNamed; path: string }>();
  for (const [index, account] of (await heldAgainstMarket(ctx, given)).entries()) {
    const path = `linkedAccounts.${index}.accountId`;
    if (!known.has(keyOf(account))) added.set(keyOf(account), { account, path });
  }
  requireRoom(ctx, before.length + added.size);
  return checkedAtSellers(ctx, { brand }, [...added.values()]);
}

function requireRoom({ services }: Context, count: number): void {
  const { linksPerAdvertiser } = services.limits.quotas;
  if (count <= linksPerAdvertiser) return;
  throw conflict(
    `An advertiser has ${counted(linksPerAdvertiser, 'account')} at the most.`,
    'Take one away with account_link_delete, or use another advertiser.',
  );
}

function ofSandbox(field: string, suggestion: string) {
  const why = 'A sandbox advertiser has no accounts at sellers: orders under one would be real.';
  return contradicts(field, why, { suggestion });
}

/** One account that an advertiser is to have, found at its seller. */
export async function accountToLink(
  ctx: Context,
  { sandbox, brand }: Pick<AdvertiserRow, 'sandbox' | 'brand'>,
  given: Given[number],
): Promise<NewAccount> {
  if (fromFlag(sandbox)) throw ofSandbox('advertiserId', 'Link it to an advertiser that is no sandbox.');
  const [found] = await checkedAtSellers(ctx, { brand }, [
    { account: await namedIn(ctx, given), path: 'accountId' },
  ]);
  if (found === undefined) throw new Error('An account that was checked is there.');
  return found;
}

/** The seller behind a storefront, by the source that is named. */
export async function sellerAt(
  ctx: Context,
  { storefrontId, sourceId }: Pick<Given[number], 'storefrontId' | 'sourceId'>,
): Promise<AccountNamed> {
  return namedIn(ctx, { storefrontId, sourceId, accountId: '' });
}

async function namedIn(ctx: Context, named: Given[number]): Promise<AccountNamed> {
  const found = (await marketFor(ctx, [named]))(named);
  if ('message' in found) throw invalidInput([found], { suggestion: FIND_THEM });
  return found;
}

/** Links it beside those before, while its advertiser is held. */
export async function linkAccount(
  tx: Db,
  ctx: Context,
  link: { advertiserId: number; account: NewAccount },
): Promise<AdvertiserAccountRow> {
  const before = await listAdvertiserAccounts(tx, ctx.scope, link.advertiserId);
  const same = before.find((one) => keyOf(one) === keyOf(link.account));
  if (same !== undefined) {
    throw conflict(
      `The account is linked already: its linkId is ${same.id}.`,
      'To have later orders placed under it, take those linked after it away with account_link_delete.',
    );
  }
  requireRoom(ctx, before.length + 1);
  return insertAdvertiserAccount(tx, ctx.scope, link);
}

function keyOf({ agent_id, account_id }: Pick<NewAccount, 'agent_id' | 'account_id'>): string {
  return JSON.stringify([agent_id, account_id]);
}

async function heldAgainstMarket(ctx: Context, given: Given): Promise<AccountNamed[]> {
  const find = await marketFor(ctx, given);
  const issues: Issue[] = [];
  const accounts = given.flatMap((one, index) => {
    const found = find(one);
    if (!('message' in found)) return [found];
    issues.push({ ...found, path: `linkedAccounts.${index}.${found.path}` });
    return [];
  });
  if (issues.length > 0) throw invalidInput(issues, { suggestion: FIND_THEM });
  return accounts;
}

/** Finds the sellers that are named: the account there, or what is wrong with it. */
async function marketFor(ctx: Context, given: Given): Promise<(one: Given[number]) => AccountNamed | Issue> {
  const ids = [...new Set(given.map(({ storefrontId }) => storefrontId))];
  const storefronts = await findStorefrontsByIdOrName(ctx.db, ctx.scope, { ids, names: [] });
  const sources = new Map(
    await Promise.all(
      storefronts.map(async ({ id }) => [id, await listMarketSources(ctx.db, ctx.scope, id)] as const),
    ),
  );
  return ({ storefrontId, sourceId, accountId }) => {
    const storefront = storefronts.find(({ id }) => id === storefrontId);
    if (storefront === undefined) return { path: 'storefrontId', message: 'No such storefront.' };
    const source = sources.get(storefrontId)?.find(({ source_id }) => source_id === sourceId);
    if (source === undefined) {
      return { path: 'sourceId', message: 'No such source behind this storefront.' };
    }
    return {
      storefront_id: storefrontId,
      storefront_name: storefront.name,
      source_id: sourceId,
      source_name: source.name,
      agent_id: source.agent_id,
      account_id: accountId,
      created_at: ctx.now,
    };
  };
}

const FIND_THEM = 'Find storefronts with storefront_list, and the sources of one with storefront_get.';

/** Undefined where there are none. */
export function shownAccounts(
  rows: readonly AdvertiserAccountRow[],
): z.input<typeof shownLinkedAccounts> | undefined {
  return rows.length === 0 ? undefined : rows.map(shownAccount);
}

export function shownAccount(row: AdvertiserAccountRow): z.input<typeof shownLinkedAccount> {
  return {
    linkId: String(row.id),
    accountId: row.account_id,
    name: null,
    sources: [
      {
        storefrontId: row.storefront_id,
        storefrontName: row.storefront_name,
        sourceId: row.source_id,
        sourceName: row.source_name,
      },
    ],
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Under which account an advertiser buys, by the agent of the seller: of several the one that was linked last. */
export async function accountsAtSellers(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  { id, linked_accounts: count }: Pick<AdvertiserRow, 'id' | 'linked_accounts'>,
): Promise<ReadonlyMap<string, string>> {
  if (count === 0) return new Map();
  const rows = await listAdvertiserAccounts(db, scope, id);
  return new Map(rows.map(({ agent_id, account_id }) => [agent_id, account_id]));
}
