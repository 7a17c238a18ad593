import type { Permission } from '../../store/api-keys.ts';
import type { Effect } from './define.ts';
import type { AppError } from './errors/app-error.ts';
import { forbidden, insufficientScope, unauthorized, unclaimedAgent } from './errors/refusals.ts';
import { type Accounts, factsOf, type Side, type Surface } from './surfaces.ts';

/** Who may call a capability. There is no default: a definition without one does not compile. */
export type Access =
  | { readonly kind: 'open' }
  | ({ readonly kind: 'permission'; readonly permission: Permission } & AccessFlags);

interface AccessFlags {
  /** Only an interactive session of a person. */
  readonly human?: true;
  /** Only a person, at a browser or by a token of its own: no key, and nothing that acts for an organization. */
  readonly person?: true;
  /** Also an anonymous agent that nobody claimed yet. */
  readonly unclaimedAgents?: true;
  /** Also before the organization accepted the terms. */
  readonly beforeTerms?: true;
  /**
   * Bounds that a change keeps within, so that credentials confined by them may make it. Closed by default: what
   * says nothing is refused to all of them.
   */
  readonly within?: readonly Bound[];
}

/**
 * What confines a credential: grants or an account, to a part of the organization; being a test key, to the sandbox.
 */
export type Bound = 'grants' | 'sandbox';

/** What confines a credential in its account of either side, and in what the whole organization shares. */
export type Confinement = Readonly<Record<Side | 'organization', readonly Bound[]>>;

export const unconfined: Confinement = { buyer: [], seller: [], organization: [] };

/** Anybody, with or without a credential. */
export const open: Access = { kind: 'open' };

export function needs(permission: Permission, flags: AccessFlags = {}): Access {
  return { kind: 'permission', permission, ...flags };
}

/** What a decision about access looks at. */
export interface Bearer {
  /** `operator`: whoever runs the installation, at its command line. No credential makes one. */
  readonly kind:
    | 'api_key'
    | 'user'
    | 'm2m'
    | 'service_token'
    | 'legacy_key'
    | 'agent'
    | 'anonymous_agent'
    | 'operator';
  /** True for a person at a browser that is signed in here: no token and no key is that. */
  readonly interactive?: true;
  readonly permissions: ReadonlySet<Permission>;
  /** What the person behind it holds and kept from it: the person can give it when asked again. */
  readonly withheld?: ReadonlySet<Permission>;
  /** The account the credential works in on either surface; null where the organization has none. */
  readonly accounts: Accounts;
  readonly confined: Confinement;
}

/** `buyer:admin` holds `buyer:write` holds `buyer:read`; `account:admin` stands alone. */
const impliedBy: Readonly<Record<Permission, readonly Permission[]>> = {
  'buyer:read': ['buyer:read', 'buyer:write', 'buyer:admin'],
  'buyer:write': ['buyer:write', 'buyer:admin'],
  'buyer:admin': ['buyer:admin'],
  'account:admin': ['account:admin'],
};

export function hasPermission(bearer: Pick<Bearer, 'permissions'>, permission: Permission): boolean {
  for (const held of impliedBy[permission]) if (bearer.permissions.has(held)) return true;
  return false;
}

export interface AccessQuestion {
  readonly access: Access;
  readonly effect: Effect;
  readonly surface: Surface;
}

/**
 * The first three gates in their order: who is it (401), is it an agent nobody claimed (403), may it (403).
 * Gives the refusal, or undefined to go on.
 */
export function refusal(question: AccessQuestion, bearer: Bearer | null): AppError | undefined {
  const { access } = question;
  if (access.kind === 'open') return undefined;
  if (bearer === null) return unauthorized('This call needs a credential.');
  if (bearer.kind === 'anonymous_agent' && !(access.unclaimedAgents && question.effect === 'read')) {
    return unclaimedAgent();
  }
  return (
    refusedPermission(access, bearer) ??
    refusedSurface(question.surface, bearer) ??
    refusedChange(question, access, bearer)
  );
}

function refusedPermission(
  access: Extract<Access, { kind: 'permission' }>,
  bearer: Bearer,
): AppError | undefined {
  if (access.human && !bearer.interactive) {
    return forbidden(
      'This call needs an interactive session of a person; a key or token cannot make it.',
      'Ask an administrator of the organization to do it while signed in.',
    );
  }
  if (access.person && bearer.kind !== 'user') {
    return forbidden(
      'This call is for people; a key, an application or a service token cannot make it.',
      'Ask an administrator of the organization to do it, signed in or with an access token of their own.',
    );
  }
  return withoutPermission(
    access.permission,
    bearer,
    access.human || access.person ? 'Ask an administrator of the organization to do it.' : undefined,
  );
}

function withoutPermission(
  permission: Permission,
  bearer: Pick<Bearer, 'permissions' | 'withheld'>,
  suggestion?: string,
): AppError | undefined {
  if (hasPermission(bearer, permission)) return undefined;
  if (bearer.withheld !== undefined && hasPermission({ permissions: bearer.withheld }, permission)) {
    return insufficientScope(permission);
  }
  return forbidden(
    `This call needs the permission ${permission}.`,
    suggestion ?? `Use a credential that holds ${impliedBy[permission].join(' or ')}.`,
  );
}

/** For what a call asks beyond its own permission, such as a deletion in the midst of a change. */
export function requirePermission(
  permission: Permission,
  bearer: Pick<Bearer, 'permissions' | 'withheld'>,
): void {
  const refused = withoutPermission(permission, bearer);
  if (refused !== undefined) throw refused;
}

/** Whether a call is refused for nothing but that its program was given less than its person holds. */
export function lacksScope(question: AccessQuestion, bearer: Bearer): boolean {
  return refusal(question, bearer)?.details?.['scope'] !== undefined;
}

const withoutAccount: Readonly<Record<Side, { readonly account: string; readonly does: string }>> = {
  buyer: { account: 'buyer account', does: 'buys' },
  seller: { account: 'storefront account', does: 'sells' },
};

/** A surface is closed to an organization that has no account on its side. */
function refusedSurface(surface: Surface, bearer: Bearer): AppError | undefined {
  const { side } = factsOf(surface);
  if (side === null || bearer.accounts[side] !== null) return undefined;
  const { account, does } = withoutAccount[side];
  return forbidden(
    `This organization has no ${account}.`,
    `Use a credential of an organization that ${does}, or ask the operator for a ${account}.`,
  );
}

/** What confines a credential on a surface: one of no side changes what the whole organization shares. */
export function boundsOn(surface: Surface, { confined }: Pick<Bearer, 'confined'>): readonly Bound[] {
  return confined[factsOf(surface).side ?? 'organization'];
}

const beyond: Readonly<Record<Bound, { readonly message: string; readonly suggestion: string }>> = {
  grants: {
    message:
      'This credential is narrowed, by grants or to one account: it changes what is within that, nothing else.',
    suggestion: 'Use a credential of the organization that neither grants nor an account narrow.',
  },
  sandbox: {
    message: 'This is a test key: it works in the sandbox only, and this call reaches beyond it.',
    suggestion: 'Use a live key of the organization.',
  },
};

/** A confined credential reads its account, and changes only what declares that it keeps within its bounds. */
function refusedChange(
  { effect, surface }: AccessQuestion,
  { within = [] }: AccessFlags,
  bearer: Bearer,
): AppError | undefined {
  if (effect === 'read') return undefined;
  const bound = boundsOn(surface, bearer).find((one) => !within.includes(one));
  return bound === undefined ? undefined : forbidden(beyond[bound].message, beyond[bound].suggestion);
}
