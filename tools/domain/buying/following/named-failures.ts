import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import { lockCampaign } from '../../../../store/held-campaigns.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { listNamedFailures } from '../../../../store/unscoped/abandoned-work.ts';
import type { Services } from '../../../core/context.ts';
import { next } from '../../../core/machines.ts';
import { nowOf } from '../../../core/moments.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { buyMachine, campaignMachine } from '../machines.ts';
import { writeBuy } from '../orders/buy-writing.ts';
import { mediaBuyKind } from '../reach.ts';
import { serviceActor } from '../service-actor.ts';
import { followChange } from '../spend/change-commitments.ts';
import { buyEntry } from './buy-entry.ts';
import { POLL } from './change-refreshing.ts';

/** Buys of one step of housekeeping. */
const STEP = 50;
const BY = 'service';

/**
 * Takes up orders again that stand there as failed though their sellers had named them: a seller holds them, or may
 * hold them. What became of each is asked as of every order that waits. Gives whether there may be more.
 */
export async function findNamedFailures(services: Services): Promise<boolean> {
  const rows = await listNamedFailures(services.store.db, STEP);
  for (const buy of rows) await find(services, buy);
  return rows.length === STEP;
}

async function find(services: Services, buy: MediaBuyRow): Promise<void> {
  const { write } = serviceActor(services, buy, {
    tool: POLL,
    title: 'Its seller had named it',
    action: 'UPDATE',
    kind: mediaBuyKind,
    requestId: services.processId,
  });
  await write(
    (tx) => found(tx, services, buy),
    (after) => after && buyEntry({ before: buy, after }),
  );
}

async function found(
  tx: Db,
  { limits, ports }: Services,
  buy: MediaBuyRow,
): Promise<MediaBuyRow | undefined> {
  const now = nowOf(ports.clock);
  const status = next(buyMachine, buy.status, 'find') ?? buy.status;
  await goOn(tx, buy, now);
  const waits = { pending_reason: 'awaiting_source_moderation', pending_since: now } as const;
  const noError = { error_code: null, error_owner: null, source_message: null };
  const set = { status, submission: 'answered' as const, owner: null, ...waits, ...noError };
  const row = await writeBuy(tx, buy, { limits, set, now, by: BY });
  // Its budget is bound again; what has happened cannot be refused.
  if (row !== undefined) await followChange(tx, row, { by: BY, now });
  return row;
}

/** A draft of which a seller holds an order is none. */
async function goOn(tx: Db, buy: MediaBuyRow, now: string): Promise<void> {
  const scope = scopeOfRow(buy);
  const before = await lockCampaign(tx, scope, buy.campaign_id);
  const status = before?.status === 'DRAFT' ? next(campaignMachine, before.status, 'execute') : undefined;
  if (before === undefined || status === undefined) return;
  await writeCampaign(tx, scope, { before, set: { status, updated_at: now } });
}
