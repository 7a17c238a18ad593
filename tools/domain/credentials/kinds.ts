import type { Kind } from '../../core/kinds.ts';
import { oauthPaths } from '../../core/root-addresses.ts';
import { lookUps } from '../look-ups.ts';
import { keyKind } from '../organizations/kinds.ts';

export const organizationKeyKind: Kind = {
  ...keyKind,
  lookUp: lookUps.organizationKey,
};
export const applicationKind: Kind = {
  type: 'M2M_APPLICATION',
  word: 'application',
  lookUp: lookUps.application,
};
export const secretKind: Kind = {
  type: 'CLIENT_SECRET',
  word: 'live secret',
  lookUp: lookUps.secret,
};
export const serviceTokenKind: Kind = {
  type: 'SERVICE_TOKEN',
  word: 'service token',
  lookUp: lookUps.serviceToken,
};
export const legacyKeyKind: Kind = {
  type: 'LEGACY_KEY',
  word: 'live legacy key',
  lookUp: lookUps.legacyKey,
};
export const accessTokenKind: Kind = {
  type: 'ACCESS_TOKEN',
  word: 'access token',
  lookUp: `Get another one with POST ${oauthPaths.token}.`,
};
