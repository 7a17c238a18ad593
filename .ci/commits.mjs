// Checks the commits since the one that brought this file: what each says, and that a change of the contract is
// in CHANGELOG.md, or why it need not be. Older history, and branches that began before it, are exempt; where there is no history (a
// shallow clone, a folder without git) there is nothing to check.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const THIS_FILE = '.ci/commits.mjs';
const SUBJECT_MAX = 100;
const TYPES = 'feat|fix|perf|refactor|test|docs|build|ci|chore|style|revert';
const SUBJECT = new RegExp(`^(?:${TYPES})(?:\\([a-z0-9-]+\\))?!?: (\\S.*)$`);
/** How a subject begins that tells of something instead of doing it, as far as a first word can show. */
const NO_IMPERATIVE =
  /^(?:[A-Z]|(?:an?|the|it|this|these|we)\b|(?:add|remov|chang|mov|us|mak|renam|updat)(?:e?s|ed|ing)\b|fix(?:es|ed|ing)\b)/;
/**
 * What stands in place of an entry says why there is none. Commits that were made before this moment may say a bare
 * “none”, of which the history is full: nobody can say today what each of them meant.
 */
const REASONED_SINCE = Date.parse('2026-11-27T14:00:00Z') / 1_000;
const BARE = /^none\b\W*$/i;

/** What clients rely on. */
const CONTRACT = /^(?:test\/contract\/(?:tools|records)\/|docs\/(?:openapi\.json|settings\.md)$)/;

/** What git prints; undefined where it fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1_048_576,
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** The commit that brought this file; undefined where the history does not tell. */
function beginning() {
  const top = git('rev-parse', '--show-toplevel');
  // A copy inside a folder of somebody else's has no history of its own.
  if (top === undefined || realpathSync(top) !== realpathSync(root)) return undefined;
  if (git('rev-parse', '--is-shallow-repository') !== 'false') return undefined;
  return git('log', '--diff-filter=A', '--format=%H', '--', THIS_FILE)?.split('\n').at(-1) || undefined;
}

const FIELDS = '%x1e%H%x1f%P%x1f%ct%x1f%s%x1f%(trailers:key=Changelog,valueonly,separator=%x20)%x1f';

/** Every commit after the first that stands on it. */
function commitsAfter(first) {
  const log = git('log', '--ancestry-path', '--name-only', `--format=${FIELDS}`, `${first}..HEAD`) ?? '';
  return log
    .split('\x1e')
    .slice(1)
    .map((record) => {
      const [hash, parents, made, subject, unnoticed, files] = record.split('\x1f');
      return {
        hash,
        parents: parents.split(' '),
        made: Number(made),
        subject,
        unnoticed: unnoticed.trim(),
        files: files.split('\n'),
      };
    });
}

function faultOf({ subject, parents }) {
  if (parents.length > 1)
    return /^Merge(?:: | )\S/.test(subject) ? undefined : 'a merge begins with “Merge: ”';
  const said = SUBJECT.exec(subject)?.[1];
  if (said === undefined) return `begin with a type (${TYPES.replaceAll('|', ', ')}) and “: ”`;
  if (subject.length > SUBJECT_MAX) return `${subject.length} characters, ${SUBJECT_MAX} at most`;
  if (said.includes(';')) return 'more than one idea: make it several commits';
  if (NO_IMPERATIVE.test(said))
    return 'say what the commit does, as an order in lower case: “keep”, not “Keeps”';
  return undefined;
}

const CHANGELOG = 'CHANGELOG.md';

/** The entries of a changelog by the version they stand under. */
function entriesOf(text) {
  const versions = new Map();
  for (const part of text.split(/^## /m).slice(1)) {
    const [version, ...lines] = part.split('\n');
    const entries = lines.join('\n').split(/^- /m).slice(1);
    versions.set(
      version.trim(),
      entries.map((entry) => entry.trim()),
    );
  }
  return versions;
}

/** As it is now; asked for once. */
let changelog;
function changelogNow() {
  changelog ??= entriesOf(git('show', `HEAD:${CHANGELOG}`) ?? '');
  return changelog;
}

/** Whether an entry is another one in other words: most of them stayed. */
function isReworded(entry, other) {
  const [words, others] = [entry, other].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu)));
  const kept = [...words].filter((word) => others.has(word)).length;
  return kept > Math.max(words.size, others.size) / 2;
}

/** Whether an entry came since, to what is not released or was not then. A line that moved or was corrected is none. */
function hasNewEntry(parent) {
  const before = entriesOf(git('show', `${parent}:${CHANGELOG}`) ?? '');
  const since = [...changelogNow()].filter(([version]) => version === 'Unreleased' || !before.has(version));
  const now = since.flatMap(([, entries]) => entries);
  const known = [...before.values()].flat();
  const gone = known.filter((entry) => !now.includes(entry));
  return now.some(
    (entry) => !(known.includes(entry) || gone.some((formerly) => isReworded(entry, formerly))),
  );
}

/** A change of the contract is told in its own commit or a later one, or says why nobody can notice it. */
function isUntold({ parents, files, unnoticed }) {
  if (parents.length > 1 || unnoticed !== '' || !files.some((file) => CONTRACT.test(file))) return false;
  return !hasNewEntry(parents[0]);
}

/** That nobody can notice a change is easily said: a reason is what can be held against it. */
function isUnreasoned({ made, unnoticed }) {
  return made >= REASONED_SINCE && BARE.test(unnoticed);
}

const first = beginning();
const problems = (first === undefined ? [] : commitsAfter(first)).flatMap((commit) => {
  const name = `${commit.hash.slice(0, 9)} ${commit.subject}`;
  const fault = faultOf(commit);
  return [
    ...(fault === undefined ? [] : [`${name}\n  ${fault}.`]),
    ...(isUnreasoned(commit)
      ? [`${name}\n  says “Changelog: none” without why: add it, “Changelog: none, the files only moved”.`]
      : []),
    ...(isUntold(commit)
      ? [
          `${name}\n  changes the contract: add an entry to Unreleased of CHANGELOG.md; to correct one is not enough.`,
        ]
      : []),
  ];
});
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\nCONTRIBUTING.md, Commits, says how.\n`);
  process.exitCode = 1;
}
