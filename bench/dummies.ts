/**
 * Writes a registry of dummy capabilities into a scratch copy of the project, to measure how `npm test` grows:
 * `npx tsx bench/dummies.ts <empty folder> [families]`, five capabilities each. `bench/growth.ts` measures with it.
 */
import { packageRoot } from '../adapters/settings/package-root.ts';
import { edit, familyFiles, nextMigration, register } from '../test/growth/family.ts';
import { copyProject, runIn, writeFiles } from '../test/growth/project.ts';
import type { Subject } from '../test/growth/subject.ts';

/** A list shows 60 tools at the most on either surface, so that each takes some. */
const NOUNS = 'almanac bonnet candle dinghy easel ferret gazebo hammock inkwell jigsaw'.split(' ');
const ON_STOREFRONT = new Set(['hammock', 'inkwell', 'jigsaw']);

const [folder, count = String(NOUNS.length)] = process.argv.slice(2);
if (folder === undefined) throw new Error('Give the folder that the copy goes into.');

copyProject(packageRoot, folder);
const first = nextMigration(folder);
const subjects = NOUNS.slice(0, Number(count)).map((noun, index) => subjectOf(noun, first + index));
for (const subject of subjects) {
  writeFiles(folder, familyFiles(subject));
  register(folder, subject);
}
// Nobody agreed on these addresses.
edit(folder, 'test/contract/agreed.test.ts', (text) =>
  text.replace(/(const OWN_ADDRESSES = \[[^\]]*?),?\s*\];/, `$1${addresses(subjects)}].sort();`),
);
for (const [command, env] of [
  ['npx biome check --write --colors=off .', {}],
  ['npm run generate', {}],
  ['npx vitest run test/contract', { UPDATE_CONTRACT: '1' }],
] as const) {
  const { code, printed } = await runIn(folder, command, env);
  process.stdout.write(`${command} ended with ${code}.\n${code === 0 ? '' : printed}`);
  if (code !== 0) process.exitCode = 1;
}

function subjectOf(noun: string, migration: number): Subject {
  const sells = ON_STOREFRONT.has(noun);
  return {
    surface: sells ? 'storefront' : 'buyer',
    noun,
    path: `/${noun}s`,
    operations: ['create', 'get', 'list', sells ? 'execute' : 'update', 'delete'],
    migration,
  };
}

function addresses(all: readonly Subject[]): string {
  const served = all.flatMap(({ surface, path }) => {
    const base = `/api/v2/${surface}${path}`;
    const change = surface === 'buyer' ? `PUT ${base}/{}` : `POST ${base}/{}/execute`;
    return [`POST ${base}`, `GET ${base}/{}`, `GET ${base}`, change, `DELETE ${base}/{}`];
  });
  return served.map((address) => `, '${address}'`).join('');
}
