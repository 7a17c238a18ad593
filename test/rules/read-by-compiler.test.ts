import { join } from 'node:path';
import type ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { families } from '../../tools/registry.ts';
import { namedStates } from '../support/house/named-states.ts';
import { mistakesIn, programOf } from '../support/house/store-program.ts';
import { unheardIn } from '../support/run/unheard.ts';

/** Reads every file of the product with the compiler, once for all that is asked of it. */
const PATIENCE = 180_000;

const FOLDERS = ['adapters', 'store', 'tools'];

/** Wrong in each way that there is, beside what is right: what the rule says of them shows that it looks. */
const UNHEARD = {
  'tools/core/planted-unheard.ts': `
    declare function work(): Promise<number>;
    export function wrong(one: number | undefined, emitter: EventTarget) {
      void work();
      void work().then(String, String).finally(() => {});
      void (one ?? work());
      setTimeout(async () => String(await work()), 1);
      emitter.addEventListener('abort', async function ended() { await work(); });
    }`,
  'tools/core/planted-heard.ts': `
    declare function work(): Promise<number>;
    export async function right(seen: Set<number>) {
      void work().catch(() => {});
      setTimeout(() => void seen.add(1), 1);
      setTimeout(() => void work().finally(() => {}).catch(() => {}), 1);
      await work();
    }`,
};

/** States that are named where they are not to be, beside what may name them. */
const STATES = {
  'tools/core/planted-states.ts': `
    type Status = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'COMPLETED' | 'CANCELED' | 'ARCHIVED';
    declare function write(set: { status?: Status | undefined }): void;
    declare function from(status: Status): Status | undefined;
    export function wrong(isOver: boolean, before: Status | undefined): Status {
      write({ status: 'PAUSED' });
      write({ status: isOver ? 'COMPLETED' : before });
      write({ status: before ?? 'CANCELED' });
      if (before === 'DRAFT') write({ status: from('ACTIVE') });
      return 'ARCHIVED';
    }`,
};

const BEGINS = 'it begins so';
const READ = 'read from its columns, written nowhere';
const EXAMPLE = 'an example of what is asked';

/** Where the product names a state by itself, and why that moves nothing on. */
const NAMED: Readonly<Record<string, string>> = {
  'adapters/sandbox/sandbox.ts: inventory source ACTIVE': BEGINS,
  'tools/buyer/campaigns/new-campaign.ts: campaign DRAFT': BEGINS,
  'tools/domain/buying/orders/order-making.ts: media buy DRAFT': BEGINS,
  'tools/domain/discovery/sessions/open-session.ts: discovery session collecting': BEGINS,
  'tools/storefront/inventory-sources/inventory-source-create.ts: inventory source PENDING': BEGINS,
  'tools/domain/approvals/machines.ts: spend approval expired': READ,
  'tools/domain/discovery/sessions/offer-snapshot.ts: proposal of a storefront active': READ,
  'tools/domain/discovery/sessions/offer-snapshot.ts: proposal of a storefront expired': READ,
  'tools/domain/discovery/sessions/offer-snapshot.ts: proposal of a storefront redeemed': READ,
  'tools/domain/discovery/sessions/offer-snapshot.ts: proposal of a storefront revoked': READ,
  // Of a change that its seller has yet to confirm.
  'tools/domain/buying/standing/buy-standing.ts: media buy INPUT_REQUIRED':
    'What a change waits for while its seller needs something of the buyer.',
  'tools/domain/buying/standing/buy-standing.ts: media buy PENDING_APPROVAL': READ,
  'tools/buyer/spend-approvals/spend-approval-list.ts: spend approval pending': EXAMPLE,
  'tools/platform/domains/join-request-list.ts: join request pending': EXAMPLE,
  'tools/storefront/proposals/proposal-list.ts: proposal of a storefront active': EXAMPLE,
};

/** What no definition may leave out, each with a word of what the compiler says. */
const REFUSED: Readonly<Record<string, readonly [code: string, complaint: RegExp]>> = {
  'a change that names no subject for the audit log': [
    `defineTool({ ...about, effect: 'update' });`,
    /Property 'audit' is missing/,
  ],
  'a subject without its kind': [
    `defineTool({ ...about, effect: 'update', audit: { ofInput: () => 1 } });`,
    /'kind' is missing/,
  ],
  'a subject whose id stands nowhere': [
    `defineTool({ ...about, effect: 'delete', audit: { kind } });`,
    /is missing in type '\{ kind: Kind; \}'/,
  ],
  'a subject that is no part of the input': [
    `defineTool({ ...about, effect: 'act', audit: { kind, ofInput: ({ nobody }) => nobody } });`,
    /Property 'nobody' does not exist/,
  ],
  'a subject that is no part of the result': [
    `defineTool({ ...about, effect: 'create', audit: { kind, ofResult: ({ nobody }) => nobody } });`,
    /Property 'nobody' does not exist/,
  ],
  'a read with a subject': [
    `defineTool({ ...about, effect: 'read', audit: { kind, ofInput: () => 1 } });`,
    /not assignable/,
  ],
  'an error code that is not in the catalogue': [
    `defineTool({ ...about, effect: 'read', errors: ['ODD'] });`,
    /Type '"ODD"' is not assignable/,
  ],
  'a stream without a schema of its payload': [
    'export const stream: StreamDefinition = streamed;',
    /Property 'payload' is missing/,
  ],
};

