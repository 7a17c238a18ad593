import { openStore } from '../../store/open.ts';
import { operatorOf } from '../../tools/domain/organizations/operator.ts';
import { inForceIfAny, publishSetting } from '../../tools/domain/organizations/terms.ts';
import { systemClock } from '../ports/clock.ts';
import { idsBy } from '../ports/ids.ts';
import { keyMaker } from '../ports/keys.ts';
import { seedSandbox } from '../sandbox/sandbox.ts';
import { type Config, publicUrlOf } from '../settings/config.ts';

/** Makes the sandbox, which the first start makes in development only. */
export async function seed(config: Config, reason?: string): Promise<string> {
  const store = openStore(config.databaseUrl, { connections: 1 });
  try {
    await store.migrate();
    const ports = { clock: systemClock, ids: idsBy(systemClock), keys: keyMaker(config.brand) };
    const operator = operatorOf({ store, ...ports }, 'seed', reason);
    // The sandbox accepts what is in force; only where nothing is has the setting to come first, as at a start.
    if ((await inForceIfAny(operator)) === undefined) await publishSetting(operator, config.termsVersion);
    const key = await seedSandbox({ store, ports, publicUrl: () => publicUrlOf(config) }, reason);
    return key === undefined
      ? 'The sandbox is there already. Make a key for it with key create --sandbox.'
      : `The sandbox is there. A key for it, shown this once:\n${key}`;
  } finally {
    await store.close();
  }
}
