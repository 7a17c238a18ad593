import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeFiles } from './store-files.ts';
import { type Files, namesOf, type Subject } from './subject.ts';
import { testFiles } from './test-files.ts';
import { toolFiles } from './tool-files.ts';

/** Where a new family has its line. */
export const REGISTRY = 'tools/registry.ts';
/** Where it says what bounds its table. */
export const BOUNDS = 'test/rules/bounded-tables.test.ts';

/** Every file of a family that is new, as somebody would write it who follows CONTRIBUTING. */
export function familyFiles(subject: Subject): Files {
  const names = namesOf(subject);
  return { ...storeFiles(names), ...toolFiles(names), ...testFiles(names) };
}

/** The number of the next migration of a project. */
export function nextMigration(root: string): number {
  const numbers = readdirSync(join(root, 'store/migrations')).map((name) => Number(name.slice(0, 4)) || 0);
  return Math.max(...numbers) + 1;
}

/** Names a new family in the registry of a project, with the import that it needs; says what bounds its table. */
export function register(root: string, { surface, noun }: Pick<Subject, 'surface' | 'noun'>): void {
  const name = `${noun}s`;
  edit(root, REGISTRY, (text) =>
    text
      .replace('import ', `import { ${name} } from './${surface}/${name}/index.ts';\nimport `)
      .replace(/(const subjects: readonly Family\[\] = \[[^\]]*)\]/, `$1  ${name},\n]`),
  );
  edit(root, BOUNDS, (text) => withBound(text, name));
}

/** The bounds of tables stand in the order of their names. */
function withBound(text: string, table: string): string {
  const begins = text.indexOf('const bounds');
  const next = [...text.matchAll(/^ {2}(\w+): \{/gm)].find(
    ({ index, 1: other = '' }) => index > begins && other > table,
  );
  const at = next?.index ?? text.length;
  return `${text.slice(0, at)}  ${table}: { within: ['customers', 'as many as somebody makes'] },\n${text.slice(at)}`;
}

/** Names a new capability in the index of its family: the import, and its place in the list. */
export function addToIndex(
  root: string,
  index: string,
  { constant, file }: Record<'constant' | 'file', string>,
) {
  edit(root, index, (text) =>
    text
      .replace('import ', `import { ${constant} } from './${file}';\nimport `)
      .replace(/(tools: \[[^\]]*?),?\s*\]/, `$1, ${constant}]`),
  );
}

/** Changes a file, and fails where there was nothing to change. */
export function edit(root: string, path: string, change: (text: string) => string): void {
  const before = readFileSync(join(root, path), 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${path} does not look as it was expected to.`);
  writeFileSync(join(root, path), after);
}
