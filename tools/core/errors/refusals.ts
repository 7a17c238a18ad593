import { AppError, type ErrorFacts, type Issue } from './app-error.ts';
import { fewIssues, ISSUES_MAX } from './few-issues.ts';

/** A status belongs to the meaning, so that it is written in this file and the catalogue alone. */
type Facts = Omit<ErrorFacts, 'status'>;

export function badRequest(message: string, facts: Facts = {}): AppError {
  return new AppError('BAD_REQUEST', message, facts);
}

/** The body of a request is none that can be read. */
export function badBody(message: string, facts: Facts = {}): AppError {
  const suggestion = 'Send a JSON object in UTF-8 with Content-Type: application/json, not compressed.';
  return badRequest(message, { suggestion, ...facts });
}

/** RFC 9110, section 15.5.6: the address is there, for other methods. */
export function methodNotAllowed(allow: readonly string[]): AppError {
  return new AppError('BAD_REQUEST', `This address takes ${allow.join(', ')}.`, {
    status: 405,
    suggestion: `Use ${allow.join(' or ')}.`,
  });
}

export const HOW_TO_ESCAPE =
  'Write a percent sign itself as %25, and other characters as the hexadecimal of their UTF-8.';

/** RFC 3986, section 2.1: in an address, `%` begins an octet in hexadecimal. */
export function brokenEscape(part: 'path' | 'query', facts: Facts = {}): AppError {
  const told = { ...facts, suggestion: HOW_TO_ESCAPE };
  return new AppError('BAD_REQUEST', `The ${part} holds a broken % escape.`, told);
}

const UNREADABLE = 'The request is not valid HTTP, too large or too slow.';
const READABLE = 'Send it anew as HTTP/1.1 has it, with fewer and shorter headers where they are many.';

/** What is not HTTP, or not in time, or with too many headers, by Node's word for it. */
export function unreadable(code: string | undefined): AppError {
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  return new AppError('BAD_REQUEST', UNREADABLE, { status, suggestion: READABLE });
}

interface Counted extends Facts {
  /** How many problems there are, where not all of them were put into words. */
  readonly total?: number;
}

/** The input is wrong in these places: all of them at once, as far as one can read them. */
export function invalidInput(issues: readonly Issue[], facts: Counted = {}): AppError {
  return invalidFields(issues, facts);
}

/** The input is well-formed, and contradicts what is stored in these places. */
export function contradiction(issues: readonly Issue[], facts: Counted = {}): AppError {
  return invalidFields(issues, { ...facts, status: 422 });
}

function invalidFields(issues: readonly Issue[], facts: Counted & Pick<ErrorFacts, 'status'>): AppError {
  const { total = issues.length, ...others } = facts;
  const { text, details } = fewIssues(issues, total);
  const [first] = issues;
  const single = details.moreIssues === undefined && issues.every(({ path }) => path === first?.path);
  const field = single && first !== undefined && first.path !== '' ? first.path : undefined;
  return new AppError('VALIDATION_ERROR', text, {
    ...(field === undefined ? {} : { field }),
    ...others,
    details: { ...details, ...facts.details },
  });
}

/** A well-formed field that cannot be meant here. */
export function invalid(field: string, message: string, facts: Facts = {}): AppError {
  return invalidInput([{ path: field, message }], facts);
}

/** A well-formed field that contradicts what is stored. */
export function contradicts(field: string, message: string, facts: Facts = {}): AppError {
  return contradiction([{ path: field, message }], facts);
}

export function unauthorized(message: string, facts: Facts = {}): AppError {
  return new AppError('UNAUTHORIZED', message, facts);
}

export function forbidden(message: string, suggestion: string): AppError {
  return new AppError('FORBIDDEN', message, { suggestion });
}

/** RFC 6750, section 3.1: whoever gave this program access kept this from it, and can give it. */
export function insufficientScope(scope: string): AppError {
  return new AppError('FORBIDDEN', `This call needs the scope ${scope}, which this program was not given.`, {
    suggestion: `Connect the program again, and allow ${scope}.`,
    details: { scope },
  });
}

/** Interface, Authentication rule 7: before the claim an agent reads advertisers over REST, and nothing else. */
export function unclaimedAgent(): AppError {
  return new AppError('FORBIDDEN', 'An agent that nobody has claimed may only read advertisers, over REST.', {
    suggestion: 'Ask a user of the organization to claim this agent: /auth.md says how.',
    details: { scope: 'buyer:read' },
  });
}

export function accessDenied(kind: string): AppError {
  return new AppError(
    'ACCESS_DENIED',
    `This ${kind} belongs to an account or advertiser beyond your grants.`,
    {
      suggestion: 'Use a credential whose grants reach it.',
    },
  );
}

/** A change outside the sandbox, asked for with a test key. */
export function beyondSandbox(kind: string): AppError {
  return forbidden(
    `This ${kind} is live, and a test key works in the sandbox only.`,
    'Use a sandbox advertiser (advertiser_list with sandbox true; advertiser_create makes one with this key), ' +
      'or a live key.',
  );
}

