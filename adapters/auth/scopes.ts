import { type Permission, permissions } from '../../store/api-keys.ts';

/** What tells who the person is. Alone it gives a program what the person holds. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email'] as const;

/** What a client asks for that was told nothing else. */
export const DEFAULT_SCOPE = IDENTITY_SCOPES.join(' ');

/** Every scope that tokens may carry. */
export const SCOPES: readonly string[] = [...IDENTITY_SCOPES, ...permissions];

export function scopesIn(scope: unknown): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
}

export function isPermission(scope: string): scope is Permission {
  return permissions.some((permission) => permission === scope);
}

/** What scopes narrow a token to; undefined where they narrow nothing. */
export function givenBy(scopes: readonly string[]): readonly Permission[] | undefined {
  const named = scopes.filter(isPermission);
  return named.length === 0 ? undefined : named;
}
