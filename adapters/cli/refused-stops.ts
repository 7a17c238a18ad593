import { z } from 'zod';
import { onOneLine } from './audit-lines.ts';

/** What a capability that stops a campaign tells of each media buy. */
const results = z.array(
  z.object({
    mediaBuyId: z.string(),
    success: z.boolean(),
    pending: z.boolean(),
    error: z.string().optional(),
  }),
);

export interface NotStopped {
  /** What the operator does about them. */
  readonly advice: readonly string[];
  /** A line each: which media buy, and why. */
  readonly lines: readonly string[];
}

const SETTLE = 'settle with its seller what is refused, then call again';
const WAIT = 'the service asks its seller by itself until it answers';

/** The media buys that were not stopped, but for those whose orders are unknown. */
export function notStopped(mediaBuyResults: unknown, unknown: readonly string[]): NotStopped {
  const failed = results
    .parse(mediaBuyResults)
    .filter(({ mediaBuyId, success }) => !success && !unknown.includes(mediaBuyId));
  return {
    advice: [
      ...(failed.some(({ pending }) => !pending) ? [SETTLE] : []),
      ...(failed.some(({ pending }) => pending) ? [WAIT] : []),
    ],
    lines: failed.map(({ mediaBuyId, pending, error = 'its seller does not say why' }) =>
      ['', mediaBuyId, `${pending ? 'not answered' : 'refused'}: ${onOneLine(error)}`].join('\t'),
    ),
  };
}