/** The address was narrowed with `readonly=true`, or the header that means the same. */
export function readOnlyAddress(): AppError {
  return forbidden(
    'This address only reads: it was opened with readonly=true.',
    'Ask whoever connected this server for an address without readonly=true, or go on reading.',
  );
}

/** What nobody foresaw: the cause is for the log alone. */
export function internalError(cause: unknown): AppError {
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side.', { cause });
}

/** The same words for what is absent and for what belongs to others. */
export function notFound({ word, lookUp }: { readonly word: string; readonly lookUp: string }): AppError {
  return new AppError('NOT_FOUND', `No such ${word}.`, { suggestion: lookUp });
}

export function conflict(message: string, suggestion: string, facts: Facts = {}): AppError {
  return new AppError('CONFLICT', message, { suggestion, ...facts });
}

/** A person was asked whether the call may go on: `no` is an answer, `none` is that there was none. */
export function notConsented(title: string, consent: 'no' | 'none'): AppError {
  return consent === 'no'
    ? conflict(
        `${title}: the person who was asked said no, and nothing was done.`,
        'Ask what is to be different, change it, and call again; the person is then asked again.',
      )
    : conflict(
        `${title}: nobody answered whether to go on, and nothing was done.`,
        'Call again when somebody is there to answer.',
      );
}

/** The answer was to a question that is another one by now. */
export function changedWhileAsked(questions: {
  readonly confirmed: string;
  /** As it would be asked now; null where nobody would be asked. */
  readonly now: string | null;
}): AppError {
  return conflict(
    'What the person was asked about changed meanwhile, and nothing was done.',
    'Call again: the person is asked about it as it is now.',
  ).with({ ...questions });
}

/** There is no such address at all: REST, pages and MCP say so in the same words. */
export function nothingThere(): AppError {
  return notFoundAt('There is nothing at this address.', 'GET /openapi.json lists every address.');
}

/** An MCP server has no such tool; what to do instead depends on what it has. */
export function noSuchTool(name: string, suggestion: string): AppError {
  return notFoundAt(`Unknown tool: ${name}.`, suggestion);
}

function notFoundAt(message: string, suggestion: string): AppError {
  return new AppError('NOT_FOUND', message, { suggestion });
}

/** Somebody else wrote between our reading and our writing. */
export function staleWrite({ word }: { readonly word: string }, facts: Facts = {}): AppError {
  return conflict(
    `The ${word} was changed by somebody else in the meantime.`,
    `Read the ${word} again and repeat the change if it still applies.`,
    { ...facts, stale: true },
  );
}

export function termsRequired(
  details: { organizationId: number; tosVersion: string; tosUrl: string },
  asker: number,
): AppError {
  const missing = `has not accepted version ${details.tosVersion} of the terms of service.`;
  const { organizationId } = details;
  const code = 'TOS_ACCEPTANCE_REQUIRED';
  if (organizationId === asker) return new AppError(code, `The organization ${missing}`, { details });
  const suggestion = `Ask an administrator of organization ${organizationId} to accept them, at details.tosUrl or with accept_tos: a role in yours is not enough.`;
  const message = `Organization ${organizationId}, below which yours stands, ${missing}`;
  return new AppError(code, message, { details, suggestion });
}

export function alphaRequired(title: string): AppError {
  return new AppError('ALPHA_OPT_IN_REQUIRED', `“${title}” is in alpha.`);
}

const TOO_MANY = { message: 'Too many requests.' };

/** More of something was asked for than may be, in a time that is over after so many seconds. */
export function rateLimited(
  retryAfter: number,
  { message, ...facts }: { readonly message: string; readonly suggestion?: string } = TOO_MANY,
): AppError {
  return new AppError('RATE_LIMITED', `${message} Retry in ${retryAfter} s.`, { retryAfter, ...facts });
}

/** As much stands open or is under way already as may; some of it ends by itself. */
export function tooManyOpen(
  message: string,
  facts: { readonly retryAfter: number; readonly suggestion: string },
): AppError {
  return new AppError('RATE_LIMITED', message, facts);
}

export function unavailable(message: string, facts: Facts = {}): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: 2, ...facts });
}

const NOT_BUILT = 'Documented, and not built yet.';

/** Documented fields that nothing stands behind yet: nothing was done. */
export function notImplemented(fields: readonly string[]): AppError {
  const named = fields.slice(0, ISSUES_MAX);
  const more = fields.length - named.length;
  const texts = named.map((path) => `${path}: ${NOT_BUILT}`);
  const message = `${texts.join(' ')}${more > 0 ? ` There are ${more} more.` : ''} Nothing was changed.`;
  const [only] = fields.length === 1 ? fields : [];
  return new AppError('NOT_IMPLEMENTED', message, {
    ...(only === undefined ? {} : { field: only }),
    suggestion: `Leave out ${named.join(', ')} if the call makes sense without.`,
    details: {
      issues: named.map((path) => ({ path, message: NOT_BUILT })),
      ...(more > 0 ? { moreIssues: more } : {}),
    },
  });
}
