import { type Kysely, sql } from 'kysely';
import type { Step } from './steps.ts';

/** Columns of a campaign, by their names. */
type Limits = Readonly<Record<string, string | number | null>>;

interface Row {
  readonly id: string;
  readonly state: string;
  readonly proposed: string;
  readonly campaign_id: string;
  readonly figures_awaited_since: string | null;
}

/**
 * Limits of a campaign that wait for its media buys stand with the campaign, and no more with the changes that they
 * were asked for with, which a refusal ended with them.
 */
export const step: Step = {
  async up(db) {
    await db.schema.alterTable('campaigns').addColumn('waiting_limits', 'text').execute();
    const { rows } = await sql<Row>`
      select c.id, c.state, c.proposed, c.campaign_id, b.figures_awaited_since
      from media_buy_changes c join media_buys b on b.id = c.media_buy_id
      where c.proposed like '%"limits":%' order by c.created_at, c.id`.execute(db);
    for (const row of rows) await moveOut(db, row);
  },
  // What waits then is asked for again.
  async down(db) {
    await db.schema.alterTable('campaigns').dropColumn('waiting_limits').execute();
  },
};

const OPEN: readonly string[] = ['sending', 'held', 'waiting', 'unknown'];

async function moveOut(db: Kysely<unknown>, row: Row): Promise<void> {
  const { limits, ...proposed } = JSON.parse(row.proposed) as { limits?: { from: Limits; to: Limits } };
  if (limits === undefined) return;
  await sql`update media_buy_changes set proposed = ${JSON.stringify(proposed)} where id = ${row.id}`.execute(
    db,
  );
  const isHeldUp = row.state === 'confirmed' && row.figures_awaited_since !== null;
  if (OPEN.includes(row.state) || isHeldUp) await keepWaiting(db, row.campaign_id, limits);
}

/** Whoever changed them meanwhile had the last word. */
async function keepWaiting(
  db: Kysely<unknown>,
  id: string,
  { from, to }: { readonly from: Limits; readonly to: Limits },
): Promise<void> {
  const { rows } = await sql<Limits & { readonly waiting_limits: string | null }>`
    select budget_minor, daily_cap_minor, start_at, end_at, waiting_limits from campaigns where id = ${id}`.execute(
    db,
  );
  const [campaign] = rows;
  if (campaign === undefined || !Object.entries(from).every(([name, was]) => isSame(campaign[name], was)))
    return;
  const waiting = { ...(JSON.parse(campaign.waiting_limits ?? '{}') as Limits), ...to };
  await sql`update campaigns set waiting_limits = ${JSON.stringify(waiting)} where id = ${id}`.execute(db);
}

/** Not every database gives whole numbers as numbers. */
function isSame(is: string | number | null | undefined, was: string | number | null): boolean {
  return was === null ? is === null : String(is) === String(was);
}
