import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import { besideOtherProblems } from '../../core/checks.ts';

type Parts = Pick<InventorySourceRow, 'execution_type' | 'authentication_type' | 'auth'>;

/** A source is usable once whoever it sells through can be signed in at. */
export function isConnected(source: Parts): boolean {
  if (source.execution_type === 'MANAGED_SALES_AGENT') return true;
  return source.authentication_type === 'NO_AUTH' || source.auth !== null;
}

export type StatusChange = { readonly status: InventorySourceRow['status'] } | { readonly refusal: string };

/**
 * PENDING becomes ACTIVE with its credential; ACTIVE and DISABLED change places; nothing goes back to PENDING
 * (reference: inventory sources, state machine).
 */
export function nextStatus(
  source: Parts & Pick<InventorySourceRow, 'status'>,
  wanted: InventorySourceRow['status'] | undefined,
): StatusChange {
  const connected = isConnected(source);
  const status = wanted ?? (source.status === 'PENDING' && connected ? 'ACTIVE' : source.status);
  if (status === 'ACTIVE' && !connected) return { refusal: 'It cannot be ACTIVE without a credential.' };
  if (status === 'PENDING' && source.status !== 'PENDING')
    return { refusal: 'Nothing goes back to PENDING.' };
  return { status };
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

/** True when a credential that was given for one address would be sent to another one. */
export function isElsewhere(before: string | null, after: string | null): boolean {
  return originOf(before) !== originOf(after);
}

/** Scheme, host and port: over http a credential for https could be read on its way. */
function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : url;
}
