import { connect, type Store, type StoreOptions } from './engine/db.ts';
import { migrate } from './migrations/migrate.ts';

/** The store behind a URL: `file:./data/rialto.db`, `file::memory:` or `postgres://…`. */
export function openStore(url: string, options: StoreOptions = {}): Store {
  return connect(url, { ...options, migrate });
}
