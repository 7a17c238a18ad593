import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../adapters/settings/package-root.ts';

const CHECK = join(packageRoot, '.ci/commits.mjs');
const CONTRACT = 'test/contract/tools/ship-get.json';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-commits-'));
  folders.push(folder);
  return folder;
}

/** When commits are made: after every rule began, where a test says nothing else. */
const TODAY = '2026-12-24T12:00:00Z';
let now = TODAY;
/** When they came to stand where they stand, where a rebase moved them. */
let committed: string | undefined;
afterEach(() => {
  now = TODAY;
  committed = undefined;
});

/** A child that knows nothing of the repository or the person that runs the tests. */
function run(folder: string, command: string, ...args: string[]) {
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: tmpdir(),
    GIT_AUTHOR_DATE: now,
    GIT_COMMITTER_DATE: committed ?? now,
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'Ann'],
        [`GIT_${who}_EMAIL`, 'ann@example.com'],
      ]),
    ),
  };
  return spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
}

function git(folder: string, ...args: string[]): void {
  const { status, stderr } = run(folder, 'git', ...args);
  if (status !== 0) throw new Error(stderr);
}

let writes = 0;

/** Changes the files, every time to something new, and commits them. The changelog gets an entry. */
function commit(folder: string, message: string, ...files: string[]): void {
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writes += 1;
    if (file !== 'CHANGELOG.md') writeFileSync(join(folder, file), `${writes}\n`);
    else writeLog(folder, [`Ship ${writes} sails.`, ...entriesOf(folder)]);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
}

const RELEASED = '\n## 0.1.0\n\n- Ships.\n';

function writeLog(folder: string, entries: readonly string[], released = RELEASED): void {
  const list = entries.map((entry) => `- ${entry}\n`).join('');
  writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n## Unreleased\n\n${list}${released}`);
}

/** What the changelog says of what is not released. */
function entriesOf(folder: string): string[] {
  const path = join(folder, 'CHANGELOG.md');
  const [text = ''] = existsSync(path) ? readFileSync(path, 'utf8').split('\n## 0.1.0') : [];
  return Array.from(text.matchAll(/^- (.*)$/gm), ([, entry = '']) => entry);
}

/** A repository with history from before the rule, and the commit that brought it. */
function repository(): string {
  const folder = newFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  commit(folder, 'Whatever; was said before', CONTRACT, 'CHANGELOG.md');
  commit(folder, 'ci: check commits', '.ci/commits.mjs');
  return folder;
}

function check(folder: string) {
  const { status, stderr } = run(folder, process.execPath, CHECK, folder);
  return { status, stderr };
}

const passes = { status: 0, stderr: '' };
const refuses = (...words: string[]) => ({
  status: 1,
  stderr: expect.stringMatching(new RegExp(words.join('[^]*'))),
});

describe('a subject', () => {
  test('says of what type the commit is, and what it does', () => {
    const folder = repository();
    commit(folder, 'feat: sell by the hour');
    commit(folder, 'fix(rest): answer HEAD without a body');
    commit(folder, 'refactor(store)!: keep prices as integers');
    commit(folder, `docs: ${'x'.repeat(94)}`);

    expect(check(folder)).toEqual(passes);
  });

  test('is refused with what is wrong with it', () => {
    const folder = repository();
    const faults = [
      ['sell by the hour', 'begin with a type'],
      ['feature: sell by the hour', 'begin with a type'],
      ['feat:sell by the hour', 'begin with a type'],
      [`docs: ${'x'.repeat(95)}`, '101 characters, 100 at most'],
      ['feat: sell by the hour; buy by the day', 'more than one idea'],
      ['feat: Sell by the hour', 'as an order'],
      ['feat: added hours', 'as an order'],
      ['fix: fixes hours', 'as an order'],
      ['perf: the hours are remembered', 'as an order'],
      ['Merge: hours', 'begin with a type'],
    ] as const;
    for (const [subject] of faults) commit(folder, subject);

    const { status, stderr } = check(folder);

    expect(status).toBe(1);
    const told = stderr.split('\n').slice(0, -2);
    expect(told).toHaveLength(2 * faults.length);
    for (const [index, [subject, fault]] of faults.toReversed().entries()) {
      expect(told[2 * index]).toMatch(new RegExp(`^[0-9a-f]{9} ${subject}$`));
      expect(told[2 * index + 1]).toContain(fault);
    }
  });

  test.each([
    'make the field longer, and rename it',
    'keep the new reports and drop the old ones',
    'rename the field and the column, and its index',
    'name ships and refuse boats',
    'find the ship and name what it carries',
    'read the log and order nothing twice',
    'read and log the harbour',
  ])('that has two ideas is refused, since the day that asks for it: %j', (said) => {
    const folder = repository();
    now = '2026-11-28T02:59:59Z';
    commit(folder, `fix: ${said}`);
    expect(check(folder)).toEqual(passes);

    now = '2026-11-28T03:00:00Z';
    commit(folder, `fix(ships): ${said}`);

    expect(check(folder)).toEqual(refuses(`fix\\(ships\\): ${said}\n.*more than one idea`));
  });

  test('may join nouns, and what names a thing as well as it orders one', () => {
    const folder = repository();
    for (const said of [
      'rename fields and columns',
      'compare the id and name of a ship',
      'say what a list and order are',
      'refuse what was taken and put away',
      'begin with labels and open fields',
      'keep the order, name and page of a list',
      'count lists and page numbers',
    ])
      commit(folder, `fix: ${said}`);

    expect(check(folder)).toEqual(passes);
  });

  test('is held to the rules of the day it was written, wherever a rebase moved it', () => {
    const folder = repository();
    now = '2026-11-28T02:59:59Z';
    committed = TODAY;
    commit(folder, 'fix: name ships, and refuse boats\n\nChangelog: yes');

    expect(check(folder)).toEqual(passes);
  });

  test('of a merge begins with Merge, and what was merged from before the rule is exempt', () => {
    const folder = repository();
    git(folder, 'checkout', '--quiet', '-b', 'older', 'HEAD~1');
    commit(folder, 'Something older; and more', CONTRACT);
    git(folder, 'checkout', '--quiet', 'main');
    git(folder, 'merge', '--quiet', '--no-ff', '--message=Merge: what was begun before', 'older');
    expect(check(folder)).toEqual(passes);

    git(folder, 'checkout', '--quiet', '-b', 'newer', 'HEAD~1');
    commit(folder, 'Something newer');
    git(folder, 'checkout', '--quiet', 'main');
    git(folder, 'merge', '--quiet', '--no-ff', '--message=take it in', 'newer');

    expect(check(folder)).toEqual(refuses('take it in\n', 'a merge begins', 'Something newer\n'));
  });
});

