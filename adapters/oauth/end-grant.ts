import { findLiveGrant } from '../../store/unscoped/oauth.ts';
import { findUser } from '../../store/unscoped/users.ts';
import { programKind } from '../../tools/domain/organizations/kinds.ts';
import { endAccess } from '../../tools/domain/organizations/programs.ts';
import type { App } from '../http/app.ts';
import { actorFor } from './deeds.ts';

/** Where a request came from. */
export interface Visited {
  readonly ip: string;
  readonly requestId: string;
}

/** Why what a person gave ends without them. */
interface Why {
  readonly words: string;
  /** Whoever showed a token of it did it, as they do whatever they do with it: for the person. */
  readonly isByHolder: boolean;
}

export const REVOKED: Why = { words: 'its token was revoked', isByHolder: true };
/** In more hands than the program's: nobody knows in whose. */
export const CAME_TWICE: Why = { words: 'a code or refresh token of it came twice', isByHolder: false };

/** Ends what a person gave, for a reason that is not theirs; it is in the log of their organization. */
export async function endGrant(
  { services }: Pick<App, 'services'>,
  { id, why, from }: { readonly id: string; readonly why: Why; readonly from?: Visited },
): Promise<void> {
  const { store, ports } = services;
  const grant = await findLiveGrant(store.db, id);
  if (grant === undefined) return;
  const person = why.isByHolder ? await findUser(store.db, grant.user_id) : undefined;
  const actor = actorFor(services, {
    tool: 'oauth_grant_end',
    title: `Disconnect a program: ${why.words}`,
    action: 'DELETE',
    kind: programKind,
    organizationId: grant.organization_id,
    userId: person?.id ?? null,
    credentialId: `oauth_grant:${id}`,
    names: {
      userEmail: person?.email ?? null,
      userName: person?.name ?? null,
      credentialName: grant.client_name,
    },
    requestId: from?.requestId ?? ports.ids.make('req'),
    ip: from?.ip ?? null,
  });
  await endAccess(actor, id);
}
