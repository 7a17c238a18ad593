import { endAdminLinks } from '../../store/unscoped/one-use-links.ts';
import type { Actor } from '../../tools/core/context.ts';
import { organizationKind } from '../../tools/domain/organizations/kinds.ts';
import { ownLog } from '../../tools/domain/organizations/own-log.ts';
import { makeLink } from './links.ts';

/** A link that makes whoever opens it first an administrator of the organization; those of before are over. */
export async function makeAdministratorLink(
  actor: Actor,
  { organizationId, publicUrl }: { readonly organizationId: number; readonly publicUrl: string },
): Promise<string> {
  const tenant = await ownLog(actor.db, organizationId);
  const { link } = await actor.write(
    async (tx) => {
      const isAnother = await endAdminLinks(tx, organizationId, actor.now);
      const now = Date.parse(actor.now);
      const link = await makeLink(tx, { purpose: 'admin', administers: organizationId, now, publicUrl });
      return { link, isAnother };
    },
    ({ isAnother }) => ({
      kind: organizationKind,
      resourceId: organizationId,
      changes: {
        administratorLink: isAnother ? { from: 'open', to: 'made anew' } : { from: null, to: 'made' },
      },
      tenant,
    }),
  );
  return link;
}
