import { findServiceTokenByHash, touchServiceToken } from '../../store/unscoped/lent-credentials.ts';
import type { Services } from '../../tools/core/context.ts';
import { lentPermissions } from '../../tools/domain/organizations/roles.ts';
import { hashApiKey } from '../ports/keys.ts';
import type { Recogniser } from './identify.ts';
import { callerForPerson } from './member.ts';
import { notedUse } from './noted-use.ts';

/** The two halves with one dot between them: a JWT has two. */
const SHAPE = /^(svc_[0-9A-Za-z]{1,64})\.([\w-]{20,200})$/;

/** Recognises service tokens: each acts for a person, and opens nothing that the person does not hold now. */
export function serviceTokenRecogniser(services: Services): Recogniser {
  const use = notedUse(services, touchServiceToken);
  return async (shown) => {
    const [, clientId, secret = ''] = SHAPE.exec(shown) ?? [];
    if (clientId === undefined) return null;
    const token = await findServiceTokenByHash(services.store.db, hashApiKey(secret));
    if (token === undefined || token.access_client_id !== clientId) return null;
    const endsAt = Date.parse(token.expires_at);
    if (endsAt <= services.ports.clock.now()) return null;
    use.note(token.id);
    return callerForPerson(services, {
      kind: 'service_token',
      userId: token.user_id,
      organizationId: token.organization_id,
      principal: `service_token:${token.id}`,
      name: token.name,
      given: lentPermissions(token.role),
      endsAt,
    });
  };
}
