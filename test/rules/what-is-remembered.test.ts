import { describe, expect, test } from 'vitest';
import { KeptCallers } from '../../adapters/auth/kept-callers.ts';
import { FixedWindows } from '../../adapters/http/fixed-windows.ts';
import { unconfined } from '../../tools/core/access.ts';
import { keep } from '../../tools/core/bounded-map.ts';
import type { Caller } from '../../tools/core/context.ts';
import { heldCollections } from '../support/house/held-collections.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';
import { manualClock } from '../support/run/clock.ts';

/** What is made with the process and does not grow with what comes to it. */
const FROM_THE_CODE = 'as many as the code names';
/** What is gone when the work is over that it was made for; the work has bounds of its own. */
const OF_ONE_WORK = 'gone with the call, the session or the answer that it is made for';

/** Everything that a process holds beyond the call that made it, and what keeps it from growing with strangers. */
const BOUNDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'adapters/auth/access-token.ts': { checked: 'CHECKED_MAX' },
  'adapters/auth/application.ts': { noting: 'forgotten when the note is written' },
  'adapters/auth/audiences.ts': { known: FROM_THE_CODE },
  'adapters/auth/kept-callers.ts': { callers: 'CALLERS_MAX' },
  'adapters/auth/member.ts': { withheld: 'permissions' },
  'adapters/auth/noted-use.ts': { noted: 'NOTED_MAX' },
  'adapters/auth/provider-key.ts': { known: 'REMEMBERED_MAX' },
  'adapters/docs/addresses.ts': { told: FROM_THE_CODE },
  'adapters/http/fixed-windows.ts': { '#windows': 'KEYS_MAX' },
  'adapters/http/overload.ts': {
    '#taken': 'calls under way',
    '#asked': 'whoever asked within half a second',
    '#askedBefore': 'whoever asked within the half before',
  },
  'adapters/http/refused-sign-ins.ts': {
    groups: 'ROWS_MAX twice, and one more for each kind; HELD_MAX while nothing can be written',
  },
  'adapters/http/shared-counts.ts': {
    byName: FROM_THE_CODE,
    untold: FROM_THE_CODE,
    counts: 'the callers of a quarter of a second, then told and emptied',
  },
  'adapters/http/watch.ts': { entries: 'what is open at the moment' },
  'adapters/mcp/address.ts': { narrowed: 'NARROWED_MAX', inUse: 'requests under way' },
  'adapters/mcp/direct.ts': { NOTHING: FROM_THE_CODE },
  'adapters/mcp/live-sessions.ts': {
    owned: 'MCP_SESSIONS_LIVE, shared by organizations',
    own: 'the same, of one of them; an empty one is forgotten',
  },
  'adapters/mcp/session-server.ts': { '#batched': OF_ONE_WORK, underWay: 'requests under way' },
  'adapters/net/address-guard.ts': { judged: 'JUDGED_MAX' },
  'adapters/operations/counts.ts': { '#rows': 'SERIES_MAX', row: 'SERIES_MAX', '#counts': FROM_THE_CODE },
  'adapters/operations/request-counts.ts': { '#rows': 'SERIES_MAX', row: 'SERIES_MAX' },
  'adapters/people/providers.ts': { known: 'KEPT' },
  'adapters/ports/background.ts': { running: 'work under way' },
  'adapters/ports/link.ts': { ears: FROM_THE_CODE },
  'adapters/ports/wake.ts': { unsent: 'told and emptied at the next turn of the event loop' },
  'adapters/process/connections.ts': { connections: 'open sockets' },
  'adapters/process/front.ts': { connections: 'open sockets' },
  'adapters/process/main.ts': { causes: FROM_THE_CODE },
  'adapters/rest/remembered-digests.ts': { last: 'ADDRESSES_MAX' },
  'adapters/rest/routes.ts': { byHandler: FROM_THE_CODE },
  'adapters/sellers/account-lists.ts': { lists: 'LISTS_MAX', accounts: 'READ, while one list is read' },
  'adapters/sellers/answer-pool.ts': { threads: 'THREADS' },
  'adapters/sellers/client-shelf.ts': { shelf: 'SELLER_CONNECTIONS_MAX', open: 'those and the ones in use' },
  'adapters/sellers/connections.ts': { '#clients': 'open connections: one that is gone is forgotten' },
  'adapters/sellers/seller-calls.ts': { known: 'KNOWN_MAX' },
  'adapters/webhooks/delivery.ts': { flights: 'WEBHOOKS_AT_ONCE' },
  'adapters/webhooks/request.ts': { sessions: 'SESSIONS_KEPT' },
  'store/engine/connection-gate.ts': { '#underWay': 'DATABASE_CONNECTIONS: what nobody holds is forgotten' },
  'store/engine/postgres-silence.ts': { '#asked': 'connections of the pool' },
  'store/engine/postgres.ts': { names: 'STATEMENTS_KEPT' },
  'store/engine/remembered.ts': { records: 'REMEMBERED_MAX' },
  'store/engine/aside.mjs': { kept: 'STATEMENTS_KEPT' },
  'store/engine/read-turns.ts': { '#underWay': 'DATABASE_CONNECTIONS' },
  'store/engine/sqlite-aside.ts': { '#underWay': 'TOGETHER' },
  'store/engine/sqlite-statements.ts': { '#kept': 'STATEMENTS_KEPT' },
  'store/engine/turns.ts': {
    queues: 'SELLER_ANSWERS_WAITING, DATABASE_LISTS_WAITING, calls under way; an empty queue is forgotten',
  },
  'tools/core/call.ts': { permissions: FROM_THE_CODE },
  'tools/core/schemas/schema-readers.ts': { '#names': FROM_THE_CODE },
  'tools/core/repeat-room.ts': { roomsOf: 'ACCOUNTS_MAX' },
  'tools/core/schemas/spellings.ts': { given: OF_ONE_WORK },
  'tools/core/tally.ts': {
    '#counts':
      'STREAMS_AT_ONCE, SELLERS_SILENT_AT_ONCE: as many as may be counted; a name without any is forgotten',
  },
  'tools/core/under-way.ts': { rowsOf: 'rows at work on' },
  'tools/domain/brands/resolving.ts': { found: OF_ONE_WORK },
  'tools/domain/buying/changes/change-packages.ts': { wanted: OF_ONE_WORK },
  'tools/domain/buying/choice/line-places.ts': { found: OF_ONE_WORK, '#taken': OF_ONE_WORK },
  'tools/domain/discovery/declared-targeting.ts': { unable: OF_ONE_WORK },
  'tools/domain/discovery/asking/lanes.ts': { silent: OF_ONE_WORK },
  'tools/domain/discovery/sessions/rounds.ts': { owners: OF_ONE_WORK },
  'tools/domain/discovery/asking/seller-products.ts': {
    groups: OF_ONE_WORK,
    filtered: OF_ONE_WORK,
    seen: OF_ONE_WORK,
  },
  'tools/domain/discovery/asking/shares.ts': { sellersOf: OF_ONE_WORK },
  'tools/domain/discovery/asking/turns.ts': { '#underWay': OF_ONE_WORK, lots: OF_ONE_WORK },
  'tools/domain/events/tail.ts': { '#waiting': 'open streams', tailsOf: 'accounts with an open stream' },
  'tools/domain/sellers/deadline.ts': { all: 'calls under way' },
  'tools/domain/sellers/embedded/catalog.ts': { frequency: OF_ONE_WORK },
  'tools/domain/sellers/lateness.ts': { sellersOf: 'SELLERS_MAX' },
  'tools/domain/webhooks/turns.ts': { perAccount: OF_ONE_WORK, troubledOf: OF_ONE_WORK },
  'tools/platform/guide/search-index.ts': { counts: FROM_THE_CODE, weights: FROM_THE_CODE },
};

