import { rateLimited } from '../../tools/core/errors/refusals.ts';

/** Readers of one stream address, of all of them in this process. */
const PER_ADDRESS = 5;
const PER_PROCESS = 1_000;
const COME_BACK_SECONDS = 15;

export interface StreamSeats {
  /** Takes a seat and gives the way to leave it; throws RATE_LIMITED when all are taken. */
  take(address: string): () => void;
}

/** An open stream costs a socket and a listener: only so many are held open at a time. */
export function createStreamSeats(): StreamSeats {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (address) => {
      const here = taken.get(address) ?? 0;
      if (here >= PER_ADDRESS || all >= PER_PROCESS) throw rateLimited(COME_BACK_SECONDS);
      taken.set(address, here + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (taken.get(address) ?? 1) - 1;
        if (left === 0) taken.delete(address);
        else taken.set(address, left);
      };
    },
  };
}
