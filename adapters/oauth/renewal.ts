import type { AdapterPayload } from 'oidc-provider';
import type { Db } from '../../store/engine/db.ts';
import { findLiveGrant, prolongGrant } from '../../store/unscoped/oauth.ts';
import { type NewArtifact, saveArtifact } from '../../store/unscoped/oauth-artifacts.ts';
import { touchOauthClient } from '../../store/unscoped/oauth-clients.ts';
import { findUser } from '../../store/unscoped/users.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { programKind } from '../../tools/domain/organizations/kinds.ts';
import { ownLog } from '../../tools/domain/organizations/own-log.ts';
import type { App } from '../http/app.ts';
import { actorFor } from './deeds.ts';
import type { Visited } from './end-grant.ts';

interface Saved {
  readonly artifact: NewArtifact;
  readonly payload: AdapterPayload;
  readonly from: Visited | undefined;
}

/**
 * Stores a refresh token. As long as one can be renewed the grant lives, and its client is in use. One that takes the
 * place of another is in the log of the organization, whose program goes on by it; the first is in it by the consent.
 */
export async function saveRefreshToken({ services }: Pick<App, 'services'>, saved: Saved): Promise<void> {
  const { store, ports } = services;
  const { grantId, clientId, rotations } = saved.payload;
  const save = async (tx: Db) => {
    await saveArtifact(tx, saved.artifact);
    if (grantId !== undefined) await prolongGrant(tx, grantId, saved.artifact.expires_at);
    if (clientId !== undefined) await touchOauthClient(tx, clientId, nowOf(ports.clock));
  };
  const isRenewal = typeof rotations === 'number' && rotations > 0;
  const grant = isRenewal && grantId !== undefined ? await findLiveGrant(store.db, grantId) : undefined;
  if (grant === undefined) return store.transaction(save);
  const person = await findUser(store.db, grant.user_id);
  const actor = actorFor(services, {
    tool: 'oauth_token_renew',
    title: 'Renew the access of a program',
    action: 'UPDATE',
    kind: programKind,
    organizationId: grant.organization_id,
    userId: person?.id ?? null,
    credentialId: `oauth_grant:${grant.id}`,
    names: {
      userEmail: person?.email ?? null,
      userName: person?.name ?? null,
      credentialName: grant.client_name,
    },
    requestId: saved.from?.requestId ?? ports.ids.make('req'),
    ip: saved.from?.ip ?? null,
  });
  const tenant = await ownLog(store.db, grant.organization_id);
  await actor.write(save, { resourceId: grant.id, resourceName: grant.client_name, tenant });
}