describe('a change of the contract', () => {
  test('needs an entry in the changelog, in whichever of its files it is', () => {
    const folder = repository();
    const files = [CONTRACT, 'test/contract/records/Ship.json', 'docs/openapi.json', 'docs/settings.md'];
    for (const file of files) commit(folder, `feat: change ${file}`, file);
    expect(check(folder)).toEqual(
      refuses(...files.toReversed().map((file) => `feat: change ${file}\n.*CHANGELOG`)),
    );

    for (const file of files) commit(folder, `docs: tell of ${file}`, 'CHANGELOG.md');

    expect(check(folder)).toEqual(passes);
  });

  test('needs an entry of its own, which no other change is told by', () => {
    const folder = repository();
    commit(folder, 'feat: name ships', CONTRACT);
    commit(folder, 'feat: rename ships', CONTRACT);
    commit(folder, 'docs: tell of ships', 'CHANGELOG.md');

    expect(check(folder)).toEqual(refuses('feat: name ships\n.*an entry of its own.*2.*1'));
    expect(check(folder).stderr).not.toContain('feat: rename ships');

    commit(folder, 'docs: tell of their new names', 'CHANGELOG.md');

    expect(check(folder)).toEqual(passes);
  });

  test('is not told by entries of before it, however many there are', () => {
    const folder = repository();
    commit(folder, 'feat: name ships', CONTRACT, 'CHANGELOG.md');
    commit(folder, 'docs: tell more of ships', 'CHANGELOG.md');
    commit(folder, 'feat: rename ships', CONTRACT);

    expect(check(folder)).toEqual(refuses('feat: rename ships\n'));
    expect(check(folder).stderr).not.toContain('feat: name ships');
  });

  test('needs an entry of its own on each of two branches that meet', () => {
    const folder = repository();
    git(folder, 'checkout', '--quiet', '-b', 'other');
    commit(folder, 'feat: rig ships', 'docs/settings.md');
    git(folder, 'checkout', '--quiet', 'main');
    commit(folder, 'feat: name ships', CONTRACT, 'CHANGELOG.md');
    git(folder, 'merge', '--quiet', '--no-ff', '--message=Merge: rigs', 'other');

    expect(check(folder)).toEqual(refuses('an entry of its own'));

    commit(folder, 'docs: tell of rigs', 'CHANGELOG.md');

    expect(check(folder)).toEqual(passes);
  });

  test('of before the day that asks for entries of their own may share one', () => {
    const folder = repository();
    now = '2026-11-28T02:59:59Z';
    commit(folder, 'feat: name ships', CONTRACT);
    commit(folder, 'feat: rename ships', CONTRACT);
    commit(folder, 'docs: tell of ships', 'CHANGELOG.md');

    expect(check(folder)).toEqual(passes);
  });

  test('is not excused by a last line that gives no reason', () => {
    const folder = repository();
    for (const said of ['yes', 'see above', 'nothing changed', 'none needed', 'none,'])
      commit(folder, `feat: name ships by ${said}\n\nChangelog: ${said}`, CONTRACT);

    const { status, stderr } = check(folder);

    expect(status).toBe(1);
    expect(stderr.match(/Changelog: none, /g)).toHaveLength(5);
    expect(stderr.match(/an entry of its own/g)).toHaveLength(5);
  });

  test('is not told by an entry that was corrected, moved, dropped or put under what is released', () => {
    const folder = repository();
    const [own, shallow, deep] = ['A fleet has ships of its own.', 'A ship is shallow.', 'The sea is deep.'];
    writeLog(folder, [own, shallow, deep]);
    commit(folder, 'docs: tell of ships');
    const edits: readonly (() => void)[] = [
      () => writeLog(folder, ['A fleet has two ships of its own.', shallow, deep]),
      () => writeLog(folder, [deep, shallow, own]),
      () => writeLog(folder, [shallow, deep]),
      () => writeLog(folder, [own, shallow, deep], `${RELEASED}- Boats.\n`),
      () => writeLog(folder, [own, shallow, deep], `\n${RELEASED}`),
    ];
    for (const [at, edit] of edits.entries()) {
      edit();
      commit(folder, `feat: change ship ${at}`, CONTRACT);
      expect(check(folder), `edit ${at}`).toEqual(refuses(`feat: change ship ${at}\n.*an entry`));
      git(folder, 'reset', '--quiet', '--hard', 'HEAD~1');
    }
  });

  test('stays told when its entry is corrected or released', () => {
    const folder = repository();
    const [own, shallow] = ['A fleet has ships of its own.', 'A ship is shallow.'];
    writeLog(folder, [own]);
    commit(folder, 'docs: tell of fleets');
    writeLog(folder, [shallow, own]);
    commit(folder, 'feat: name ships', CONTRACT);
    expect(check(folder)).toEqual(passes);

    writeLog(folder, ['A ship may be shallow.', own]);
    commit(folder, 'docs: say that not every ship is');
    expect(check(folder)).toEqual(passes);

    writeLog(folder, [], `\n## 0.2.0\n\n- ${shallow}\n- ${own}\n${RELEASED}`);
    commit(folder, 'chore: release ships');

    expect(check(folder)).toEqual(passes);
  });

  test('may be told in its own commit, and not in an earlier one', () => {
    const folder = repository();
    commit(folder, 'feat: name ships', CONTRACT, 'CHANGELOG.md');
    expect(check(folder)).toEqual(passes);

    commit(folder, 'feat: rename ships', CONTRACT);

    expect(check(folder)).toEqual(refuses('feat: rename ships\n'));
  });

  test('that no client can notice says why', () => {
    const folder = repository();
    commit(folder, 'test: split the contract\n\nChangelog: none, the files only moved', CONTRACT);

    expect(check(folder)).toEqual(passes);
  });

  test('that is said to need no entry says why, since the day that asks for it, whatever changed', () => {
    const folder = repository();
    now = '2026-11-27T13:59:59Z';
    commit(folder, 'test: split the contract\n\nChangelog: none', CONTRACT);
    expect(check(folder)).toEqual(passes);

    now = '2026-11-27T14:00:00Z';
    commit(folder, 'test: join the contract\n\nChangelog: none, its files only moved', CONTRACT);
    expect(check(folder)).toEqual(passes);
    commit(folder, 'test: sort the contract\n\nChangelog: none', CONTRACT);
    commit(folder, 'docs: explain ships\n\nChangelog: none.', 'docs/architecture.md');

    expect(check(folder)).toEqual(
      refuses('docs: explain ships\n.*without why', 'test: sort the contract\n.*without why'),
    );
  });

  test('is no change of other files', () => {
    const folder = repository();
    commit(folder, 'docs: explain ships', 'docs/architecture.md', 'test/contract/openapi.test.ts');

    expect(check(folder)).toEqual(passes);
  });
});

describe('without a history to check', () => {
  test('a folder without git passes', () => {
    expect(check(newFolder())).toEqual(passes);
  });

  test('a copy inside the repository of somebody else passes', () => {
    const folder = repository();
    commit(folder, 'Their own words');
    const copy = join(folder, 'copy');
    mkdirSync(copy);

    expect(check(folder)).toEqual(refuses('Their own words'));
    expect(check(copy)).toEqual(passes);
  });

  test('a shallow clone passes', () => {
    const folder = repository();
    commit(folder, 'Their own words');
    const clone = newFolder();
    git(clone, 'clone', '--quiet', '--depth=1', pathToFileURL(folder).href, '.');

    expect(check(clone)).toEqual(passes);
  });

  test('a repository from before the rule passes', () => {
    const folder = newFolder();
    git(folder, 'init', '--quiet');
    commit(folder, 'Their own words');

    expect(check(folder)).toEqual(passes);
  });
});
