import { LRUCache } from 'lru-cache';
import { isFields } from '../../tools/core/checks.ts';
import type { Clock } from '../../tools/core/ports.ts';
import {
  type AccountsAsked,
  type AccountsTold,
  accountStatuses,
  type SellerAccount,
} from '../../tools/domain/sellers/accounts.ts';
import { type Seller, SellerError } from '../../tools/domain/sellers/port.ts';
import { sellerId, sellerText } from '../../tools/domain/text.ts';
import { MAJOR_VERSION } from './adcp-wire.ts';
import type { SellerCalls } from './seller-calls.ts';
import { refuseFailure } from './seller-failures.ts';

/** The accounts that sellers have for us, by list_accounts (AdCP, account). */

const TOOL = 'list_accounts';
/** So many are asked for at once: as many as the protocol allows. */
const PAGE = 100;
const PAGES_MAX = 10;
const NAME_MAX = 200;
const DOMAIN_MAX = 253;
/** A list is handed out again for so long, to whoever turns its pages. */
const FRESH_MS = 300_000;
/** Lists that are kept, and the accounts in them: some tens of megabytes. */
const LISTS_MAX = 200;
const ACCOUNTS_MAX = 20_000;

type Lists = (seller: Seller, asked: AccountsAsked, signal: AbortSignal) => Promise<AccountsTold | undefined>;

interface Listed {
  readonly accounts: readonly SellerAccount[];
  readonly at: number;
}

/** Asks for the accounts of a seller, once in five minutes unless told otherwise; undefined where it lists none. */
export function accountLists(calls: SellerCalls, clock: Clock): Lists {
  const lists = new LRUCache<string, Listed>({
    max: LISTS_MAX,
    maxSize: ACCOUNTS_MAX,
    sizeCalculation: ({ accounts }) => accounts.length + 1,
  });
  return async (seller, { refresh }, signal) => {
    const { id, endpointUrl, auth } = seller.source;
    const key = JSON.stringify([id, endpointUrl, auth]);
    const known = lists.get(key);
    if (!refresh && known !== undefined && clock.now() - known.at < FRESH_MS) {
      return { accounts: known.accounts, isAnew: false };
    }
    if (!(await calls.declared(seller, signal)).tools.has(TOOL)) return undefined;
    const accounts = await everyPage(calls, seller, signal);
    lists.set(key, { accounts, at: clock.now() });
    return { accounts, isAnew: true };
  };
}

async function everyPage(
  { ask }: SellerCalls,
  seller: Seller,
  signal: AbortSignal,
): Promise<SellerAccount[]> {
  const accounts = new Map<string, SellerAccount>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const args = {
      adcp_major_version: MAJOR_VERSION,
      sandbox: false,
      pagination: { max_results: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    };
    const { content } = await ask({ seller, tool: TOOL, args, signal });
    const told = refuseFailure(content, 'accounts');
    for (const account of accountsIn(told)) accounts.set(account.accountId, account);
    cursor = cursorIn(told);
    // A seller that passes over cursors gives the same page again and again.
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return [...accounts.values()];
}

function accountsIn(content: unknown): SellerAccount[] {
  const listed = isFields(content) ? content['accounts'] : undefined;
  if (!Array.isArray(listed)) {
    throw new SellerError('invalid_response', 'The answer holds no list of accounts.');
  }
  return listed.slice(0, PAGE).flatMap((entry) => (isFields(entry) ? asAccount(entry) : []));
}

/** What cannot be linked, or is of the sandbox, is left out. */
function asAccount(entry: Record<string, unknown>): SellerAccount[] {
  const accountId = sellerId(entry['account_id']);
  const status = accountStatuses.find((known) => known === entry['status']);
  if (accountId === undefined || status === undefined || entry['sandbox'] === true) return [];
  const { brand } = entry;
  return [
    {
      accountId,
      status,
      name: textIn(entry['name']),
      advertiser: textIn(entry['advertiser']),
      billingProxy: textIn(entry['billing_proxy']),
      billing: textIn(entry['billing']),
      brand: domainIn(isFields(brand) ? brand['domain'] : brand),
      operator: domainIn(entry['operator']),
    },
  ];
}

function textIn(value: unknown): string | null {
  return sellerText(value, NAME_MAX) ?? null;
}

function domainIn(value: unknown): string | null {
  return sellerText(value, DOMAIN_MAX)?.toLowerCase() ?? null;
}

function cursorIn(content: unknown): string | undefined {
  const page = isFields(content) ? content['pagination'] : undefined;
  if (!isFields(page) || page['has_more'] === false) return undefined;
  const { cursor } = page;
  return typeof cursor === 'string' && cursor !== '' && cursor.length <= CURSOR_MAX ? cursor : undefined;
}

const CURSOR_MAX = 4_096;
