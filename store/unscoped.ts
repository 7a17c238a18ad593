import type { Db } from './db.ts';

/**
 * The database without the guard that tests put on every query. For three purposes only, each a module of
 * its own: recognising a credential (`credentials.ts`), work of the service itself (`system.ts`), and what
 * every buyer may see of the sellers (`market.ts`).
 */
export function unscoped(db: Db): Db {
  return db.withoutPlugins();
}
