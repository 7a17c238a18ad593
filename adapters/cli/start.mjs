// `npm start`: makes a fresh clone ready, then serves from this same process.
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, prepare, service } from './prepare.mjs';

const LOOK_FOR_NPM_MS = 500;

if (process.env.npm_lifecycle_event !== undefined) endWithNpm();
await prepare();
// Node 22 can keep what it compiled for the next start.
module.enableCompileCache?.(join(bundle, 'compiled'));
await import(pathToFileURL(service).href);

// A signal to npm ends npm and the shell between, and never reaches this process: so it looks for them.
function endWithNpm() {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_FOR_NPM_MS).unref();
}
