import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import { next } from '../../core/machines.ts';
import { besideOtherProblems } from '../../core/schemas/checks.ts';
import { sourceMachine } from './machines.ts';

type Parts = Pick<InventorySourceRow, 'execution_type' | 'authentication_type' | 'auth'>;

/** A source is usable once whoever it sells through can be signed in at. */
function isConnected(source: Parts): boolean {
  if (source.execution_type === 'MANAGED_SALES_AGENT') return true;
  return source.authentication_type === 'NO_AUTH' || source.auth !== null;
}

type SourceStatus = InventorySourceRow['status'];

const eventFor = { ACTIVE: 'activate', DISABLED: 'disable', PENDING: 'await' } as const;

/** Where it comes to, or why it comes nowhere and what to do instead. */
export type StatusChange = { readonly status: SourceStatus } | typeof WITHOUT_CREDENTIAL | typeof BACK;

const OUT = 'set status to DISABLED to take the source out of discovery.';
const WITHOUT_CREDENTIAL = {
  refusal: 'It cannot be ACTIVE without a credential.',
  instead: `Give auth or set authenticationType to NO_AUTH; ${OUT}`,
} as const;
const BACK = {
  refusal: 'Nothing goes back to PENDING.',
  instead: `Leave status out; ${OUT}`,
} as const;

/** What becomes of the status of a source, when it is wanted so or just left to its credential. */
export function nextStatus(
  source: Parts & Pick<InventorySourceRow, 'status'>,
  wanted: SourceStatus | undefined,
): StatusChange {
  const connected = isConnected(source);
  if (wanted === 'ACTIVE' && !connected) return WITHOUT_CREDENTIAL;
  if (wanted === undefined) {
    const status = connected ? next(sourceMachine, source.status, 'connect') : undefined;
    return keeping({ ...source, status: status ?? source.status });
  }
  const status = next(sourceMachine, source.status, eventFor[wanted]);
  return status === undefined ? BACK : { status };
}

/** An active source cannot lose its credential and stay what it is. */
function keeping(source: Parts & Pick<InventorySourceRow, 'status'>): StatusChange {
  if (source.status === 'ACTIVE' && !isConnected(source)) return WITHOUT_CREDENTIAL;
  return { status: source.status };
}

type AuthenticationType = NonNullable<InventorySourceRow['authentication_type']>;

interface SignIn {
  readonly authenticationType?: AuthenticationType | undefined;
  readonly auth?: object | undefined;
}

/** How an agent is signed in at: as is said, or as a credential says that is given without a word about it. */
export function authenticationTypeOf<T extends AuthenticationType | null>(
  { authenticationType, auth }: SignIn,
  otherwise: T,
): AuthenticationType | T {
  return authenticationType ?? (auth === undefined ? otherwise : 'API_KEY');
}

/** For the schemas: a credential for an agent that is said to need none is a mistake about one of the two. */
export const credentialRule = {
  check: ({ authenticationType, auth }: { authenticationType?: unknown; auth?: unknown }) =>
    authenticationType !== 'NO_AUTH' || auth === undefined,
  complaint: {
    message: 'Leave it out with authenticationType NO_AUTH, or give authenticationType API_KEY.',
    path: ['auth'],
    ...besideOtherProblems,
  },
};

/** How an agent at a URL is reached and signed in at. */
const CONNECTION = ['endpointUrl', 'authenticationType', 'auth'] as const;

/** What of it is given. */
export function connectionIn(given: Readonly<Record<string, unknown>>): readonly string[] {
  return CONNECTION.filter((field) => given[field] !== undefined);
}

/** The embedded seller is a part of this service: who gives it an address or a credential means another source. */
export const NO_CONNECTION =
  'The embedded seller has none: leave it out, or make a source of executionType AGENT.';

/** For the schemas: the same, said of one field. */
export function forAgents(field: (typeof CONNECTION)[number]) {
  return {
    check: (given: Readonly<Record<string, unknown>>) =>
      given['executionType'] !== 'MANAGED_SALES_AGENT' || given[field] === undefined,
    complaint: { message: NO_CONNECTION, path: [field], ...besideOtherProblems },
  };
}

/** True when a credential that was given for one address would be sent to another one. */
export function isElsewhere(before: string | null, after: string | null): boolean {
  return originOf(before) !== originOf(after);
}

/** Scheme, host and port: over http a credential for https could be read on its way. */
function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : url;
}
