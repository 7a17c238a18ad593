/**
 * What may go wrong on a bad day, each with the tests that show what comes of it. Every run has them in short;
 * `npm run faults` runs them with many more rounds and cases, on both databases.
 */
export const BAD_DAYS: Readonly<Record<string, readonly string[]>> = {
  'The process is killed at any moment, under load of every kind': [
    'test/faults/crashes.test.ts',
    'test/faults/crashes-amid-changes.test.ts',
    'test/process/crash.test.ts',
    'test/process/ledger-crash.test.ts',
    'test/process/repeats-after-crash.test.ts',
    'test/attacks/two-processes.test.ts',
    'test/outbound/orders-taken-over.test.ts',
  ],
  'The database is locked, full, read-only, restarted, gone or silent': [
    'test/attacks/database-failures.test.ts',
    'test/faults/database-outages.test.ts',
    'test/faults/postgres-restarts.test.ts',
    'test/faults/unwritable-files.test.ts',
    'test/outbound/lost-writes.test.ts',
    'test/tools/discovery/discover-products-store-failures.test.ts',
  ],
  'The clock jumps': ['test/faults/clock-jumps.test.ts'],
  'A seller misbehaves': [
    'test/outbound/misbehaving-sellers.test.ts',
    'test/outbound/patience-with-sellers.test.ts',
    'test/outbound/closed-sellers.test.ts',
    'test/outbound/transient-refusals.test.ts',
    'test/outbound/unresolved-orders.test.ts',
    'test/attacks/crowded-discovery.test.ts',
    'test/attacks/orders-out-of-bounds.test.ts',
    'test/attacks/seller-addresses.test.ts',
    'test/attacks/seller-answers.test.ts',
    'test/attacks/sellers-that-cannot-be-stored.test.ts',
  ],
  'A subscriber misbehaves': [
    'test/outbound/webhook-broken-answers.test.ts',
    'test/outbound/webhook-failures.test.ts',
    'test/outbound/address-guard.test.ts',
    'test/attacks/webhook-black-holes.test.ts',
  ],
  'The service is stopped under load': [
    'test/faults/stops.test.ts',
    'test/process/stop.test.ts',
    'test/http/drain.test.ts',
    'test/attacks/stop-in-flight.test.ts',
  ],
  'Five times as many call as can be served': ['test/faults/overload.test.ts'],
  'Anything is sent to any capability': [
    'test/faults/generated-inputs.test.ts',
    'test/http/fuzz.test.ts',
    'test/every-tool/inputs.test.ts',
    'test/attacks/refused-bodies.test.ts',
  ],
  'Strangers and narrowed colleagues call': [
    'test/every-tool/objects-of-others.test.ts',
    'test/attacks/narrowed-keys.test.ts',
  ],
};
