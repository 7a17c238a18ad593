import { countActiveSources, type InventorySourceRow } from '../../../store/inventory-sources.ts';
import { findOwnStorefront } from '../../../store/storefronts.ts';
import { countLivingThrough } from '../../../store/unscoped/living-campaigns.ts';
import type { Context } from '../../core/context.ts';
import { openStatuses } from '../../domain/buying/machines.ts';
import { counted } from '../../domain/counted.ts';
import { displayStatus } from '../../domain/storefronts/rules.ts';

/** What follows of a source that is not asked for products: for its seller, who sees buyers by their number alone. */

type Of = Pick<Context, 'db' | 'scope'>;

/** For the answers that show one source. */
export async function warningsOf(
  of: Of,
  { status, agent_id: agentId }: Pick<InventorySourceRow, 'status' | 'agent_id'>,
): Promise<{ warnings?: string[] }> {
  if (status === 'ACTIVE') return {};
  const warnings = [...(await withoutActive(of)), ...(await withLiving(of, agentId))];
  return warnings.length === 0 ? {} : { warnings };
}

const NOTHING_SOLD =
  'No inventory source of your storefront is ACTIVE: it stays open, and buyers find nothing in it and can order ' +
  'nothing. Activate one with inventory_source_update, or set isPaused with storefront_record_update.';

/** What follows for a storefront that is open for business, and has no source to ask. */
export async function withoutActive({ db, scope }: Of): Promise<string[]> {
  const storefront = await findOwnStorefront(db, scope);
  if (storefront === undefined || displayStatus(storefront) !== 'transacting') return [];
  return (await countActiveSources(db, scope)) === 0 ? [NOTHING_SOLD] : [];
}

async function withLiving({ db }: Of, agentId: string): Promise<string[]> {
  const living = await countLivingThrough(db, agentId, openStatuses);
  if (living === 0) return [];
  const [goOn, them, end] =
    living === 1 ? ['goes on', 'it', 'it has ended'] : ['go on', 'them', 'they have ended'];
  return [
    `${counted(living, 'media buy')} of this source ${goOn} as before: its agent is asked about ${them}, and told ` +
      `of every change, until ${end}.`,
  ];
}
