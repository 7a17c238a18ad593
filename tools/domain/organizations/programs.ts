import { toFlag, toJson } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { endOauthGrant, type GrantPayload, insertOauthGrant } from '../../../store/oauth-grants.ts';
import { findLiveGrant } from '../../../store/unscoped/oauth.ts';
import {
  insertOauthClient,
  type OauthClientRow,
  touchOauthClient,
} from '../../../store/unscoped/oauth-clients.ts';
import { findUser } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { holdMaker } from './holding.ts';
import { clientKind, programKind } from './kinds.ts';
import { ownLog } from './own-log.ts';

/** A program that the operator registers by hand, or that registers itself. */
export interface NewClient {
  readonly name: string;
  /** What the authorization server knows of it (RFC 7591). */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly redirectUris: readonly string[];
}

/** Keeps a program that the operator registers by hand, with an entry in the log of the installation. Gives its id. */
export async function registerByHand(actor: Actor, client: NewClient): Promise<string> {
  const row = clientRow(actor, client, 'operator');
  await actor.write((tx) => insertOauthClient(tx, row), {
    kind: clientKind,
    action: 'CREATE',
    resourceId: row.id,
    changes: { name: { to: client.name }, redirectUris: { to: client.redirectUris } },
    tenant: 'installation',
  });
  return row.id;
}

/** Keeps a program that registers itself: it is nobody's until a person lets it in. Gives its id. */
export async function registerItself(
  { db, ...actor }: Pick<Actor, 'db' | 'now' | 'newId'>,
  client: NewClient,
): Promise<string> {
  const row = clientRow(actor, client, 'registration');
  await insertOauthClient(db, row);
  return row.id;
}

function clientRow(
  { now, newId }: Pick<Actor, 'now' | 'newId'>,
  { name, metadata }: NewClient,
  origin: OauthClientRow['origin'],
): OauthClientRow {
  return {
    id: newId('oc'),
    name,
    metadata: toJson({ ...metadata }),
    origin,
    created_at: now,
    last_used_at: null,
  };
}

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
  const person = await findUser(actor.db, grant.user_id);
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
            // It may have ended without them, and says whose it was.
            changes: { actedFor: { from: person?.email ?? null, to: null } },
            tenant,
          },
  );
  return ended !== undefined;
}
