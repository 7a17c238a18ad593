// Checks the commits since the one that brought this file: what each says, and that a change of the contract is
// in CHANGELOG.md. Older history, and branches that began before it, are exempt; where there is no history (a
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

const FIELDS = '%x1e%H%x1f%P%x1f%s%x1f%(trailers:key=Changelog,valueonly,separator=%x20)%x1f';

/** Every commit after the first that stands on it. */
function commitsAfter(first) {
  const log = git('log', '--ancestry-path', '--name-only', `--format=${FIELDS}`, `${first}..HEAD`) ?? '';
  return log
    .split('\x1e')
    .slice(1)
    .map((record) => {
      const [hash, parents, subject, unnoticed, files] = record.split('\x1f');
      return {
        hash,
        parents: parents.split(' '),
        subject,
        unnoticed: unnoticed.trim() !== '',
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

/** A change of the contract is told in its own commit or a later one, or says why nobody can notice it. */
function isUntold({ parents, files, unnoticed }) {
  if (parents.length > 1 || unnoticed || !files.some((file) => CONTRACT.test(file))) return false;
  return git('diff', '--name-only', parents[0], 'HEAD', '--', 'CHANGELOG.md') === '';
}

const first = beginning();
const problems = (first === undefined ? [] : commitsAfter(first)).flatMap((commit) => {
  const name = `${commit.hash.slice(0, 9)} ${commit.subject}`;
  const fault = faultOf(commit);
  return [
    ...(fault === undefined ? [] : [`${name}\n  ${fault}.`]),
    ...(isUntold(commit) ? [`${name}\n  changes the contract: add a line to CHANGELOG.md.`] : []),
  ];
});
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\nCONTRIBUTING.md, Commits, says how.\n`);
  process.exitCode = 1;
}
