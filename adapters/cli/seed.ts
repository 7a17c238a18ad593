import { openStore } from '../../store/open.ts';
import { publishTerms } from '../../store/unscoped/terms.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { systemClock } from '../ports/clock.ts';
import { idsBy } from '../ports/ids.ts';
import { keyMaker } from '../ports/keys.ts';
import { seedSandbox } from '../sandbox/sandbox.ts';
import { type Config, publicUrlOf } from '../settings/config.ts';

/** Makes the sandbox, which the first start makes in development only. */
export async function seed(config: Config): Promise<string> {
  const store = openStore(config.databaseUrl, { connections: 1 });
  try {
    await store.migrate();
    const ports = { clock: systemClock, ids: idsBy(systemClock), keys: keyMaker(config.brand) };
    await publishTerms(store.db, { version: config.termsVersion, effective_at: nowOf(systemClock) });
    const key = await seedSandbox({ store, ports, publicUrl: () => publicUrlOf(config) });
    return key === undefined
      ? 'The sandbox is there already. Make a key for it with key create --sandbox.'
      : `The sandbox is there. A key for it, shown this once:\n${key}`;
  } finally {
    await store.close();
  }
}
