import { findApplication, type M2mApplicationRow } from '../../../store/m2m-applications.ts';
import type { Context } from '../../core/context.ts';
import { present } from '../../core/reach.ts';
import { applicationKind } from '../../domain/credentials/kinds.ts';

/** The application of the caller's organization with this id. */
export async function reachApplication(ctx: Context, id: string): Promise<M2mApplicationRow> {
  return present(await findApplication(ctx.db, ctx.scope, id), applicationKind);
}
