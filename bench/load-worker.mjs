// One burst of load, in a process of its own: node bench/load-worker.mjs <options of autocannon, as JSON>
import autocannon from 'autocannon';

let isOver = false;

// The load never sleeps. On a virtual machine the server would else pay, with every answer, for waking the
// other core, which is most of what its system calls cost and nothing of what is measured here.
const stayAwake = () => {
  if (!isOver) setImmediate(stayAwake);
};

stayAwake();
const report = await autocannon(JSON.parse(process.argv[2] ?? '{}'));
isOver = true;
process.stdout.write(JSON.stringify(report));
