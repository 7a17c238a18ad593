import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSealed } from '../../store/engine/codec.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { setProvider } from '../../store/organization-providers.ts';
import { insertStorefrontAgreement, recordStart } from '../../store/signups.ts';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { endAccess, giveAccess } from '../../tools/domain/organizations/programs.ts';
import { walk } from '../journeys/walk.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { overRest } from '../support/callers/tool-lanes.ts';
import { type QueryRecorder, recordQueries } from '../support/database/recorded-queries.ts';
import { tenantTables } from '../support/database/tenant-tables.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const TENANTS = tenantTables.join('|');

/** The tenants' tables of a statement, under the names it calls them by, read from its text alone. */
function tablesIn(sql: string): { table: string; alias: string }[] {
  const places = new RegExp(`\\b(?:from|join|update|using|into|,) "(${TENANTS})"(?: as "(\\w+)")?`, 'g');
  return [...sql.matchAll(places)].map(([, table = '', alias = table]) => ({ table, alias }));
}

/** The tables of a statement whose rows it does not restrict to one organization. */
function looseIn(sql: string): string[] {
  return selectsIn(sql).flatMap(looseHere);
}

/** A statement and the selects within it, each by itself. */
function selectsIn(sql: string): string[] {
  const start = sql.indexOf('(select ');
  if (start === -1) return [sql];
  let depth = 0;
  const length = [...sql.slice(start)].findIndex((character) => {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    return depth === 0;
  });
  const inner = sql.slice(start + 1, start + length);
  return [...selectsIn(inner), ...selectsIn(`${sql.slice(0, start)}(?${sql.slice(start + length)}`)];
}

function looseHere(sql: string): string[] {
  const tables = tablesIn(sql);
  const value = '(?:\\?|\\$\\d+|"\\w+"\\."organization_id")';
  const loose = tables.filter(({ alias }) => {
    const name = tables.length === 1 ? `(?:"${alias}"\\.)?` : `"${alias}"\\.`;
    const compared = new RegExp(`(?:where|and|on) \\(*${name}"organization_id" = ${value}`);
    const named = new RegExp(`^insert into "${alias}" \\([^)]*"organization_id"`);
    return !(sql.startsWith('insert') ? named : compared).test(sql);
  });
  return loose.map(({ table }) => table);
}

/** A session of the initialize era of MCP: opened, used once, ended. */
async function openAndEndSession(server: TestServer, person: Person): Promise<void> {
  const send = (method: string, session: string | null, message?: object) =>
    person.send(`${server.url}/mcp/v2/buyer`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === null ? {} : { 'mcp-session-id': session }),
      },
      ...(message === undefined ? {} : { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) }),
    });
  const client = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'walk', version: '1' },
  };
  const opened = await send('POST', null, { method: 'initialize', params: client });
  const session = opened.headers.get('mcp-session-id');
  if (session === null) throw new Error(`No session was opened: ${opened.text}`);
  await send('POST', session, { method: 'tools/list' });
  await send('DELETE', session);
}

describe('every query of every capability', () => {
  let recorder: QueryRecorder;
  let server: TestServer;
  beforeAll(async () => {
    recorder = recordQueries();
    server = await startTestServer({
      store: recorder.options,
      settings: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    recorder.watch(server.store);
    let calls = 0;
    const { walkers } = await walk(server, {
      lane: (call) => {
        calls += 1;
        return overRest(call.tool.effect === 'read' ? call : { ...call, repeatKey: `walk-${calls}` });
      },
    });
    await openAndEndSession(server, walkers.buyer);
    await walkers.buyer.post('/buyer/discovery/discover-products', {
      advertiserId: await newAdvertiser(walkers.buyer),
      proposalCode: 'PRP-000000',
    });
    const { organizationId } = await newPerson(server);
    const userId = await giveRole(server.operator, {
      email: 'ada@walk.example',
      name: 'Ada',
      organizationId,
      role: 'MEMBER',
    });
    await giveGrant(server.operator, { organizationId, holder: `user:${userId}` });
    await setProvider(server.store.db, makeTenant(organizationId), {
      domain: 'walk.example',
      issuer: 'https://login.walk.example',
      client_id: 'walk',
      secret_sealed: asSealed('sealed'),
      created_at: server.operator.now,
    });
    const program = await giveAccess(server.operator, {
      userId,
      organizationId,
      clientId: 'oc_walk',
      clientName: 'Walk',
      readOnly: true,
      payload: { openid: { scope: 'openid' }, resources: {} },
      expiresAt: server.operator.now,
    });
    await endAccess(server.operator, program);
    const { db } = server.store;
    const created_at = server.operator.now;
    await recordStart(db, makeTenant(organizationId), { choice: 'api', user_id: userId, created_at });
    await insertStorefrontAgreement(db, makeTenant(organizationId), {
      version: '1',
      user_id: userId,
      created_at,
    });
  });
  afterAll(() => server.stop());

  test('names its organization for each tenant’s table, as its SQL says', () => {
    const statements = [...recorder.guarded].filter((sql) => tablesIn(sql).length > 0);

    expect(statements.length).toBeGreaterThan(40);
    expect(statements.filter((sql) => looseIn(sql).length > 0)).toEqual([]);
  });

  test('and every tenant’s table was read or written on the walk', () => {
    const seen = [...recorder.guarded].flatMap((sql) => tablesIn(sql).map(({ table }) => table));

    const missed = tenantTables.filter((table) => !seen.includes(table));
    expect(missed).toEqual([]);
  });

  test('was seen in the act: what ran is what was built under the guard, or unscoped on purpose', () => {
    const unguarded = [...new Set(recorder.ran.map(({ sql }) => sql))].filter(
      // How rows are read is said after the guard has seen whose they are.
      (sql) => !recorder.guarded.has(sql.replace(' not indexed', '')) && tablesIn(sql).length > 0,
    );

    expect(recorder.ran.length).toBeGreaterThan(recorder.guarded.size);
    expect(unguarded.length).toBeGreaterThan(0);
    for (const sql of unguarded) expect(looseIn(sql), sql).not.toEqual([]);
  });

  test('would be found out: the reading of the SQL sees what is missing', () => {
    expect(looseIn('select * from "campaigns" where "id" = ?')).toEqual(['campaigns']);
    expect(looseIn('select * from "campaigns" where "organization_id" = ? and "id" = ?')).toEqual([]);
    expect(looseIn('select * from "campaigns" where "organization_id" != ?')).toEqual(['campaigns']);
    expect(
      looseIn(
        'select * from "campaigns" as "c" inner join "media_buys" on "media_buys"."campaign_id" = "c"."id" where "c"."organization_id" = $1',
      ),
    ).toEqual(['media_buys']);
    expect(
      looseIn(
        'select * from "grants" where "organization_id" = ? and "holder" in (select "id" from "api_keys" where ("id" = ?))',
      ),
    ).toEqual(['api_keys']);
    expect(looseIn('insert into "grants" ("holder") values (?)')).toEqual(['grants']);
    expect(looseIn('delete from "grants"')).toEqual(['grants']);
    expect(looseIn('update "grants" set "organization_id" = ?')).toEqual(['grants']);
  });
});
