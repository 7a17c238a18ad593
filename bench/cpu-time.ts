import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for programs, whatever it counts in itself. */
const MS_PER_TICK = 10;
/** Where proc(5) has the time in the program and, behind it, in the system; the name before them may hold blanks. */
const FIRST_AFTER_NAME = 3;
const USER_TIME = 14;
const USER_TIME_OF_REAPED = 16;

/** Milliseconds of the processor that a process has spent so far, all its threads together. */
export function cpuMsOf(pid: string | number): number {
  return ticksAt(pid, USER_TIME) * MS_PER_TICK;
}

/** The same of those that it started and that have ended, with those that they had started. */
export function cpuMsOfReaped(pid: string | number): number {
  return ticksAt(pid, USER_TIME_OF_REAPED) * MS_PER_TICK;
}

function ticksAt(pid: string | number, place: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(place - FIRST_AFTER_NAME);
  return Number(user) + Number(system);
}
