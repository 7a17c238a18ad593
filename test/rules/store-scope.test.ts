import { describe, expect, test } from 'vitest';
import { tenantTables } from '../support/database/tenant-tables.ts';
import { sourceFiles } from '../support/house/source-files.ts';
import { declaredTables, functionsOf } from '../support/house/store-functions.ts';
import { mistakesIn, storeProgram } from '../support/house/store-program.ts';

/** What must not pass the compiler, each with a word of what it says. */
const REFUSED: Readonly<Record<string, readonly [code: string, complaint: RegExp]>> = {
  'a literal for a scope': [
    'findCampaign(db, { organizationId: 1, customerId: 2, advertiserIds: null }, "cmp_1");',
    /is not assignable to parameter of type 'Scope'/,
  ],
  'a copy of a scope': [
    'findCampaign(db, { ...scope, organizationId: 2, customerId: 2 }, "cmp_1");',
    /is not assignable to parameter of type 'Scope'/,
  ],
  'a literal for a tenant': [
    'listApiKeys(db, { organizationId: 1 });',
    /is not assignable to parameter of type 'Tenant'/,
  ],
  'a bare id for a tenant': ['listApiKeys(db, 1);', /is not assignable to parameter of type 'Tenant'/],
  'a tenant for a scope': [
    'findCampaign(db, makeTenant(1), "cmp_1");',
    /is not assignable to parameter of type 'Scope'/,
  ],
  'a tenant with an account added to it': [
    'findCampaign(db, Object.assign(makeTenant(1), { customerId: 2, advertiserIds: null }), "cmp_1");',
    /is not assignable to parameter of type 'Scope'/,
  ],
  'a scope of one’s own make': [
    "import('./engine/scope.ts').then((module) => new module.Scope({}));",
    /Property 'Scope' does not exist/,
  ],
};

const ALLOWED = `findCampaign(db, scope, "cmp_1"); listApiKeys(db, scope); listApiKeys(db, makeTenant(1));
  db.deleteFrom("campaigns").$call(inAccount(scope)).execute();`;

const planted = (code: string) => `import type { Db } from './engine/db.ts';
  import { makeScope, makeTenant, type Scope } from './engine/scope.ts';
  import { inAccount } from './engine/scoped.ts';
  import { listApiKeys } from './api-keys.ts';
  import { findCampaign } from './campaigns.ts';
  const scope: Scope = makeScope({ organizationId: 1, customerId: 2 });
  void [scope, makeTenant, inAccount, listApiKeys, findCampaign];
  export function use(db: Db) { void db; ${code} }`;

const LOOSE = `import type { Db } from './engine/db.ts';
  const query = (db: Db) => db.selectFrom('campaigns as c').selectAll();
  export const find = (db: Db, id: string) => query(db).where('c.id', '=', id).execute();
  export const above = (db: Db, id: number) => db.selectFrom('organizations').where('id', '=', id);
  export function list(db: Db) { return db.selectFrom('processes').selectAll().execute(); }
  export const findAbove = async (db: Db, id: number) => above(db, id).selectAll().executeTakeFirst();
  export const now = async (db: Db) => void db;`;

const cases = Object.entries(REFUSED).map(([what, [code, complaint]], index) => {
  return { what, code, complaint, path: `store/planted-${index}.ts` };
});
const program = storeProgram({
  ...Object.fromEntries(cases.map(({ path, code }) => [path, planted(code)])),
  'store/planted-allowed.ts': planted(ALLOWED),
  'store/planted-loose.ts': LOOSE,
});
const tenants = new Set(tenantTables);

/**
 * The functions of a module that ask a table and take nobody's word whose rows are meant. What is part of a query
 * may name a table that belongs to no organization: whoever asks it is looked at.
 */
function looseIn(path: string): string[] {
  return functionsOf(program, path)
    .filter(({ tables, asks }) => (asks ? tables.length > 0 : tables.some((table) => tenants.has(table))))
    .filter(({ takes }) => takes.includes('Db') && !takes.includes('Scope') && !takes.includes('Tenant'))
    .map(({ name }) => name);
}

describe('the compiler', () => {
  test.each(cases)('refuses $what', ({ path, complaint }) => {
    expect(mistakesIn(program, path)).toEqual([expect.stringMatching(complaint)]);
  });

  test('takes what was made, and a scope where a tenant is asked for', () => {
    expect(mistakesIn(program, 'store/planted-allowed.ts')).toEqual([]);
  });
});

describe('a function of the store', () => {
  const modules = sourceFiles('store').filter((path) => /^store\/[^/]+\.ts$/.test(path));

  test.each(modules)('outside store/unscoped takes a Scope or a Tenant, whatever it asks: %s', (path) => {
    expect(looseIn(path)).toEqual([]);
  });

  test('is seen in the act: with its tables, and with those of what it calls', () => {
    const seen = modules.flatMap((path) => functionsOf(program, path));
    const asked = new Set(seen.flatMap(({ tables }) => tables));

    expect(tenantTables.filter((table) => !asked.has(table))).toEqual([]);
    expect(seen.find(({ name }) => name === 'sumGroups')?.tables).toEqual([
      'discovery_groups',
      'discovery_products',
    ]);
  });

  test('would be found out', () => {
    expect(looseIn('store/planted-loose.ts')).toEqual(['list', 'find', 'findAbove']);
  });
});

describe('the tables that the modules declare', () => {
  test('are those with an organization that the migrations made', () => {
    const owned = [...declaredTables(program)].filter(([, columns]) => columns.includes('organization_id'));

    expect(owned.map(([name]) => name).sort()).toEqual([...tenantTables]);
  });
});