describe('what a process remembers', () => {
  test('goes by its ports, which copies of its services share', () => {
    const paths = ['adapters', 'tools', 'store'].flatMap(sourceFiles);

    expect(paths.filter((path) => /Weak(Map|Set)<Services\b/.test(codeOf(path)))).toEqual([]);
  });

  test('is known place by place, each with what bounds it', () => {
    const held = ['adapters', 'tools', 'store'].flatMap(sourceFiles).flatMap((path) => {
      const names = heldCollections(path);
      return names.length === 0 ? [] : [[path, names] as const];
    });

    const bounded = Object.entries(BOUNDS).map(([path, names]) => [path, Object.keys(names).sort()] as const);
    expect(Object.fromEntries(held)).toEqual(Object.fromEntries(bounded));
  });

  test('of what spares work is forgotten whole when there is too much of it', () => {
    const entries = new Map<string, number>();
    for (let index = 0; index < 1_005; index += 1) keep(entries, { key: `${index}`, value: index, max: 10 });
    expect([...entries.keys()]).toEqual(['1000', '1001', '1002', '1003', '1004']);

    keep(entries, { key: '1000', value: 1, max: 5 });
    expect(entries.size).toBe(5);
  });

  test('of one person does not grow with the tokens that act for them', () => {
    const callers = new KeptCallers<object>();
    const [person, other] = [{}, {}];
    const caller: Caller = {
      kind: 'user',
      principal: 'user:1',
      name: 'Ada',
      organizationId: 1,
      permissions: new Set(),
      accounts: { buyer: null, seller: null },
      confined: unconfined,
      advertiserIds: null,
      userId: 1,
      tier: 'basic',
      alpha: false,
    };
    callers.keep(other, 'token', caller);
    for (let index = 0; index < 1_000; index += 1) callers.keep(person, `token ${index}`, { ...caller });

    expect(callers.size(person)).toBeLessThanOrEqual(100);
    expect(callers.get(person, 'token 999')).toEqual(caller);
    expect(callers.get(other, 'token')).toBe(caller);
  });

  test('of the callers of a limit are the latest, however many networks they come from', () => {
    const windows = new FixedWindows({ limit: 1, max: 3 }, 60, manualClock());
    for (const key of ['first', 'second', 'third']) windows.take(key);
    windows.take('second');

    windows.take('fourth');
    windows.add('fifth', 1);

    expect(windows.size).toBe(3);
    expect(['third', 'fourth', 'fifth'].map((key) => windows.take(key).isOver)).toEqual([true, true, true]);
  });
});
