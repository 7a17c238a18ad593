import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { addCapability, capabilityPlaces } from './capability.ts';
import { BOUNDS, familyFiles, nextMigration, REGISTRY, register } from './family.ts';
import { changedFiles, copyProject, runIn, writeFiles } from './project.ts';
import type { Subject } from './subject.ts';

const MINUTES = 60_000;

/** What follows from the definitions, written by `npm run generate`. */
const GENERATED = [
  'README.md',
  'docs/contract.md',
  'docs/openapi.json',
  'docs/reference.md',
  'mcp-manifest.json',
];
/** Of the new capabilities; and of the audit logs, which know one more kind of object. */
const CONTRACT = [
  'test/contract/records/AuditLog.json',
  'test/contract/records/Signal.json',
  'test/contract/records/StorefrontAuditLog.json',
  'test/contract/tools/audit-log-list.json',
  'test/contract/tools/measurement-config-get.json',
  'test/contract/tools/signal-create.json',
  'test/contract/tools/signal-list.json',
  'test/contract/tools/storefront-audit-log-list.json',
];

/** The steps of CONTRIBUTING, one after the other, in a copy of the project. */
describe('a project with one more capability and one more family', () => {
  let root: string;
  let byHand: string[];
  let family: Record<string, string>;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'rialto-growth-'));
    copyProject(packageRoot, root);
    const subject: Subject = {
      surface: 'storefront',
      noun: 'signal',
      path: '/signals',
      operations: ['create', 'list'],
      migration: nextMigration(root),
    };
    family = { ...familyFiles(subject) };
    writeFiles(root, family);
    register(root, subject);
    addCapability(root);
    byHand = changedFiles(root);
  }, 5 * MINUTES);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** Fails with what the command printed. */
  async function pass(command: string, env?: Readonly<Record<string, string>>): Promise<void> {
    const { code, printed } = await runIn(root, command, env);
    expect(code, `${command} printed:\n${printed}`).toBe(0);
  }

  test('was touched by hand in its own files, two indexes of its families, a journey and the bounds of tables', () => {
    expect(byHand).toEqual([...capabilityPlaces, ...Object.keys(family), REGISTRY, BOUNDS].sort());
    expect(Object.keys(family).sort()).toEqual([
      expect.stringMatching(/^store\/migrations\/\d{4}-signals\.ts$/),
      'store/signals.ts',
      'test/journeys/signals.ts',
      'test/tools/signals/signal-create.test.ts',
      'test/tools/signals/signal-list.test.ts',
      'tools/storefront/signals/index.ts',
      'tools/storefront/signals/reach.ts',
      'tools/storefront/signals/schema.ts',
      'tools/storefront/signals/signal-create.ts',
      'tools/storefront/signals/signal-list.ts',
    ]);
  });

  test(
    'has all that follows from its definitions generated, and nothing else of it changed',
    async () => {
      await pass(`npx biome check --write ${byHand.join(' ')}`);
      await pass('npm run generate');
      await pass('npx vitest run test/contract', { UPDATE_CONTRACT: '1' });

      expect(changedFiles(root)).toEqual([...byHand, ...GENERATED, ...CONTRACT].sort());
    },
    5 * MINUTES,
  );

  test('passes npm run check', () => pass('npm run check'), 5 * MINUTES);

  test('passes npm test', () => pass('npm test'), 30 * MINUTES);
});
