import { vi } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { freePort } from '../support/run/free-port.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** How long credentials live here: no longer than a process may be silent, because the clock is put forward. */
export const LIFE_SECONDS = 300;

/** Where credentials live: two processes on one database, a seller who answers when told to, and a receiver. */
export interface World {
  readonly one: TestServer;
  /** Another process. SQLite is served by one at a time: there it is the same. */
  readonly other: TestServer;
  readonly clock: SkippingClock;
  readonly ada: FarSeller;
  readonly receiver: Receiver;
  /** Somebody whose credential ends when a test says so: by then all that changed before is known. */
  readonly canary: Person;
  stop(): Promise<void>;
}

/** `start`: when its clock begins, where something beside it goes by the real one. */
export async function newWorld({ start }: { readonly start?: number } = {}): Promise<World> {
  const database: TestDatabase = await freshDatabase();
  const authority: Authority = await newAuthority();
  const port = String(await freePort());
  const clock = skippingClock(start);
  const settings = {
    // One address for both, as behind a balancer: what one signs the other believes.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ALLOWED_HOSTS: '127.0.0.1',
    SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    OUTBOUND_CA_FILE: authority.file,
    PROCESS_LEASE_MS: '1000000',
    ACCESS_TOKEN_SECONDS: String(LIFE_SECONDS),
    MACHINE_TOKEN_SECONDS: String(LIFE_SECONDS),
    AGENT_TOKEN_SECONDS: String(LIFE_SECONDS),
    AGENT_REGISTRATION_SECONDS: String(2 * LIFE_SECONDS),
    AGENT_REFRESH_SECONDS: String(2 * LIFE_SECONDS),
    AGENT_ASSERTION_SECONDS: String(2 * LIFE_SECONDS),
    AGENT_ANONYMOUS_PER_IP: '100000',
    AGENT_ANONYMOUS_IN_ALL: '100000',
    AGENT_REQUESTS_PER_IP: '100000',
    AGENT_REQUESTS_IN_ALL: '100000',
  };
  const one = await startTestServer({ database, clock, settings: { ...settings, PORT: port } });
  const other = engine === 'postgres' ? await startTestServer({ database, clock, settings }) : one;
  const ada = await farSeller(one, 'Ada');
  const receiver = await startReceiver(authority);
  return {
    one,
    other,
    clock,
    ada,
    receiver,
    canary: await newPerson(one),
    stop: async () => {
      if (other !== one) await other.stop();
      await one.stop();
      await ada.agent.stop();
      await receiver.stop();
      authority.remove();
      await database.drop();
    },
  };
}

/** How the session of a discovery and the deliveries to a subscription stand, looked up where they are kept. */
export async function deliveriesOf(
  { one }: World,
  { discoveryId, subscriptionId }: { readonly discoveryId: string; readonly subscriptionId: string },
): Promise<string[]> {
  const db = one.store.db.withoutPlugins();
  const isComplete = async () => {
    const rows = await db
      .selectFrom('discovery_sessions')
      .select('status')
      .where('id', '=', discoveryId)
      .execute();
    return rows[0]?.status === 'complete';
  };
  await vi.waitUntil(isComplete, { timeout: 20_000, interval: 10 });
  const read = () =>
    db
      .selectFrom('webhook_deliveries')
      .select(['state', 'outcome'])
      .where('subscription_id', '=', subscriptionId)
      .where('session_id', '=', discoveryId)
      .execute();
  const isOver = async () =>
    (await read()).every(({ state }) => state !== 'pending' && state !== 'attempting');
  await vi.waitUntil(isOver, { timeout: 20_000, interval: 10 });
  return (await read()).map(({ state, outcome }) => (outcome === null ? state : `${state}: ${outcome}`));
}
