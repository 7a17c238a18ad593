import { fromJson } from '../../store/engine/codec.ts';
import type { Db } from '../../store/engine/db.ts';
import type { ServiceTokenRow } from '../../store/service-tokens.ts';
import { findServiceTokenByHash, touchServiceToken } from '../../store/unscoped/lent-credentials.ts';
import { findLiveGrant } from '../../store/unscoped/oauth.ts';
import type { Services } from '../../tools/core/context.ts';
import { lentPermissions } from '../../tools/domain/organizations/roles.ts';
import { hashApiKey } from '../ports/keys.ts';
import type { Recogniser } from './identify.ts';
import { callerForPerson } from './member.ts';
import { notedUse } from './noted-use.ts';

/** The two halves with one dot between them: a JWT has two. */
const SHAPE = /^(svc_[0-9A-Za-z]{1,64})\.([\w-]{20,200})$/;

/**
 * Recognises service tokens: each acts for a person, and opens nothing that the person does not hold now. One that a
 * program made opens nothing that the program does not, and ends when the program is disconnected.
 */
export function serviceTokenRecogniser(services: Services): Recogniser {
  const use = notedUse(services, touchServiceToken);
  const { store, ports } = services;
  return async ({ token: shown }) => {
    const lent = await findLent(store.db, shown);
    if (lent === undefined || lent.endsAt <= ports.clock.now()) return null;
    const { token, endsAt } = lent;
    use.note(token.id);
    return callerForPerson(services, {
      kind: 'service_token',
      userId: token.user_id,
      organizationId: token.organization_id,
      principal: `service_token:${token.id}`,
      name: token.name,
      given: lentPermissions(token.role),
      ...(token.audience === null ? {} : { audience: fromJson(token.audience) }),
      endsAt,
    });
  };
}

interface Lent {
  readonly token: ServiceTokenRow;
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

async function findLent(db: Db, shown: string): Promise<Lent | undefined> {
  const [, clientId, secret = ''] = SHAPE.exec(shown) ?? [];
  if (clientId === undefined) return undefined;
  const token = await findServiceTokenByHash(db, hashApiKey(secret));
  if (token === undefined || token.access_client_id !== clientId) return undefined;
  const endsAt = Date.parse(token.expires_at);
  if (token.oauth_grant_id === null) return { token, endsAt };
  const grant = await findLiveGrant(db, token.oauth_grant_id);
  if (grant === undefined) return undefined;
  // What a program was given is over as well once none of its tokens can be renewed.
  return { token, endsAt: Math.min(endsAt, Date.parse(grant.expires_at)) };
}
