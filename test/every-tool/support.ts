import { sql } from 'kysely';
import type { Walkers } from '../journeys/walk.ts';
import type { Outcome } from '../support/callers/tool-lanes.ts';
import { tenantTables } from '../support/database/tenant-tables.ts';
import type { TestServer } from '../support/server/server.ts';

/** What was seen of each tool on a walk, for a test a tool. */
export class Seen<T> {
  readonly #notes = new Map<string, T[]>();

  add(tool: string, note: T): void {
    this.#notes.set(tool, [...this.of(tool), note]);
  }

  of(tool: string): readonly T[] {
    return this.#notes.get(tool) ?? [];
  }
}

/** How a call ended: `passed`, or the status and the code of its refusal. */
export function endOf({ failed, status, content }: Outcome): string {
  return failed ? `${status} ${content['code']}` : 'passed';
}

/** Rows that change by themselves: deliveries are made, and keys are noted as used. */
const RESTLESS: readonly string[] = [
  'audit_logs',
  'api_keys',
  'mcp_sessions',
  'terms_acceptances',
  'webhook_deliveries',
  'webhook_subscriptions',
];

/** All that both sides have, so that two looks at it differ where a call between them changed anything. */
export async function possessions({ store }: TestServer, { buyer, seller }: Walkers): Promise<string> {
  const db = store.db.withoutPlugins();
  const had: unknown[] = [];
  for (const { organizationId } of [buyer, seller]) {
    for (const table of tenantTables.filter((name) => !RESTLESS.includes(name))) {
      const { rows } =
        await sql`select * from ${sql.table(table)} where organization_id = ${organizationId}`.execute(db);
      had.push(rows.map((row) => JSON.stringify(row)).sort());
    }
    const { rows } =
      await sql`select id, url from webhook_subscriptions where organization_id = ${organizationId} order by id`.execute(
        db,
      );
    had.push(rows);
  }
  return JSON.stringify(had);
}
