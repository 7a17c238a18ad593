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

parentPort?.on('message', (queries) => {
  let answers = [];
  let since = performance.now();
  for (const query of queries) {
    answers.push(answer(query));
    if (performance.now() - since < TOGETHER_MS) continue;
    parentPort?.postMessage(answers);
    answers = [];
    since = performance.now();
  }
  if (answers.length > 0) parentPort?.postMessage(answers);
});

function answer({ id, sql, parameters }) {
  try {
    const { statement, columns } = prepare(sql);
    return { id, columns, rows: statement.all(parameters) };
  } catch (error) {
    return { id, message: error.message, code: String(error.code) };
  }
}

function prepare(sql) {
  const known = kept.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql).raw(true);
  const made = { statement, columns: statement.columns().map(({ name }) => name) };
  kept.set(sql, made);
  return made;
}
