import { randomBytes } from 'node:crypto';
import { hashApiKey } from '../../../adapters/ports/keys.ts';
import { importKey, type LegacyKeyToImport } from '../../../tools/domain/credentials/legacy-import.ts';
import type { TestServer } from '../server/server.ts';
import type { Person } from './people.ts';

/** The value of a key of the earlier kind. */
export function legacyValue(): string {
  return `rialto_${randomBytes(24).toString('hex')}`;
}

/** A key of the earlier kind that was made elsewhere and taken in, of the account unless told; gives its id. */
export async function newLegacyKey(
  server: TestServer,
  { organizationId, accounts }: Pick<Person, 'organizationId' | 'accounts'>,
  { value = legacyValue(), ...more }: Partial<LegacyKeyToImport> & { readonly value?: string } = {},
): Promise<string> {
  const id = await importKey(server.operator, {
    organizationId,
    customerId: accounts.BUYER ?? accounts.SELLER ?? 0,
    name: 'Old script',
    hash: hashApiKey(value),
    obfuscatedValue: `rialto_…${value.slice(-4)}`,
    permissions: ['buyer:read', 'buyer:write'],
    ...more,
  });
  if (id === undefined) throw new Error('This key was taken in before.');
  return id;
}
