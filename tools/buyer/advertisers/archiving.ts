import { type AdvertiserRow, updateAdvertiser } from '../../../store/advertisers.ts';
import type { AuditAction } from '../../../store/audit-log.ts';
import type { Context } from '../../core/context.ts';
import { writeUpdate } from '../../core/updating.ts';
import { advertiserKind } from '../../domain/advertisers/reach.ts';
import { loggedAdvertiser } from './record.ts';

/** Puts an advertiser away or brings it back. One that is there already stays, and nothing is logged. */
export function putStanding(
  ctx: Context,
  found: AdvertiserRow,
  { status, action }: { readonly status: AdvertiserRow['status']; readonly action: AuditAction },
): Promise<AdvertiserRow> {
  return writeUpdate(ctx, {
    kind: advertiserKind,
    found,
    given: { status },
    update: (tx, set) =>
      updateAdvertiser(tx, ctx.scope, {
        id: found.id,
        version: found.version,
        set: { ...set, updated_at: ctx.now },
      }),
    record: loggedAdvertiser,
    about: ({ id, name }) => ({ resourceName: name, advertiserId: id, action }),
  });
}
