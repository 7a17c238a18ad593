// One burst of load, in a process of its own:
// node --import tsx bench/load-worker.mjs <options of autocannon, as JSON> <process of the server>
import autocannon from 'autocannon';
import { cpuMsOf } from './cpu-time.ts';

const [options = '{}', server = ''] = process.argv.slice(2);
let isOver = false;

// The load never sleeps. On a virtual machine the server would else pay, with every answer, for waking the
// other core, which is most of what its system calls cost and nothing of what is measured here.
const stayAwake = () => {
  if (!isOver) setImmediate(stayAwake);
};

stayAwake();
const before = cpuMsOf(server);
const report = await autocannon(JSON.parse(options));
// At once: a slow server is still at work on requests that nobody counts any more.
const cpuMs = cpuMsOf(server) - before;
isOver = true;
process.stdout.write(JSON.stringify({ ...report, cpuMs }));
