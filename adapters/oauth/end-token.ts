import type { Db } from '../../store/engine/db.ts';
import { findAgentRegistration } from '../../store/unscoped/agent-registrations.ts';
import { findLiveApplication } from '../../store/unscoped/applications.ts';
import { insertRevokedToken } from '../../store/unscoped/signing-keys.ts';
import { momentOf } from '../../tools/core/moments.ts';
import type { TokenClaims } from '../../tools/core/ports.ts';
import { agentName, agentPrincipal, type Claimer, personBehind } from '../../tools/domain/agents/desk.ts';
import { accessTokenKind } from '../../tools/domain/credentials/kinds.ts';
import { ownLog } from '../../tools/domain/organizations/own-log.ts';
import { clientIp } from '../http/client-ip.ts';
import { requestIdOf } from '../http/visit.ts';
import type { Asked } from './answers.ts';
import { actorFor } from './deeds.ts';

/** Whose token it is. */
interface Holder {
  readonly credentialId: string | null;
  readonly name: string | null;
  /** Whom it acts for. */
  readonly person?: Claimer | undefined;
  /** Null for an agent that works in no organization yet. */
  readonly organizationId: number | null;
}

/**
 * Ends one token of an application or an agent; in the log of its organization, however often it is asked for, once.
 */
export async function endToken({ app, req }: Asked, claims: TokenClaims): Promise<void> {
  const { services, trustedProxies } = app;
  const { organizationId, credentialId, name, person } = await holderOf(services.store.db, claims);
  const actor = actorFor(services, {
    tool: 'oauth_token_revoke',
    title: 'Revoke an access token',
    action: 'DELETE',
    kind: accessTokenKind,
    organizationId: organizationId ?? 0,
    userId: person?.id ?? null,
    credentialId,
    names: { userEmail: person?.email ?? null, userName: person?.name ?? null, credentialName: name },
    requestId: requestIdOf(req),
    ip: clientIp(req, trustedProxies),
  });
  const { jti, exp } = claims;
  const about = {
    resourceId: jti,
    ...(name === null ? {} : { resourceName: name }),
    tenant:
      organizationId === null ? ('installation' as const) : await ownLog(services.store.db, organizationId),
  };
  await actor.write(
    (tx) => insertRevokedToken(tx, { jti, expires_at: momentOf(exp * 1_000) }),
    (isNew) => (isNew ? about : undefined),
  );
}

async function holderOf(db: Db, { sub, ...claims }: TokenClaims): Promise<Holder> {
  if (claims['kind'] === 'agent') {
    const agent = await findAgentRegistration(db, sub);
    const credentialId = agentPrincipal(sub);
    if (agent === undefined) return { credentialId, name: null, organizationId: null };
    const organizationId = agent.claimed_organization_id ?? agent.sandbox_organization_id;
    const person = await personBehind(db, agent);
    return { credentialId, name: agentName(agent), person, organizationId };
  }
  const application = await findLiveApplication(db, sub);
  const organizationId = Number(claims['org_id']);
  return {
    credentialId: application === undefined ? null : `m2m:${application.id}`,
    name: application?.name ?? null,
    organizationId: Number.isSafeInteger(organizationId) ? organizationId : null,
  };
}
