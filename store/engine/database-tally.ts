/** Counts what becomes of work at the database, for whoever runs the service. A count never fails or waits. */
export interface DatabaseTally {
  /** A transaction was over after so many seconds, its wait for a turn included, whatever came of it. */
  transaction(seconds: number): void;
  /** Work met a lock of another process, or another transaction in its way, and waits or begins again. */
  busy(why: 'locked' | 'conflict'): void;
}

export const uncounted: DatabaseTally = { transaction: () => {}, busy: () => {} };
