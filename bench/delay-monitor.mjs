// Loaded before a server: writes the longest delay of its event loop since the last time, in ms, when it is asked.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on('SIGUSR2', () => {
  writeFileSync(process.env.DELAY_FILE, String(delays.max / 1e6));
  delays.reset();
});