const ALLOWED = 'tools/core/planted-right.ts';
const RIGHT = `defineTool({ ...about, effect: 'read' });
  defineTool({ ...about, effect: 'update', audit: { kind, ofInput: ({ id }) => id } });
  defineTool({ ...about, effect: 'create', audit: { kind, ofResult: ({ made }) => made } });
  export const stream: StreamDefinition = { ...streamed, payload: z.object({ landed: z.string() }) };`;

const definition = (code: string) => `import { z } from 'zod';
  import { open } from './access.ts';
  import { defineTool } from './define.ts';
  import type { Kind } from './kinds.ts';
  import type { StreamDefinition } from './streams.ts';
  declare const kind: Kind;
  const about = {
    name: 'odd_change', title: 'Change odd', description: 'Changes what is odd.', access: open, errors: [],
    input: z.strictObject({ id: z.string() }), output: z.object({ made: z.string() }),
    handler: async () => ({ made: 'odd' }),
  };
  const { output: _, handler: __, ...said } = about;
  const streamed = {
    ...said, path: '/odd/events', resumesAfter: 'id',
    open: async () => undefined,
  };
  void [kind, streamed, defineTool];
  export type Used = StreamDefinition;
  ${code}`;

const definitions = Object.entries(REFUSED).map(([what, [code, complaint]], index) => ({
  what,
  code,
  complaint,
  path: `tools/core/planted-declaration-${index}.ts`,
}));

const PLANTED = {
  ...UNHEARD,
  ...STATES,
  [ALLOWED]: definition(RIGHT),
  ...Object.fromEntries(definitions.map(({ path, code }) => [path, definition(code)])),
};

describe('the compiler, of the whole product', () => {
  let program: ts.Program;
  let files: readonly ts.SourceFile[];
  beforeAll(() => {
    program = programOf(FOLDERS, PLANTED);
    const own = FOLDERS.map((folder) => join(packageRoot, folder));
    files = program
      .getSourceFiles()
      .filter(({ fileName }) => own.some((folder) => fileName.startsWith(`${folder}/`)));
  }, PATIENCE);

  const pathOf = ({ fileName }: ts.SourceFile) => fileName.slice(packageRoot.length + 1);
  const isPlanted = (place: string) => place.startsWith('tools/core/planted-');

  test('finds no promise that fails without anybody hearing of it', { timeout: PATIENCE }, () => {
    const checker = program.getTypeChecker();

    const unheard = files.flatMap((file) => unheardIn(file, checker));

    expect(unheard.filter(isPlanted).map((place) => /:(\d+)/.exec(place)?.[1])).toEqual([
      '4',
      '5',
      '6',
      '7',
      '8',
    ]);
    expect(unheard.filter((place) => !isPlanted(place))).toEqual([]);
  });

  test('finds no state of a machine that is named outside its table', { timeout: PATIENCE }, () => {
    const checker = program.getTypeChecker();
    const machines = [...new Set(families.flatMap((family) => family.machines))];

    const named = files.flatMap((file) =>
      namedStates(file, checker, machines).map((one) => ({ path: pathOf(file), ...one })),
    );

    expect(named.filter(({ path }) => isPlanted(path)).map(({ state }) => state)).toEqual([
      'PAUSED',
      'COMPLETED',
      'CANCELED',
      'ARCHIVED',
    ]);
    const found = named
      .filter(({ path }) => !isPlanted(path))
      .map(({ path, of, state }) => `${path}: ${of} ${state}`);
    expect([...new Set(found)].sort()).toEqual(Object.keys(NAMED).sort());
  });

  test('refuses a definition for what it leaves out', { timeout: PATIENCE }, () => {
    expect(mistakesIn(program, ALLOWED)).toEqual([]);
    for (const { path, what, complaint } of definitions)
      expect(mistakesIn(program, path), what).toEqual([expect.stringMatching(complaint)]);
  });
});
