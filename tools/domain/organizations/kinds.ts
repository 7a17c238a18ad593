import type { Kind } from '../../core/kinds.ts';

const LOOK_UP = 'Find it with npm run rialto -- organization list.';

export const organizationKind: Kind = { type: 'ORGANIZATION', word: 'organization', lookUp: LOOK_UP };
export const accountKind: Kind = { type: 'ACCOUNT', word: 'account', lookUp: LOOK_UP };
export const userKind: Kind = {
  type: 'USER',
  word: 'user',
  lookUp: 'Make the person known with npm run rialto -- user add.',
};
export const grantKind: Kind = { type: 'GRANT', word: 'grant', lookUp: LOOK_UP };
export const termsKind: Kind = { type: 'TERMS', word: 'terms of service', lookUp: LOOK_UP };
export const keyKind: Kind = {
  type: 'API_KEY',
  word: 'live key',
  lookUp: 'Find it with npm run rialto -- key list.',
};

/**
 * What the log of an account can tell beside what its capabilities write of. What concerns the organization as a
 * whole (itself, its people, its agreement) is in the operator's list alone.
 */
export const auditedKinds: readonly Kind[] = [accountKind, grantKind, keyKind];
