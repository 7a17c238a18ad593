import { findMembership, type MemberRow } from '../../../store/members.ts';
import type { Context } from '../../core/context.ts';
import { present } from '../../core/reach.ts';
import { memberKind } from '../../domain/organizations/kinds.ts';

/** A person with a role in the organization that the caller works in. */
export async function reachMember(ctx: Context, userId: number): Promise<MemberRow> {
  return present(await findMembership(ctx.db, ctx.scope, userId), memberKind);
}
