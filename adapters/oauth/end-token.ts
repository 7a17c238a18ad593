import type { Db } from '../../store/engine/db.ts';
import { findAgentRegistration } from '../../store/unscoped/agent-registrations.ts';
import { findLiveApplication } from '../../store/unscoped/applications.ts';
import { insertRevokedToken } from '../../store/unscoped/signing-keys.ts';
import type { TokenClaims } from '../../tools/core/ports.ts';
import { agentPrincipal } from '../../tools/domain/agents/desk.ts';
import { accessTokenKind } from '../../tools/domain/credentials/kinds.ts';
import { clientIp } from '../http/client-ip.ts';
import { requestIdOf } from '../http/visit.ts';
import type { Asked } from './answers.ts';
import { actorFor } from './deeds.ts';

/** Whose token it is. */
interface Holder {
  readonly credentialId: string | null;
  readonly name: string | null;
  /** Null for an agent that works in no organization yet. */
  readonly organizationId: number | null;
}

/** Ends one token of an application or an agent; in the log of its organization, however often it is asked for, once. */
export async function endToken({ app, req }: Asked, claims: TokenClaims): Promise<void> {
  const { services, trustedProxies } = app;
  const { organizationId, credentialId, name } = await holderOf(services.store.db, claims);
  const actor = actorFor(services, {
    tool: 'oauth_token_revoke',
    title: 'Revoke an access token',
    action: 'DELETE',
    kind: accessTokenKind,
    organizationId: organizationId ?? 0,
    userId: null,
    credentialId,
    names: { userEmail: null, userName: null, credentialName: name },
    requestId: requestIdOf(req),
    ip: clientIp(req, trustedProxies),
  });
  const { jti, exp } = claims;
  const about = { resourceId: jti, ...(organizationId === null ? { tenant: 'installation' as const } : {}) };
  await actor.write(
    (tx) => insertRevokedToken(tx, { jti, expires_at: new Date(exp * 1_000).toISOString() }),
    (isNew) => (isNew ? about : undefined),
  );
}

async function holderOf(db: Db, { sub, ...claims }: TokenClaims): Promise<Holder> {
  if (claims['kind'] === 'agent') {
    const agent = await findAgentRegistration(db, sub);
    const organizationId = agent?.claimed_organization_id ?? agent?.sandbox_organization_id ?? null;
    return { credentialId: agentPrincipal(sub), name: null, organizationId };
  }
  const application = await findLiveApplication(db, sub);
  const organizationId = Number(claims['org_id']);
  return {
    credentialId: application === undefined ? null : `m2m:${application.id}`,
    name: application?.name ?? null,
    organizationId: Number.isSafeInteger(organizationId) ? organizationId : null,
  };
}
