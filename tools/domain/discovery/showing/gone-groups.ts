import { listAgentPlaces } from '../../../../store/discovery-agents.ts';
import { type GroupFilter, listGroupNames } from '../../../../store/discovery-groups.ts';
import { listPayloadsOfGone } from '../../../../store/discovery-revisions.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import type { Context } from '../../../core/context.ts';

interface Told {
  readonly productGroups: readonly {
    readonly groupId: string;
    readonly groupName: string;
    readonly products: readonly unknown[];
  }[];
}

/**
 * Groups that a reader may hold from an earlier revision and that no seller brings any more, each without products, as
 * the stream tells of them. Only a session whose sellers were asked once more has lost any.
 */
export async function goneSince(
  ctx: Context,
  { id, asked_at }: DiscoverySessionRow,
  { sinceRevision, storefrontIds }: GroupFilter,
) {
  if (sinceRevision === 0 || asked_at === null) return [];
  const payloads = await listPayloadsOfGone(ctx.db, ctx.scope, { id, sinceRevision });
  const told = payloads.flatMap((payload) => (JSON.parse(payload) as Told).productGroups);
  const gone = new Map(
    told.flatMap(({ products, ...group }) => (products.length === 0 ? [[group.groupId, group]] : [])),
  );
  if (gone.size === 0) return [];
  for (const { group_id } of await listGroupNames(ctx.db, ctx.scope, id)) gone.delete(group_id);
  const agents = await listAgentPlaces(ctx.db, ctx.scope, {
    sessionId: id,
    ...(storefrontIds && { storefrontIds }),
  });
  return agents.flatMap(({ agent_id, storefront_id, storefront_name }) =>
    [...gone.values()]
      .filter(({ groupId }) => groupId.startsWith(`${agent_id}:`))
      .map(({ groupId, groupName }) => ({
        groupId,
        groupName,
        storefrontId: String(storefront_id),
        storefrontName: storefront_name,
        products: [],
        productCount: 0,
        totalProducts: 0,
        hasMoreProducts: false,
      })),
  );
}
