import type { AppError } from '../../tools/core/errors/app-error.ts';
import { type ErrorCode, errorEntry } from '../../tools/core/errors/catalogue.ts';
import { capabilityNotSupported, versionUnsupported } from '../../tools/core/errors/change-refusals.ts';
import {
  currencyMismatch,
  insufficientMediaBudget,
  pricingNotConfigured,
} from '../../tools/core/errors/money-refusals.ts';
import {
  accessDenied,
  alphaRequired,
  badBody,
  contradiction,
  forbidden,
  internalError,
  invalidInput,
  notFound,
  notImplemented,
  rateLimited,
  staleWrite,
  termsRequired,
  unauthorized,
  unavailable,
} from '../../tools/core/errors/refusals.ts';
import { creditMissing } from '../../tools/domain/ledger/commitments.ts';
import { failureBody } from '../http/envelope.ts';
import { anotherAnswer } from '../rest/conditional-reads.ts';
import type { Json } from './openapi-schemas.ts';

const ACCOUNT = { currency: 'USD', fundedMinor: 0, creditLimitMinor: 500_000 };
const BUY = { mediaBuyId: 'mb_example', salesAgentId: 'agt_example' };

const OF_READS = '_of_a_read';

/** One of each code and status, made by what makes them where a call is refused. */
const REFUSALS: readonly (AppError | undefined)[] = [
  badBody('The body is not JSON.'),
  invalidInput([{ path: 'budget.total', message: 'Must be above 0.' }]),
  contradiction([{ path: 'flightDates.endDate', message: 'Is before the start of a media buy.' }]),
  currencyMismatch('budget.currency', 'The advertiser is in USD.'),
  unauthorized('There is no credential.'),
  creditMissing({ ...ACCOUNT, committedMinor: 400_000, availableMinor: 100_000 }, 250_000, {}),
  forbidden('This call needs buyer:write.', 'Use a key that has buyer:write.'),
  accessDenied('campaign'),
  termsRequired({ organizationId: 1, tosVersion: '2026-01', tosUrl: 'https://example.com/terms' }, 1),
  alphaRequired('A capability in alpha'),
  notFound({ word: 'campaign', lookUp: 'campaign_list lists them.' }),
  staleWrite({ word: 'campaign' }),
  pricingNotConfigured([{ agentId: 'agt_example', agentName: 'Laguna Media', mediaBuyId: 'mb_example' }]),
  insufficientMediaBudget('A total of 1,000 USD is less than the 1,500 USD that its media buys take.', {
    requestedTotal: 1000,
    committedAllocation: 1500,
    currency: 'USD',
  }),
  capabilityNotSupported([{ ...BUY, field: 'end_time', reason: 'The seller declares no change of it.' }]),
  versionUnsupported([BUY]),
  rateLimited(7),
  internalError(undefined),
  notImplemented(['creatives']),
  unavailable('The database does not answer.'),
];

const examples: ReadonlyMap<string, Json> = new Map([
  ...REFUSALS.flatMap((error) =>
    error === undefined ? [] : [named(nameOf(error.code, error.status), error)],
  ),
  named(`CONFLICT${OF_READS}`, anotherAnswer()),
]);

function named(name: string, error: AppError): [string, Json] {
  return [name, { summary: error.code, value: JSON.parse(failureBody(error)) }];
}

/** The code, and where the status is not its usual one that too. */
function nameOf(code: ErrorCode, status: number): string {
  return errorEntry(code).statuses[0] === status ? code : `${code}_${status}`;
}

/** Every refusal that an operation may show, for `components.examples`. */
export function refusalExamples(): Json {
  return Object.fromEntries(examples);
}

/** Which refusals are meant: those with a status, of a change or of a read whose answer has a tag. */
export interface Shown {
  readonly status: number;
  readonly isTaggedRead: boolean;
}

/** The refusals of these codes, as references. */
export function examplesOf(codes: readonly ErrorCode[], { status, isTaggedRead }: Shown): Json {
  const names = codes.map((code) => {
    const name = nameOf(code, status);
    return isTaggedRead && examples.has(`${name}${OF_READS}`) ? `${name}${OF_READS}` : name;
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
}
