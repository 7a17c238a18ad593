import { AppError, type ErrorFacts, type Issue } from './app-error.ts';
import { ISSUES_MAX } from './few-issues.ts';
import { conflict } from './refusals.ts';

/** Refusals of changes to what a seller holds. */

type Facts = Omit<ErrorFacts, 'status'>;

/** A change that was made on a version which holds no more; the one that holds is named. */
export function staleVersion(
  { word }: { readonly word: string },
  current: string,
  facts: Facts = {},
): AppError {
  return conflict(
    `The ${word} stands at version ${current} by now.`,
    `Read the ${word} again, and repeat the change with that version if it still applies.`,
    { ...facts, details: { currentVersion: current }, stale: true },
  );
}

/** What sellers do not declare of the changes that were asked for. Nothing was changed. */
export function capabilityNotSupported(
  unsupported: readonly {
    readonly mediaBuyId: string;
    readonly salesAgentId: string;
    readonly field: string;
    readonly reason: string;
  }[],
  others: readonly Issue[] = [],
): AppError {
  const named = unsupported.slice(0, ISSUES_MAX);
  const all = [...named.map(({ field, reason }) => ({ path: field, message: reason })), ...others];
  const issues = all.slice(0, ISSUES_MAX);
  const texts = [
    ...new Set(issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))),
  ];
  const [only, another] = [...new Set(issues.map(({ path }) => path))];
  return new AppError('CAPABILITY_NOT_SUPPORTED', `${texts.join(' ')} Nothing was changed.`, {
    suggestion:
      'Leave out what the seller does not declare, or ask the seller for it outside of this service; ' +
      'media_buy_get names who sells the buy.',
    // Beside what is not declared other things may be wrong: then all of it stands there, place by place.
    ...(others.length > 0 && only !== undefined && another === undefined ? { field: only } : {}),
    details: {
      unsupported: named,
      ...(others.length === 0 ? {} : { issues }),
    },
  });
}

/** Sellers that speak another major version of the protocol alone. Nothing was changed. */
export function versionUnsupported(
  buys: readonly { readonly mediaBuyId: string; readonly salesAgentId: string }[],
): AppError {
  return new AppError(
    'VERSION_UNSUPPORTED',
    'The seller of this media buy speaks another major version of the protocol. Nothing was changed.',
    {
      suggestion: 'Ask the seller to serve AdCP 3, or to make the change by itself.',
      details: { unsupported: buys.slice(0, ISSUES_MAX) },
    },
  );
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

/** What sellers do not declare of the targeting of chosen products. Nothing was changed. */
export function targetingNotSupported(
  unsupported: readonly {
    readonly productId: string;
    readonly salesAgentId: string;
    readonly field: string;
    readonly reason: string;
  }[],
): AppError {
  const named = unsupported.slice(0, ISSUES_MAX);
  const texts = named.map(({ field, reason }) => `${field}: ${reason}`);
  return new AppError('CAPABILITY_NOT_SUPPORTED', `${texts.join(' ')} Nothing was changed.`, {
    suggestion: 'Leave out of targetingOverlay what the seller does not declare, or choose other products.',
    details: { unsupported: named },
  });
}
