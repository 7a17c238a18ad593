import { rateLimited, tooManyOpen } from '../../tools/core/errors/refusals.ts';
import type { Tally } from '../../tools/core/ports.ts';
import { Tally as Numbers } from '../../tools/core/tally.ts';
import type { Config } from '../settings/config.ts';

const COME_BACK_SECONDS = 15;
/** What these seats are called where limits are counted. */
const LIMIT = 'streams';

/** Where a reader wants to sit. */
export interface Place {
  /** The stream of one object, one for all spellings of its URL; undefined for what tells of a whole account. */
  readonly address: string | undefined;
  /** Whose reader it is, as the limits of calls count it. */
  readonly account: string;
}

export interface StreamSeats {
  /** Takes a seat and gives the way to leave it; throws RATE_LIMITED when all are taken. */
  take(place: Place): () => void;
  readonly taken: number;
}

/** An open stream costs a socket and a listener: so many are held open at a time, and no account has them all. */
export function createStreamSeats(
  config: Pick<Config, 'streamsAtOnce' | 'streamsPerAccount' | 'streamsPerObject'>,
  tally: Tally,
): StreamSeats {
  tally.limit(LIMIT);
  const [addresses, accounts] = [new Numbers<string>(), new Numbers<string>()];
  let all = 0;
  return {
    get taken() {
      return all;
    },
    take: ({ address, account }) => {
      const isFull = address !== undefined && addresses.at(address) >= config.streamsPerObject;
      const whyFull = () => {
        if (isFull) return fullHere(config.streamsPerObject);
        if (all >= config.streamsAtOnce) return rateLimited(COME_BACK_SECONDS, EVERYWHERE);
        return accounts.at(account) >= config.streamsPerAccount
          ? fullFor(config.streamsPerAccount)
          : undefined;
      };
      const refusal = whyFull();
      if (refusal !== undefined) {
        tally.limited(LIMIT);
        throw refusal;
      }
      if (address !== undefined) addresses.add(address, 1);
      accounts.add(account, 1);
      all += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        if (address !== undefined) addresses.add(address, -1);
        accounts.add(account, -1);
        all -= 1;
      };
    },
  };
}

const EVERYWHERE = {
  message: 'As many event streams are open at this service as it holds.',
  suggestion: 'Wait for the seconds in Retry-After, or read the same over a call that is answered at once.',
};

function fullHere(limit: number) {
  return tooManyOpen(`${limit} readers follow this stream already, as many as it takes.`, {
    retryAfter: COME_BACK_SECONDS,
    suggestion: 'Close a stream of it that is no longer read, or wait until one ends.',
  });
}

function fullFor(limit: number) {
  return tooManyOpen(`This account has ${limit} event streams open, as many as it may.`, {
    retryAfter: COME_BACK_SECONDS,
    suggestion: 'Close a stream that is no longer read, or wait until one ends.',
  });
}
