// Reads that may take long, in a thread of their own: what it holds up is itself and never the event loop.
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

const STATEMENTS_KEPT = 100;
/** Answers of so many milliseconds are told together: to tell each would take longer than to find most of them. */
const TOGETHER_MS = 1;

const database = new SqliteDatabase(workerData.path, { readonly: true });
for (const pragma of workerData.pragmas) database.pragma(pragma);
const kept = new LRUCache({ max: STATEMENTS_KEPT });

/** What is quick is answered first, and told before anything begins that may take long: nobody waits for that. */
parentPort?.on('message', (queries) => {
  let answers = [];
  let since = performance.now();
  const tell = () => {
    if (answers.length > 0) parentPort?.postMessage(answers);
    answers = [];
    since = performance.now();
  };
  for (const { query, expected } of quickestFirst(queries)) {
    if (expected >= TOGETHER_MS) tell();
    answers.push(answer(query));
    if (performance.now() - since >= TOGETHER_MS) tell();
  }
  tell();
});

function quickestFirst(queries) {
  return queries
    .map((query) => ({ query, expected: expectedOf(query) }))
    .sort((one, other) => one.expected - other.expected);
}

/** How long a query may take, in milliseconds, as its statement did before; a new one may be among the slow ones. */
function expectedOf({ sql }) {
  return kept.peek(sql)?.took ?? TOGETHER_MS;
}

function answer({ id, sql, parameters }) {
  try {
    const known = prepare(sql);
    const began = performance.now();
    const rows = known.statement.all(parameters);
    // One that was slow for somebody is slow again for a while, whoever asks.
    known.took = Math.max(performance.now() - began, known.took / 2);
    return { id, columns: known.columns, rows };
  } catch (error) {
    return { id, message: error.message, code: String(error.code) };
  }
}

function prepare(sql) {
  const known = kept.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql).raw(true);
  const made = { statement, columns: statement.columns().map(({ name }) => name), took: 0 };
  kept.set(sql, made);
  return made;
}
