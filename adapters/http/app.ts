import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Services } from '../../tools/core/context.ts';
import type { Tool } from '../../tools/core/define.ts';
import type { Family } from '../../tools/core/families.ts';
import type { Stream } from '../../tools/core/streams.ts';
import type { Identify } from '../auth/identify.ts';
import type { Keyring } from '../auth/tokens.ts';
import type { Link } from '../ports/link.ts';
import type { Fetch } from '../sellers/seller-fetch.ts';
import type { Config } from '../settings/config.ts';
import type { BodyLimits } from './body.ts';
import type { Overload } from './overload.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RefusedSignIns } from './refused-sign-ins.ts';
import type { StreamSeats } from './stream-seats.ts';
import type { TokenPlaces } from './token-places.ts';
import type { Watch } from './watch.ts';

/** What the adapters are made from. */
export interface App {
  readonly config: Config;
  readonly services: Services;
  readonly families: readonly Family[];
  readonly tools: readonly Tool[];
  readonly streams: readonly Stream[];
  readonly identify: Identify;
  readonly tokenPlaces: TokenPlaces;
  /** The pairs that sign our tokens. */
  readonly keyring: Keyring;
  readonly limits: RateLimits;
  readonly seats: StreamSeats;
  readonly overload: Overload;
  /** Counts credentials that were refused. */
  readonly refused: RefusedSignIns;
  readonly watch: Watch;
  /** To the other processes of the database, where there may be any. */
  readonly link: Link | undefined;
  readonly trustedProxies: BlockList | undefined;
  readonly bodyLimits: BodyLimits;
  /** Answers whoever looks after the service. */
  readonly operations: Handler;
  /** The way to identity providers, guarded. */
  readonly providerFetch: Fetch;
}

/** A function of Node's own request and response. True: the request was its own. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => boolean;
