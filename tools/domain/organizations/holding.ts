import type { Db } from '../../../store/engine/db.ts';
import { findMember, findWebSessionById } from '../../../store/unscoped/people.ts';
import { lockUser } from '../../../store/unscoped/users.ts';
import type { Context } from '../../core/context.ts';
import { forbidden } from '../../core/errors/refusals.ts';

/** Who makes a credential, and at which browser, where it is at one. */
interface Maker {
  readonly userId: number;
  readonly organizationId: number;
  readonly sessionId?: string | undefined;
}

/**
 * Makes sure, in the transaction that makes a credential, that its maker is still a member and still signed in, and
 * holds the person until it is written. Whoever takes the person out, or ends what acts for them, holds them as well
 * (`endActingIn`, `endActingFor`): what is made before is ended with the rest, and nothing is made afterwards. Locks
 * are taken from the organization to the person, never the other way.
 */
export async function holdMaker(tx: Db, { userId, organizationId, sessionId }: Maker): Promise<void> {
  await lockUser(tx, userId);
  const member = await findMember(tx, { userId, organizationId });
  const isSignedIn = sessionId === undefined || (await findWebSessionById(tx, sessionId)) !== undefined;
  if (member !== undefined && isSignedIn) return;
  throw forbidden(
    'You have been signed out, or taken out of this organization, just now.',
    'Sign in again. Where you are no member any more, ask an administrator of the organization.',
  );
}

/** The same for whoever calls; the operator and keys are nobody who could be taken out. */
export async function holdCaller(tx: Db, { caller }: Pick<Context, 'caller'>): Promise<void> {
  const { userId, organizationId, sessionId } = caller;
  if (userId !== null) await holdMaker(tx, { userId, organizationId, sessionId });
}
