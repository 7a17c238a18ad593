import type Database from 'better-sqlite3';

/** What our own answer is made from, in the same two SELECTs: a campaign, and its media buys. */
export function campaignReads(db: Database.Database): (id: unknown) => Readonly<Record<string, unknown>> {
  const select = db.prepare('select * from campaigns where organization_id = ? and id = ?');
  const selectBuys = db.prepare(
    'select * from media_buys where organization_id = ? and campaign_id = ? order by created_at, id',
  );
  const organizationId = db.prepare('select organization_id from campaigns limit 1').pluck().get();
  return (id) => ({
    campaign: select.get(organizationId, id),
    mediaBuys: selectBuys.all(organizationId, id),
  });
}
