import type { Kind } from '../../core/kinds.ts';
import { lookUps } from '../look-ups.ts';

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
export const admissionKind: Kind = {
  type: 'ADMISSION',
  word: 'admission',
  lookUp: 'See what is open with npm run rialto -- admission show.',
};
export const signingKeyKind: Kind = {
  type: 'SIGNING_KEY',
  word: 'key that signs',
  lookUp: 'Make another with npm run rialto -- keys rotate.',
};
export const secretsKeyKind: Kind = {
  type: 'SECRETS_KEY',
  word: 'key that encrypts',
  lookUp: 'See what each encrypted with npm run rialto -- doctor.',
};
export const clientKind: Kind = {
  type: 'OAUTH_CLIENT',
  word: 'program',
  lookUp: 'List those that were registered by hand with npm run rialto -- oauth client list.',
};
export const programKind: Kind = {
  type: 'OAUTH_GRANT',
  word: 'access of a program',
  lookUp: 'A person lists the programs that they let in at /settings/programs.',
};
export const agentKind: Kind = {
  type: 'AGENT',
  word: 'agent',
  lookUp: 'A person lists the agents that they claimed at /settings/agents.',
};

export const memberKind: Kind = { type: 'MEMBER', word: 'member', lookUp: lookUps.member };
export const invitationKind: Kind = {
  type: 'INVITATION',
  word: 'invitation',
  lookUp: lookUps.invitation,
};
export const domainKind: Kind = { type: 'DOMAIN', word: 'domain', lookUp: 'List them with domain_list.' };
export const joinRequestKind: Kind = {
  type: 'JOIN_REQUEST',
  word: 'request to join',
  lookUp: lookUps.joinRequest,
};
export const browserOriginKind: Kind = {
  type: 'BROWSER_ORIGIN',
  word: 'browser origin',
  lookUp: lookUps.browserOrigin,
};
export const joinLinkKind: Kind = {
  type: 'JOIN_LINK',
  word: 'join link',
  lookUp: lookUps.joinLink,
};
export const sponsoredBuyerKind: Kind = {
  type: 'SPONSORED_BUYER',
  word: 'sponsored buyer',
  lookUp: lookUps.sponsoredBuyer,
};

/**
 * What the log of an account can tell beside what its capabilities write of: what the operator does to it, and in
 * the first account of an organization its people, grants, domains and identity providers, and the programs and agents
 * that act for them (`ownLog`). That an organization was made, stopped or let in, what it may spend, what was agreed
 * on paper and keys that are bound to no account are in the operator's list alone.
 */
export const auditedKinds: readonly Kind[] = [
  accountKind,
  grantKind,
  keyKind,
  userKind,
  programKind,
  agentKind,
];
