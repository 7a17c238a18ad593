import { toFlag, toJson } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { touchOauthClient } from '../../../store/oauth-clients.ts';
import { endOauthGrant, type GrantPayload, insertOauthGrant } from '../../../store/oauth-grants.ts';
import { findLiveGrant } from '../../../store/unscoped/oauth.ts';
import type { Actor } from '../../core/context.ts';
import { holdMaker } from './holding.ts';
import { programKind } from './kinds.ts';
import { ownLog } from './own-log.ts';

/** What a person gives a program. */
export interface NewAccess {
  readonly userId: number;
  readonly organizationId: number;
  /** The browser at which it is given, where it is given at one. */
  readonly sessionId?: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly readOnly: boolean;
  readonly payload: GrantPayload;
  readonly expiresAt: string;
}

/** Lets a program act for a person in an organization. Gives the id of what was given. */
export async function giveAccess(actor: Actor, access: NewAccess): Promise<string> {
  const { organizationId, userId, clientId, clientName, readOnly } = access;
  const id = actor.newId('ogr');
  const tenant = await ownLog(actor.db, organizationId);
  await actor.write(
    async (tx) => {
      await holdMaker(tx, access);
      await insertOauthGrant(tx, makeTenant(organizationId), {
        id,
        user_id: userId,
        client_id: clientId,
        client_name: clientName,
        read_only: toFlag(readOnly),
        payload: toJson(access.payload),
        created_at: actor.now,
        expires_at: access.expiresAt,
        ended_at: null,
      });
      await touchOauthClient(tx, clientId, actor.now);
    },
    {
      kind: programKind,
      action: 'CREATE',
      resourceId: id,
      resourceName: clientName,
      changes: { clientId: { to: clientId }, readOnly: { to: readOnly } },
      tenant,
    },
  );
  return id;
}

/** Ends what a person gave a program, with every token of it. False where it had ended, or never was. */
export async function endAccess(actor: Actor, id: string): Promise<boolean> {
  const grant = await findLiveGrant(actor.db, id);
  if (grant === undefined) return false;
  const { organization_id: organizationId } = grant;
  const tenant = await ownLog(actor.db, organizationId);
  const ended = await actor.write(
    (tx) => endOauthGrant(tx, makeTenant(organizationId), { id, now: actor.now }),
    (row) =>
      row === undefined
        ? undefined
        : {
            kind: programKind,
            action: 'DELETE',
            resourceId: id,
            resourceName: row.client_name,
            tenant,
          },
  );
  return ended !== undefined;
}
