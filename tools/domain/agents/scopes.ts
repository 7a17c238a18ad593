import type { Permission } from '../../../store/api-keys.ts';

/** What an agent may do that nobody claimed: read its own empty sandbox, and that over two addresses alone. */
export const preClaimScopes = ['sandbox:read'] as const;

/**
 * What an agent may do for the person who claimed it, as far as that person may. No `buyer:admin`: agents make
 * no credentials and manage no people.
 */
export const postClaimScopes: readonly Permission[] = ['buyer:read', 'buyer:write'];
