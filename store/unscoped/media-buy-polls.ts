import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../media-buys.ts';

/** When the service last asked a seller about a buy on its own account, whosever it is. */
export interface MediaBuyPollTable {
  media_buy_id: string;
  asked_at: string;
}

declare module '../engine/database.ts' {
  interface Database {
    media_buy_polls: MediaBuyPollTable;
  }
}

export interface DueBounds {
  /** Which buys can still have news, beside those that are over and may still have figures. */
  readonly statuses: readonly MediaBuyStatus[];
  /** Those that were neither asked about nor written since. */
  readonly before: string;
  /** Of one agent, and in all. */
  readonly perAgent: number;
  readonly limit: number;
}

/** A buy whose turn it is. */
export type DueBuy = MediaBuyRow & { readonly asked_at: string | null };

/**
 * Buys at sellers that live, or of which figures are awaited, and that nobody has heard of for a time, those first that
 * wait longest; a few of each seller, so that one which hangs holds up itself.
 */
export function listBuysToAsk(db: Db, { statuses, before, perAgent, limit }: DueBounds): Promise<DueBuy[]> {
  return unscoped(db)
    .with('due', (cte) =>
      cte
        .selectFrom('media_buys')
        .leftJoin('media_buy_polls as poll', 'poll.media_buy_id', 'media_buys.id')
        .select((eb) => [
          'media_buys.id',
          'poll.asked_at',
          eb.fn.coalesce('poll.asked_at', 'media_buys.updated_at').as('heard_at'),
          'media_buys.agent_id',
        ])
        // Compared and not asked whether it is there: only so SQLite goes by the index of the few that are awaited.
        .where((eb) =>
          eb.or([eb('media_buys.status', 'in', statuses), eb('media_buys.figures_awaited_since', '>', '')]),
        )
        .where('media_buys.submission', '=', 'answered')
        .where((eb) =>
          eb.or([
            eb('media_buys.adcp_media_buy_id', 'is not', null),
            eb('media_buys.adcp_task_id', 'is not', null),
          ]),
        )
        .where('media_buys.updated_at', '<', before)
        .where((eb) => eb.or([eb('poll.asked_at', 'is', null), eb('poll.asked_at', '<', before)])),
    )
    .with('placed', (cte) =>
      cte
        .selectFrom('due')
        .select(['id', 'asked_at', 'heard_at'])
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('agent_id').orderBy('heard_at').orderBy('id'))
            .as('place'),
        ),
    )
    .selectFrom('placed')
    .innerJoin('media_buys', 'media_buys.id', 'placed.id')
    .selectAll('media_buys')
    .select('placed.asked_at')
    .where('placed.place', '<=', perAgent)
    .orderBy('placed.heard_at')
    .orderBy('placed.id')
    .limit(limit)
    .execute();
}

/** Takes the turn of a buy: false when another process has it. */
export async function claimPoll(
  db: Db,
  { id, asked_at }: Pick<DueBuy, 'id' | 'asked_at'>,
  now: string,
): Promise<boolean> {
  const open = unscoped(db);
  if (asked_at === null) {
    const { numInsertedOrUpdatedRows = 0n } = await open
      .insertInto('media_buy_polls')
      .values({ media_buy_id: id, asked_at: now })
      .onConflict((key) => key.column('media_buy_id').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  const { numUpdatedRows } = await open
    .updateTable('media_buy_polls')
    .set({ asked_at: now })
    .where('media_buy_id', '=', id)
    .where('asked_at', '=', asked_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
