// Loaded before a service that was started with --expose-gc: writes the bytes of its heap that are in use, once
// nothing is left that could be given back, when it is asked.
import { writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

/** What is freed late frees others: buffers go after the objects that they belong to. */
const TIMES = 5;

process.on('SIGUSR2', async () => {
  for (let time = 0; time < TIMES; time += 1) {
    globalThis.gc();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env.HEAP_FILE, String(heapUsed + external));
});
