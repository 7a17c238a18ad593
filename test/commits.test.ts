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

/** When commits are made, where that matters; at the time of the machine otherwise. */
let now: string | undefined;
afterEach(() => {
  now = undefined;
});

/** A child that knows nothing of the repository or the person that runs the tests. */
function run(folder: string, command: string, ...args: string[]) {
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: tmpdir(),
    ...(now === undefined ? {} : { GIT_COMMITTER_DATE: now }),
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

    commit(folder, 'docs: tell of the changes', 'CHANGELOG.md');

    expect(check(folder)).toEqual(passes);
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
