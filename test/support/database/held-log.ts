import pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../run/eventually.ts';
import type { TestDatabase } from './database.ts';

/** A connection of its own, on PostgreSQL, that has everybody wait who writes an entry of the audit log. */
export interface HeldLog {
  /** Waits until so many connections wait for it, or for one that does. */
  behind(count: number): Promise<void>;
  release(): Promise<void>;
}

const WAITING = `with recursive held(pid) as (
    select pg_backend_pid() union
    select activity.pid from pg_stat_activity activity join held on held.pid = any(pg_blocking_pids(activity.pid)))
  select count(*)::int - 1 as waiting from held`;

/** Each change writes its entry last: whoever waits here has done all else, and committed none of it. */
export async function holdLog({ url }: TestDatabase): Promise<HeldLog> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table audit_logs in share mode');
  return {
    behind: (count) =>
      eventually(async () => {
        const { rows } = await holder.query(WAITING);
        expect(rows[0].waiting).toBe(count);
      }),
    release: () => holder.end(),
  };
}
