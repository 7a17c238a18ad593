import { sql } from 'kysely';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { Store } from '../../../store/engine/db.ts';

/** So many more like an advertiser that is there, in one statement: what is tested is how they are read. */
export async function manyMoreLike({ db }: Store, { id, ...columns }: AdvertiserRow, more: number) {
  const row = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  await sql`
    insert into advertisers (${row})
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(more)})
    select ${row} from advertisers, numbers where advertisers.id = ${id}
  `.execute(db.withoutPlugins());
}
