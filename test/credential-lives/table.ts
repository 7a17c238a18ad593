/** The kinds of credentials there are. */
export const kinds = [
  'organization key',
  'narrowed key',
  'access token of a person',
  'access token of an application',
  'service token',
  'legacy key of a person',
  'legacy key of an account',
  'anonymous agent',
  'claimed agent',
  'browser session',
] as const;

export type Kind = (typeof kinds)[number];

/** What happens to them, in words that follow on “that”. */
export const transitions = {
  used: 'is used',
  rotated: 'is rotated',
  rotatedAway: 'is rotated, and the old secret ended',
  replayed: 'is rotated with what was used up before',
  narrowed: 'is narrowed to another advertiser',
  claimed: 'is claimed',
  expired: 'expires',
  registrationOver: 'was given in a registration that is over',
  revoked: 'is revoked',
  refreshRevoked: 'has its refresh token revoked',
  applicationDeleted: 'has its application deleted',
  suspended: 'has its organization suspended',
  parentSuspended: 'has the parent of its organization suspended',
  resumed: 'has its organization suspended and resumed',
  personRemoved: 'has its person removed',
  personSuspended: 'has its person suspended',
  roleLowered: 'has its person made a reader',
  passwordReplaced: 'has the password of its person replaced',
  termsOutdated: 'has its terms outdated',
} as const;

export type Transition = keyof typeof transitions;

/** What has to hold afterwards. */
export interface Expected {
  /** Reads over REST and MCP. */
  readonly reads: 'go on' | 'UNAUTHORIZED' | 'ACCESS_DENIED';
  /** What is open: goes on, or ends with this; as reads do, unless told. */
  readonly open?: 'UNAUTHORIZED';
  /** Changes, over REST and MCP. */
  readonly writes: 'go on' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'TOS_ACCEPTANCE_REQUIRED';
  /** What becomes of an event that is due to a subscription that it made. */
  readonly webhook: string;
  /** Whether what is kept to ask for the next credential still gives one. */
  readonly next: boolean;
}

const goesOn: Expected = { reads: 'go on', writes: 'go on', webhook: 'delivered', next: true };
/** The subscriptions of a credential without grants are the account's, as its campaigns are. */
const over: Expected = { reads: 'UNAUTHORIZED', writes: 'UNAUTHORIZED', webhook: 'delivered', next: false };
const tokenOver: Expected = { ...over, next: true };
/** Those of an agent and of a narrowed credential carry what it reaches, and end with it. */
const overWithAll: Expected = { ...over, webhook: 'nothing' };
const overUnsent: Expected = { ...over, webhook: 'skipped: credential_ended' };
const suspended: Expected = { ...over, webhook: 'skipped: organization_suspended' };
const reader: Expected = { ...goesOn, writes: 'FORBIDDEN' };
/** Its advertisers are others from then on: it may change what is the account's, and hears of nothing. */
const narrowed: Expected = { ...goesOn, reads: 'ACCESS_DENIED', webhook: 'nothing' };
const outdated: Expected = { ...goesOn, writes: 'TOS_ACCEPTANCE_REQUIRED' };
/** It changes nothing and hears of nothing, in whatever state it is. */
const sandbox: Expected = { ...goesOn, writes: 'FORBIDDEN', webhook: 'nothing' };
const sandboxOver: Expected = { ...over, webhook: 'nothing' };

type Life = Readonly<Partial<Record<Transition, Expected>>>;

/** What happens to an organization happens to every credential of it. */
const ofOrganization: Life = {
  used: goesOn,
  suspended,
  parentSuspended: suspended,
  resumed: { ...goesOn, open: 'UNAUTHORIZED' },
  termsOutdated: outdated,
};
const ofPerson: Life = { personRemoved: over, personSuspended: over, roleLowered: reader, narrowed };
/** A key is the organization's: who made it may go. */
const ofNobody: Life = {
  personRemoved: goesOn,
  personSuspended: goesOn,
  roleLowered: goesOn,
  passwordReplaced: goesOn,
};

