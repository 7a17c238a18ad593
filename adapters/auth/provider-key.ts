import { fromFlag } from '../../store/engine/codec.ts';
import { type CredentialOrganization, findCredentialOrganization } from '../../store/unscoped/credentials.ts';
import { unconfined } from '../../tools/core/access.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import type { OrganizationKey } from '../../tools/domain/credentials/port.ts';
import { holderOfKey } from '../../tools/domain/organizations/holders.ts';
import { hashApiKey } from '../ports/keys.ts';
import type { Recogniser } from './identify.ts';
import { confine } from './narrowing.ts';

const REMEMBERED_MAX = 10_000;

interface Word {
  readonly until: number;
  readonly key: Promise<OrganizationKey | null>;
}

/**
 * Recognises the keys that a service elsewhere keeps, where one does. Its word is believed for a moment, no as
 * well as yes, so that neither calls nor guesses become a call to it each; who the organization is, and whether
 * it is suspended, is asked here with every call.
 */
export function providerRecognisers(services: Services, cacheMs: number): Recogniser[] {
  const { store, ports } = services;
  const { credentials, clock } = ports;
  if (credentials.validate === undefined) return [];
  const validate = credentials.validate.bind(credentials);
  const known = new Map<string, Word>();
  const ask = (value: string): Promise<OrganizationKey | null> => {
    // What is remembered is a hash: the value is kept nowhere.
    const hash = hashApiKey(value);
    const now = clock.now();
    const last = known.get(hash);
    if (last !== undefined && last.until > now) return last.key;
    if (known.size >= REMEMBERED_MAX) known.clear();
    const key = validate(value);
    known.set(hash, { until: now + cacheMs, key });
    // Who could not be asked has said nothing.
    key.catch(() => known.delete(hash));
    return key;
  };
  return [
    async (value) => {
      const key = await ask(value);
      if (key === null || endOf(key) <= clock.now()) return null;
      const organization = await findCredentialOrganization(store.db, {
        id: key.organizationId,
        holder: holderOfKey(key.id),
      });
      return organization === undefined ? null : callerOf(services, key, organization);
    },
  ];
}

function endOf({ expiresAt }: OrganizationKey): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

function callerOf(
  services: Services,
  key: OrganizationKey,
  organization: CredentialOrganization,
): Caller | Promise<Caller> {
  const caller: Caller = {
    kind: 'api_key',
    principal: holderOfKey(key.id),
    name: key.name,
    organizationId: organization.id,
    permissions: new Set(key.permissions),
    accounts: { buyer: organization.buyer_id, seller: organization.seller_id },
    confined: unconfined,
    advertiserIds: null,
    userId: null,
    tier: organization.tier,
    alpha: fromFlag(organization.alpha),
    ...(key.expiresAt === null ? {} : { endsAt: endOf(key) }),
  };
  return confine(services, caller, {
    grants: organization.grants,
    customerId: null,
    isTest: false,
    inSandboxOrganization: organization.kind === 'sandbox',
  });
}
