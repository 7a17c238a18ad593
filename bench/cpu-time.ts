import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for programs, whatever it counts in itself. */
const MS_PER_TICK = 10;
/** Where proc(5) has the time in the program and, behind it, in the system; the name before them may hold blanks. */
const FIRST_AFTER_NAME = 3;
const USER_TIME = 14;

/** Milliseconds of the processor that a process has spent so far, all its threads together. */
export function cpuMsOf(pid: string | number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(USER_TIME - FIRST_AFTER_NAME);
  return (Number(user) + Number(system)) * MS_PER_TICK;
}
