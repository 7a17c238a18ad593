import { fromFlag, fromJson } from '../../store/engine/codec.ts';
import {
  type Application,
  findLiveApplication,
  findLiveSecret,
  proveSecret,
} from '../../store/unscoped/applications.ts';
import { unconfined } from '../../tools/core/access.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { confine } from './narrowing.ts';

/** What an access token says that an application got for itself. */
export interface ApplicationClaims {
  /** Its client id. */
  readonly sub: string;
  /** When the token ends, in seconds since 1970. */
  readonly exp: number;
  /** The secret that it was got with. */
  readonly secretId: string;
}

/**
 * The caller behind a token of an application, with what the application is at this moment. Null as soon as it
 * was deleted, the secret was ended, or the organization is suspended, although the token has not expired.
 */
export function applicationCaller(services: Services) {
  const { store, ports } = services;
  /** Secrets whose first token is being noted. */
  const noting = new Set<string>();
  const prove = (id: string) => {
    if (noting.has(id)) return;
    noting.add(id);
    const now = new Date(ports.clock.now()).toISOString();
    ports.background.run('first token of a secret', () =>
      proveSecret(store.db, { id, now }).finally(() => noting.delete(id)),
    );
  };
  return async ({ sub, exp, secretId }: ApplicationClaims): Promise<Caller | null> => {
    const application = await findLiveApplication(store.db, sub);
    if (application === undefined) return null;
    const secret = await findLiveSecret(store.db, secretId);
    if (secret === undefined || secret.application_id !== application.id) return null;
    if (secret.proven_at === null) prove(secretId);
    return callerOf(services, application, exp * 1_000);
  };
}

function callerOf(services: Services, application: Application, endsAt: number): Caller | Promise<Caller> {
  const caller: Caller = {
    kind: 'm2m',
    principal: `m2m:${application.id}`,
    name: application.name,
    organizationId: application.organization_id,
    permissions: new Set(fromJson(application.permissions)),
    accounts: { buyer: application.buyer_id, seller: application.seller_id },
    confined: unconfined,
    advertiserIds: null,
    userId: null,
    tier: application.tier,
    alpha: fromFlag(application.alpha),
    endsAt,
  };
  return confine(services, caller, {
    grants: application.grants,
    customerId: application.customer_id,
    isTest: false,
    inSandboxOrganization: application.organization_kind === 'sandbox',
  });
}