/** Each kind in its life, written by hand from the interface (Authentication) and the decisions (Gates). */
export const lives: Readonly<Record<Kind, Life>> = {
  'organization key': {
    ...ofOrganization,
    ...ofNobody,
    rotated: goesOn,
    expired: over,
    revoked: over,
    narrowed,
  },
  'narrowed key': {
    ...ofOrganization,
    ...ofNobody,
    rotated: goesOn,
    expired: overWithAll,
    revoked: overWithAll,
  },
  'access token of a person': {
    ...ofOrganization,
    ...ofPerson,
    passwordReplaced: over,
    rotated: goesOn,
    replayed: over,
    expired: tokenOver,
    revoked: over,
    refreshRevoked: over,
  },
  'access token of an application': {
    ...ofOrganization,
    rotated: goesOn,
    rotatedAway: over,
    expired: tokenOver,
    revoked: tokenOver,
    applicationDeleted: over,
  },
  'service token': {
    ...ofOrganization,
    ...ofPerson,
    passwordReplaced: over,
    expired: over,
    revoked: over,
  },
  // Nobody makes one with a password that leaked: they came with the installation.
  'legacy key of a person': {
    ...ofOrganization,
    ...ofPerson,
    passwordReplaced: goesOn,
    expired: over,
    revoked: over,
  },
  'legacy key of an account': { ...ofOrganization, expired: over, revoked: over },
  'anonymous agent': {
    used: sandbox,
    rotated: sandbox,
    claimed: sandboxOver,
    expired: { ...sandboxOver, next: true },
    registrationOver: sandboxOver,
    revoked: { ...sandboxOver, next: true },
    applicationDeleted: sandboxOver,
    suspended: sandboxOver,
    resumed: sandbox,
    termsOutdated: sandbox,
  },
  'claimed agent': {
    ...ofOrganization,
    narrowed,
    personRemoved: overWithAll,
    personSuspended: overUnsent,
    roleLowered: reader,
    passwordReplaced: overWithAll,
    rotated: goesOn,
    replayed: overWithAll,
    expired: tokenOver,
    registrationOver: overUnsent,
    revoked: tokenOver,
    refreshRevoked: overWithAll,
    applicationDeleted: overWithAll,
  },
  'browser session': {
    ...ofOrganization,
    ...ofPerson,
    passwordReplaced: over,
    expired: over,
    revoked: over,
  },
};

const keys: readonly Kind[] = ['organization key', 'narrowed key'];
const legacyKeys: readonly Kind[] = ['legacy key of a person', 'legacy key of an account'];
const agents: readonly Kind[] = ['anonymous agent', 'claimed agent'];
const ofNoPerson: readonly Kind[] = [
  'access token of an application',
  'legacy key of an account',
  'anonymous agent',
];

/** What cannot happen to a kind, and why. */
export const cannot: readonly {
  readonly why: string;
  readonly to: readonly Kind[];
  readonly happen: readonly Transition[];
}[] = [
  {
    why: 'nothing takes its place: another one is made',
    to: ['service token', ...legacyKeys, 'browser session'],
    happen: ['rotated'],
  },
  {
    why: 'only an application has two secrets at a time',
    to: kinds.filter((kind) => kind !== 'access token of an application'),
    happen: ['rotatedAway'],
  },
  {
    why: 'no refresh token belongs to it',
    to: kinds.filter((kind) => kind !== 'access token of a person' && kind !== 'claimed agent'),
    happen: ['replayed', 'refreshRevoked'],
  },
  {
    why: 'grants are given to keys and people, and another one narrows nothing that is narrowed already',
    to: ['narrowed key', ...ofNoPerson],
    happen: ['narrowed'],
  },
  {
    why: 'only an agent that nobody claimed is claimed',
    to: kinds.filter((kind) => kind !== 'anonymous agent'),
    happen: ['claimed'],
  },
  {
    why: 'only agents register themselves',
    to: kinds.filter((kind) => !agents.includes(kind)),
    happen: ['registrationOver'],
  },
  {
    why: 'no application stands behind it, or none that can be deleted',
    to: [...keys, 'access token of a person', 'service token', ...legacyKeys, 'browser session'],
    happen: ['applicationDeleted'],
  },
  {
    why: 'it acts for nobody, and nobody is kept as its maker',
    to: ofNoPerson,
    happen: ['personRemoved', 'personSuspended', 'roleLowered', 'passwordReplaced'],
  },
  { why: 'its sandbox has no parent', to: ['anonymous agent'], happen: ['parentSuspended'] },
];
