import { fromJson } from '../../store/engine/codec.ts';
import { findLiveApplication, findLiveSecret, proveSecret } from '../../store/unscoped/applications.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { callerFor } from './caller.ts';

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
    const now = nowOf(ports.clock);
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
    const credential = {
      kind: 'm2m' as const,
      principal: `m2m:${application.id}`,
      name: application.name,
      userId: null,
      permissions: new Set(fromJson(application.permissions)),
      endsAt: exp * 1_000,
    };
    return callerFor(services, credential, { opened: application, customerId: application.customer_id });
  };
}
