import type { UserRow } from '../../store/unscoped/users.ts';
import { createActor } from '../../tools/core/actor.ts';
import { namesOf } from '../../tools/core/audit.ts';
import type { Actor } from '../../tools/core/context.ts';
import { unauthorized } from '../../tools/core/errors/refusals.ts';
import { organizationKind } from '../../tools/domain/organizations/kinds.ts';
import { isOurPage, type SignedIn, signedInAt } from '../auth/session.ts';
import type { App } from '../http/app.ts';
import type { Visit } from '../http/visit.ts';
import type { Asked } from './answers.ts';

/** Somebody who signs up: perhaps signed in at a browser, and in no organization yet. */
export type Newcomer = SignedIn;

/** Who is signed in at the browser that asks, where a page of ours does; undefined for nobody. */
export async function newcomerOf(app: App, { req }: Visit): Promise<Newcomer | undefined> {
  const found = await signedInAt(app, req);
  const isOurs = found !== undefined && isOurPage(req, found.session, app.services.publicUrl());
  return isOurs ? found : undefined;
}

export async function requireNewcomer(app: App, visit: Visit): Promise<Newcomer> {
  const newcomer = await newcomerOf(app, visit);
  if (newcomer !== undefined) return newcomer;
  throw unauthorized('Sign in first: this is done by a person at a browser.', {
    suggestion: `Sign in at ${app.services.publicUrl()}/sign-in, and go on from there.`,
  });
}

/** Whoever acts without an organization: each entry of the log says in whose it stands. */
export function actorFor(
  { app: { services }, visit, reason }: Pick<Asked, 'app' | 'visit' | 'reason'>,
  deed: { readonly tool: string; readonly title: string; readonly user?: UserRow | undefined },
): Actor {
  const { store, ports } = services;
  const { tool, title, user } = deed;
  return createActor(
    { store, clock: ports.clock, ids: ports.ids },
    {
      author: {
        organizationId: 0,
        customerId: null,
        userId: user?.id ?? null,
        credentialId: user === undefined ? null : `user:${user.id}`,
        ...(user === undefined ? {} : { names: namesOf(user) }),
        origin: 'human',
        requestId: visit.requestId,
        ip: visit.ip,
      },
      tool,
      surface: 'platform',
      title,
      action: 'CREATE',
      kind: organizationKind,
      parameters: null,
      reason: reason ?? null,
    },
  );
}
