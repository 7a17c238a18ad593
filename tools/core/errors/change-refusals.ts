import { AppError, type Issue } from './app-error.ts';
import { ISSUES_MAX } from './few-issues.ts';
import { conflict } from './refusals.ts';

/** Refusals of changes to what a seller holds. */

/** A change that was made on a version, given in this field, which holds no more; the one that holds is named. */
export function staleVersion({ word }: { readonly word: string }, current: string, field: string): AppError {
  return conflict(
    `The ${word} stands at version ${current} by now.`,
    `Read the ${word} again, and repeat the change with that version if it still applies.`,
    { field, details: { currentVersion: current }, stale: true },
  );
}

const LEAVE_OUT =
  'Leave out what the seller does not declare, or ask the seller for it outside of this service; ' +
  'media_buy_get names who sells the buy.';

const CONSTRAINTS_STAY =
  'Constraints of a campaign that runs stay, and are told with each order, targetingOverlay and further package: ' +
  'ask for none of these at this seller, or buy from another.';

const SANDBOX_STAYS =
  'What is ordered for a sandbox advertiser goes to sellers alone that declare sandbox accounts: buy from another seller, ' +
  'or for an advertiser that is no sandbox.';

/** What sellers do not declare of the changes that were asked for. Nothing was changed. */
export function capabilityNotSupported(
  unsupported: readonly {
    readonly mediaBuyId: string;
    readonly salesAgentId: string;
    readonly productId?: string;
    readonly field: string;
    readonly reason: string;
  }[],
  others: readonly Issue[] = [],
): AppError {
  const all = [...unsupported.map(({ field, reason }) => ({ path: field, message: reason })), ...others];
  const { text, more } = saidOnce(all);
  const issues = all.slice(0, ISSUES_MAX);
  const [only, another] = [...new Set(issues.map(({ path }) => path))];
  return new AppError('CAPABILITY_NOT_SUPPORTED', `${text} Nothing was changed.`, {
    suggestion: [
      LEAVE_OUT,
      ...(unsupported.some(({ field }) => field.startsWith('constraints.')) ? [CONSTRAINTS_STAY] : []),
      ...(unsupported.some(({ field }) => field === 'account.sandbox') ? [SANDBOX_STAYS] : []),
    ].join(' '),
    // Beside what is not declared other things may be wrong: then all of it stands there, place by place.
    ...(others.length > 0 && only !== undefined && another === undefined ? { field: only } : {}),
    details: {
      unsupported: unsupported.slice(0, ISSUES_MAX),
      ...(others.length === 0 ? {} : { issues }),
      ...more,
    },
  });
}

/** The first problems of all, what several sellers say alike said once, and how many there are beside. */
function saidOnce(all: readonly Issue[]): { text: string; more: { moreIssues?: number } } {
  const texts = all
    .slice(0, ISSUES_MAX)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const { text, more } = moreThan(all.length);
  return { text: [...new Set(texts), ...text].join(' '), more };
}

/** Of so many problems, how many are not named. */
function moreThan(total: number): { text: string[]; more: { moreIssues?: number } } {
  const moreIssues = total - ISSUES_MAX;
  if (moreIssues <= 0) return { text: [], more: {} };
  return {
    text: [`There ${moreIssues === 1 ? 'is 1 more problem' : `are ${moreIssues} more problems`}.`],
    more: { moreIssues },
  };
}

/** Sellers that speak another major version of the protocol alone. Nothing was changed. */
export function versionUnsupported(
  buys: readonly { readonly mediaBuyId: string; readonly salesAgentId: string }[],
): AppError {
  const { text, more } = moreThan(buys.length);
  const said = ['The seller of this media buy speaks another major version of the protocol.', ...text];
  return new AppError('VERSION_UNSUPPORTED', `${said.join(' ')} Nothing was changed.`, {
    suggestion: 'Ask the seller to serve AdCP 3, or to make the change by itself.',
    details: { unsupported: buys.slice(0, ISSUES_MAX), ...more },
  });
}

/** That so many sellers of these names do. */
export function anotherMajorInWords(names: string, count: number): string {
  return `${names} ${count === 1 ? 'speaks' : 'speak'} another major version of the protocol: what is ordered there could not be changed or stopped.`;
}

interface OfAnotherMajor {
  /** Those sellers in words. */
  readonly names: string;
  readonly suggestion: string;
  /** What else stands against the same orders. */
  readonly issues: readonly Issue[];
}

/** The same of sellers that something would be ordered at. Nothing was ordered. */
export function sellersOfAnotherMajor(
  sellers: readonly { readonly salesAgentId: string; readonly mediaBuyId?: string }[],
  { names, suggestion, issues }: OfAnotherMajor,
): AppError {
  const said = anotherMajorInWords(names, sellers.length);
  const unsupported = sellers.map(({ salesAgentId, mediaBuyId }) => ({
    ...(mediaBuyId === undefined ? {} : { mediaBuyId }),
    salesAgentId,
  }));
  const all = [{ path: '', message: said }, ...issues];
  const { text, more } = saidOnce(all);
  return new AppError('VERSION_UNSUPPORTED', `${text} Nothing was changed.`, {
    suggestion,
    details: {
      unsupported: unsupported.slice(0, ISSUES_MAX),
      ...(issues.length === 0 ? {} : { issues: all.slice(0, ISSUES_MAX) }),
      ...more,
    },
  });
}

/** A caller that speaks another major version of the protocol than this service does. */
export function majorNotSpoken(
  field: string,
  { given, spoken }: { readonly given: string; readonly spoken: number },
): AppError {
  return new AppError('VERSION_UNSUPPORTED', `AdCP ${given} is not spoken here.`, {
    field,
    suggestion: `Give a release of AdCP ${spoken}, such as ${spoken}.1, or leave ${field} out.`,
  });
}

/** A seller that tells nobody which accounts it has. */
export function listingNotSupported(salesAgentId: string): AppError {
  return new AppError(
    'CAPABILITY_NOT_SUPPORTED',
    'The seller has no way to list its accounts (list_accounts).',
    {
      suggestion: 'Ask the seller what it calls the account, and link that with account_link_create.',
      details: {
        unsupported: [{ salesAgentId, field: 'sourceId', reason: 'It declares no tool list_accounts.' }],
      },
    },
  );
}

/**
 * What an order of a product would tell its seller of whom to reach, or for whom it is, and the seller does not
 * declare.
 */
export interface UndeclaredTargeting {
  /** The order that would be sent again. */
  readonly mediaBuyId?: string;
  readonly productId: string;
  readonly salesAgentId: string;
  readonly field: string;
  readonly reason: string;
}

/** What sellers do not declare of the targeting of chosen products, or of their campaign. Nothing was changed. */
export function targetingNotSupported(
  unsupported: readonly UndeclaredTargeting[],
  { suggestion, others }: { readonly suggestion: string; readonly others: readonly Issue[] },
): AppError {
  const all = [...unsupported.map(({ field, reason }) => ({ path: field, message: reason })), ...others];
  const { text, more } = saidOnce(all);
  return new AppError('CAPABILITY_NOT_SUPPORTED', `${text} Nothing was changed.`, {
    suggestion,
    details: {
      unsupported: unsupported.slice(0, ISSUES_MAX),
      ...(others.length === 0 ? {} : { issues: all.slice(0, ISSUES_MAX) }),
      ...more,
    },
  });
}
