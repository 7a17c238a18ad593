import { fullPath } from '../../core/addresses.ts';
import type { Kind } from '../../core/kinds.ts';
import { oauthPaths } from '../../core/root-addresses.ts';
import { keyKind } from '../organizations/kinds.ts';

export const organizationKeyKind: Kind = {
  ...keyKind,
  lookUp: `List the keys with GET ${fullPath('platform', '/org-api-keys')}.`,
};
export const applicationKind: Kind = {
  type: 'M2M_APPLICATION',
  word: 'application',
  lookUp: `List them with GET ${fullPath('platform', '/m2m-applications')}.`,
};
export const secretKind: Kind = {
  type: 'CLIENT_SECRET',
  word: 'live secret',
  lookUp: `The application names its secrets: GET ${fullPath('platform', '/m2m-applications/{id}')}.`,
};
export const serviceTokenKind: Kind = {
  type: 'SERVICE_TOKEN',
  word: 'service token',
  lookUp: 'List them with service_token_list.',
};
export const legacyKeyKind: Kind = {
  type: 'LEGACY_KEY',
  word: 'live legacy key',
  lookUp: `List them with GET ${fullPath('platform', '/legacy-keys')}.`,
};
export const accessTokenKind: Kind = {
  type: 'ACCESS_TOKEN',
  word: 'access token',
  lookUp: `Get another one with POST ${oauthPaths.token}.`,
};
