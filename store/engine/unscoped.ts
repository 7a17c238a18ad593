import type { Db } from './db.ts';

/**
 * The database without the guard that tests put on every query. For `store/unscoped/` alone, which names in one
 * place what no tenant bounds: recognising a credential, what every buyer may see of the sellers, and the work
 * of the service itself.
 */
export function unscoped(db: Db): Db {
  return db.withoutPlugins();
}
