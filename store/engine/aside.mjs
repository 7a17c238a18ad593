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

/**
 * What is quick is answered first, and told before anything begins that may take long: nobody waits for that. Each
 * organization has so much of the thread as answers that are told together, or one query that takes longer; what it
 * asks beyond that is handed back.
 */
parentPort?.on('message', (queries) => {
  const teller = newTeller();
  for (const asked of quickestFirst(turnsOf(queries))) takeTurn(asked, teller);
  teller.tell();
});

function newTeller() {
  let answers = [];
  let since = performance.now();
  const tell = () => {
    if (answers.length > 0) parentPort?.postMessage(answers);
    answers = [];
    since = performance.now();
  };
  return { tell, add: (made) => answers.push(made), isDue: () => performance.now() - since >= TOGETHER_MS };
}

function takeTurn([first, ...others], teller) {
  const began = performance.now();
  answerInTurn(first, teller);
  for (const one of others) {
    const isOver = one.expected >= TOGETHER_MS || performance.now() - began >= TOGETHER_MS;
    if (isOver) teller.add({ id: one.query.id, isLeft: true });
    else answerInTurn(one, teller);
  }
}

function answerInTurn({ query, expected }, { tell, add, isDue }) {
  if (expected >= TOGETHER_MS) tell();
  add(answer(query));
  if (isDue()) tell();
}

/** What each organization asks: what was handed back before, then what is quickest. */
function turnsOf(queries) {
  const turns = new Map();
  for (const query of queries) {
    const own = turns.get(query.organizationId) ?? [];
    turns.set(query.organizationId, own);
    own.push({ query, expected: expectedOf(query) });
  }
  return [...turns.values()].map((own) =>
    own.sort((one, other) => other.query.again - one.query.again || placeOf(one) - placeOf(other)),
  );
}

/** What was handed back stays in its order. */
function placeOf({ query, expected }) {
  return query.again ? 0 : expected;
}

function quickestFirst(turns) {
  return turns.sort(([one], [other]) => one.expected - other.expected);
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
