// Checks the commits since the one that brought this file: what each says, and that a change of the contract is
// in CHANGELOG.md, or why it need not be. Older history, and branches that began before it, are exempt; where there
// is no history (a shallow clone, a folder without git) there is nothing to check. What was asked for later is asked
// of what was written later, by the date of the author, which a rebase leaves as it is.
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
/** Commits from then on have one idea by their words, an entry of their own, and nothing else in its place but this. */
const ONE_EACH_SINCE = Date.parse('2026-11-28T03:00:00Z') / 1_000;
const REASONED = /^none, \p{L}/u;

/** Verbs that begin subjects, and are nothing else after an “and”. */
const VERBS =
  'accept|add|advise|ask|believe|bind|bring|carry|choose|compare|compile|confine|decide|declare|deliver|describe|do|' +
  'drop|enter|execute|expect|explain|fix|follow|forget|generate|give|go|have|hear|hide|hold|judge|keep|know|leave|let|' +
  'make|mend|narrow|prove|publish|reckon|refine|refuse|remember|remove|rename|replace|say|see|select|sell|send|serve|' +
  'settle|show|store|suggest|take|tell|update|wait|want|warn|weigh|withdraw|wrap|write';
/** Verbs that name a thing or tell of one as well: with an object behind them they are an order. */
const NOUNS_TOO =
  'account|answer|archive|attack|begin|bound|break|build|call|change|check|claim|clean|close|complete|count|cut|draw|' +
  'empty|end|file|find|flag|format|free|guard|guide|hand|hash|import|index|kill|lead|link|list|load|log|look|' +
  'measure|merge|move|name|note|offer|open|order|page|pass|pause|plant|put|rank|read|record|release|run|screen|set|' +
  'share|ship|sign|skip|spend|start|stop|target|test|trace|type|use|walk|watch';
const OBJECTS =
  'an?|the|this|that|these|those|its?|them|their|what|which|whom?|whose|where|whether|how|when|why|every|each|all|any|' +
  'both|nothing|none|no|only|one|once';
const ANOTHER_IDEA = new RegExp(`, and | and (?:(?:${VERBS})\\b|(?:${NOUNS_TOO}) (?:${OBJECTS})\\b)`);

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

const FIELDS = '%x1e%H%x1f%P%x1f%at%x1f%s%x1f%(trailers:key=Changelog,valueonly,separator=%x20)%x1f';

/** Every commit after the first that stands on it. */
function commitsAfter(first) {
  const log = git('log', '--ancestry-path', '--name-only', `--format=${FIELDS}`, `${first}..HEAD`) ?? '';
  return log
    .split('\x1e')
    .slice(1)
    .map((record) => {
      const [hash, parents, written, subject, unnoticed, files] = record.split('\x1f');
      return {
        hash,
        parents: parents.split(' '),
        written: Number(written),
        subject,
        unnoticed: unnoticed.trim(),
        files: files.split('\n'),
      };
    });
}

function faultOf({ subject, parents, written }) {
  if (parents.length > 1)
    return /^Merge(?:: | )\S/.test(subject) ? undefined : 'a merge begins with “Merge: ”';
  const said = SUBJECT.exec(subject)?.[1];
  if (said === undefined) return `begin with a type (${TYPES.replaceAll('|', ', ')}) and “: ”`;
  if (subject.length > SUBJECT_MAX) return `${subject.length} characters, ${SUBJECT_MAX} at most`;
  if (isSeveral(said, written)) return 'more than one idea: make it several commits, or say what both are';
  if (NO_IMPERATIVE.test(said))
    return 'say what the commit does, as an order in lower case: “keep”, not “Keeps”';
  return undefined;
}

function isSeveral(said, written) {
  return said.includes(';') || (written >= ONE_EACH_SINCE && ANOTHER_IDEA.test(said));
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

/**
 * How many entries came since, to what is not released or was not then, counted no further than is asked for. A line
 * that moved or was corrected is none.
 */
function newEntries(parent, enough) {
  const before = entriesOf(git('show', `${parent}:${CHANGELOG}`) ?? '');
  const since = [...changelogNow()].filter(([version]) => version === 'Unreleased' || !before.has(version));
  const now = since.flatMap(([, entries]) => entries);
  const known = [...before.values()].flat();
  const gone = known.filter((entry) => !now.includes(entry));
  let count = 0;
  for (const entry of now) {
    if (count === enough) break;
    if (!(known.includes(entry) || gone.some((formerly) => isReworded(entry, formerly)))) count += 1;
  }
  return count;
}

/** Whether a commit changes what clients rely on, and does not say why nobody can notice it. */
function owesEntry({ parents, files, written, unnoticed }) {
  const isExcused = written >= ONE_EACH_SINCE ? REASONED.test(unnoticed) : unnoticed !== '';
  return parents.length === 1 && !isExcused && files.some((file) => CONTRACT.test(file));
}

/**
 * A change of the contract is told in its own commit or a later one: since what was before it, as many entries came
 * as changes that owe one. Those of before the day that asks for this may share one.
 */
function untold(commit, owing) {
  if (!owesEntry(commit)) return undefined;
  const [parent] = commit.parents;
  if (commit.written < ONE_EACH_SINCE) return newEntries(parent, 1) === 0 ? ENTRY : undefined;
  const since = new Set(git('rev-list', `${parent}..HEAD`).split('\n'));
  const changes = owing.filter(({ hash }) => since.has(hash)).length;
  const entries = newEntries(parent, changes);
  if (entries === changes) return undefined;
  return `${ENTRY} Changes since what was before it: ${changes}, new entries: ${entries}.`;
}

const ENTRY =
  'changes the contract: add an entry of its own to Unreleased of CHANGELOG.md; to correct one is not enough.';

/** That nobody can notice a change is easily said: a reason is what can be held against it. */
function isUnreasoned({ written, unnoticed }) {
  if (written >= ONE_EACH_SINCE) return unnoticed !== '' && !REASONED.test(unnoticed);
  return written >= REASONED_SINCE && BARE.test(unnoticed);
}

const first = beginning();
const commits = first === undefined ? [] : commitsAfter(first);
const owing = commits.filter((commit) => commit.written >= ONE_EACH_SINCE && owesEntry(commit));
const problems = commits.flatMap((commit) => {
  const name = `${commit.hash.slice(0, 9)} ${commit.subject}`;
  const fault = faultOf(commit);
  const owed = untold(commit, owing);
  return [
    ...(fault === undefined ? [] : [`${name}\n  ${fault}.`]),
    ...(isUnreasoned(commit)
      ? [`${name}\n  says “Changelog: none” without why: add it, “Changelog: none, the files only moved”.`]
      : []),
    ...(owed === undefined ? [] : [`${name}\n  ${owed}`]),
  ];
});
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\nCONTRIBUTING.md, Commits, says how.\n`);
  process.exitCode = 1;
}
