// Reads that may take long, in a thread of their own: what it holds up is itself and never the event loop.
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

const database = new SqliteDatabase(workerData.path, { readonly: true });
for (const pragma of workerData.pragmas) database.pragma(pragma);

parentPort?.on('message', ({ id, sql, parameters }) => {
  parentPort?.postMessage({ id, ...answer(sql, parameters) });
});

function answer(sql, parameters) {
  try {
    const statement = database.prepare(sql).raw(true);
    return { columns: statement.columns().map(({ name }) => name), rows: statement.all(parameters) };
  } catch (error) {
    return { message: error.message, code: String(error.code) };
  }
}
