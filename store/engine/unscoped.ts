import type { Db } from './db.ts';

/**
 * The database without the guard that tests put on every query. For four purposes only, each in one module:
 * recognising a credential (`credentials.ts`), work of the service itself (`system.ts`), what every buyer may
 * see of the sellers (`market.ts`), and forgetting the sessions that nobody uses (`mcp-sessions.ts`).
 */
export function unscoped(db: Db): Db {
  return db.withoutPlugins();
}
