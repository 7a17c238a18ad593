import { LRUCache } from 'lru-cache';
import type { Clock } from '../../tools/core/ports.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import {
  type AccountsAsked,
  type AccountsTold,
  accountStatuses,
  type SellerAccount,
} from '../../tools/domain/sellers/accounts.ts';
import { type Seller, SellerError } from '../../tools/domain/sellers/port.ts';
import { sellerId, sellerText } from '../../tools/domain/text.ts';
import type { Config } from '../settings/config.ts';
import { MAJOR_VERSION } from './adcp-wire.ts';
import { PAGE, pageAfter } from './pages.ts';
import type { SellerCalls } from './seller-calls.ts';
import { refuseFailure } from './seller-failures.ts';

/** The accounts that sellers have for us, by list_accounts (AdCP, account). */

const TOOL = 'list_accounts';
const NAME_MAX = 200;
const DOMAIN_MAX = 253;
/** A list is handed out again for so long, to whoever turns its pages. */
const FRESH_MS = 300_000;
/** Lists that are kept, and the accounts in them: some tens of megabytes. */
const LISTS_MAX = 200;
const ACCOUNTS_MAX = 20_000;

/** How much of one list is read: answers, accounts, and the characters of what is kept of them. */
const READ = { pages: 100, accounts: 10_000, characters: 4_000_000 } as const;
/**
 * An answer with more entries than were asked for may have been cut on its way in (`answer-worker.mjs`), by what is in
 * them or at 1,000: up to so many it was not.
 */
const WHOLE_MAX = 500;
/** Of the time that a call to a seller has, what is spent on going from page to page. */
const READING_PART = 0.5;

type Lists = (seller: Seller, asked: AccountsAsked, signal: AbortSignal) => Promise<AccountsTold | undefined>;

/** Why no more was read: there is no more, all that was looked for was found, or a bound was met. */
type End = 'whole' | 'found' | 'bound';

interface Listed {
  readonly accounts: readonly SellerAccount[];
  readonly at: number;
  readonly end: End;
}

interface Parts {
  readonly calls: SellerCalls;
  readonly clock: Clock;
  readonly config: Pick<Config, 'sellerTimeoutMs'>;
}

/** Asks for the accounts of a seller, once in five minutes unless told otherwise; undefined where it lists none. */
export function accountLists({ calls, clock, config }: Parts): Lists {
  const lists = new LRUCache<string, Listed>({
    max: LISTS_MAX,
    maxSize: ACCOUNTS_MAX,
    sizeCalculation: ({ accounts }) => accounts.length + 1,
  });
  return async (seller, { refresh, sought }, signal) => {
    const { id, endpointUrl, auth } = seller.source;
    const key = JSON.stringify([id, endpointUrl, auth]);
    const known = lists.get(key);
    if (!refresh && known !== undefined && clock.now() - known.at < FRESH_MS && suffices(known, sought)) {
      return told(known, false);
    }
    if (!(await calls.declared(seller, signal)).tools.has(TOOL)) return undefined;
    const until = clock.now() + config.sellerTimeoutMs * READING_PART;
    const isLate = () => clock.now() >= until;
    const listed = { ...(await everyPage(calls, { seller, sought, isLate }, signal)), at: clock.now() };
    lists.set(key, listed);
    return told(listed, true);
  };
}

function told({ accounts, end }: Listed, isAnew: boolean): AccountsTold {
  return { accounts, isAnew, ...(end === 'bound' ? { readOnly: accounts.length } : {}) };
}

/** A list of which no more was read than somebody looked for says nothing of other accounts. */
function suffices({ accounts, end }: Listed, sought: readonly string[] | undefined): boolean {
  return end !== 'found' || (sought !== undefined && areAmong(sought, accounts));
}

function areAmong(sought: readonly string[], accounts: readonly SellerAccount[]): boolean {
  return sought.every((id) => accounts.some(({ accountId }) => accountId === id));
}

interface Reading {
  readonly seller: Seller;
  readonly sought: readonly string[] | undefined;
  /** Whether no further page is asked for. */
  isLate(): boolean;
}

async function everyPage(
  { ask }: SellerCalls,
  { seller, sought, isLate }: Reading,
  signal: AbortSignal,
): Promise<Omit<Listed, 'at'>> {
  const gathered: Gathered = {
    accounts: new Map(),
    missing: sought === undefined ? undefined : new Set(sought),
    characters: 0,
  };
  const seen = new Set<string | undefined>();
  let cursor: string | undefined;
  let end: End | undefined;
  while (end === undefined) {
    const args = {
      adcp_major_version: MAJOR_VERSION,
      sandbox: false,
      pagination: { max_results: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    };
    const { content } = await ask({ seller, tool: TOOL, args, signal });
    const answer = refuseFailure(content, 'accounts');
    seen.add(cursor);
    const next = pageAfter(answer);
    const { accounts, isWhole } = accountsIn(answer);
    end = taken(gathered, accounts, next === undefined);
    if (!isWhole && end !== 'found') end = 'bound';
    // A seller that passes over cursors gives the same page again and again.
    if (seen.has(next?.cursor) || seen.size >= READ.pages || isLate()) end ??= 'bound';
    cursor = next?.cursor;
  }
  return { accounts: [...gathered.accounts.values()], end };
}

/** Accounts of page after page. */
interface Gathered {
  readonly accounts: Map<string, SellerAccount>;
  /** What is looked for and was not found yet; undefined where all of it is read. */
  readonly missing: Set<string> | undefined;
  characters: number;
}

/** Takes a page in, and says why no more is to be read behind it; undefined where it goes on. */
function taken(gathered: Gathered, page: readonly SellerAccount[], isLast: boolean): End | undefined {
  const { accounts, missing } = gathered;
  for (const account of page) {
    if (accounts.size >= READ.accounts || gathered.characters >= READ.characters) return 'bound';
    gathered.characters += JSON.stringify(account).length;
    accounts.set(account.accountId, account);
    missing?.delete(account.accountId);
  }
  if (isLast) return 'whole';
  return missing?.size === 0 ? 'found' : undefined;
}

function accountsIn(content: unknown): { accounts: SellerAccount[]; isWhole: boolean } {
  const listed = isFields(content) ? content['accounts'] : undefined;
  if (!Array.isArray(listed)) {
    throw new SellerError('invalid_response', 'The answer holds no list of accounts.');
  }
  return {
    accounts: listed.flatMap((entry) => (isFields(entry) ? asAccount(entry) : [])),
    isWhole: listed.length <= WHOLE_MAX,
  };
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
