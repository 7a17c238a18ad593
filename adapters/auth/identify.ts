import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../tools/core/context.ts';
import { unauthorized } from '../../tools/core/errors/refusals.ts';
import { hashApiKey } from '../ports/keys.ts';

type Recognised = Caller | null;

/** What a request shows of who sends it: a credential, or the cookie of a signed-in browser. */
export interface Shown {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** True where the service asks by itself whether what is open may stay so: that is no use of what is shown. */
  readonly isAskedAgain?: true;
  /** The connection that it came on. */
  readonly socket?: object;
}

/** A credential that was shown as a bearer token. */
export class Bearer {
  readonly token: string;
  #hash: string | undefined;

  constructor(token: string) {
    this.token = token;
  }

  /** As keys are stored; reckoned once. */
  get hash(): string {
    this.#hash ??= hashApiKey(this.token);
    return this.#hash;
  }
}

/** Turns a bearer token into a caller; null when the token is none of its kind, or not live. */
export type Recogniser = (shown: Bearer) => Recognised | Promise<Recognised>;

/** Turns the cookie of a request into a person at a browser; null when it holds no session, or none that lives. */
export type SessionRecogniser = (shown: Shown) => Recognised | Promise<Recognised>;

/** A promise only where a recogniser has to wait: most calls come with a key that is known. */
export type Identify = (shown: Shown) => Recognised | Promise<Recognised>;

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

interface LastShown {
  readonly authorization: string;
  readonly bearer: Bearer;
}

/**
 * What a connection showed last, which is what it shows next: reading it and its hash anew would cost as much as the
 * question that it answers. It is forgotten with the connection.
 */
const lastShown = new WeakMap<object, LastShown>();

function bearerIn(authorization: string, connection: object | undefined): Bearer | undefined {
  const last = connection === undefined ? undefined : lastShown.get(connection);
  if (last?.authorization === authorization) return last.bearer;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  const bearer = new Bearer(token);
  if (connection !== undefined) lastShown.set(connection, { authorization, bearer });
  return bearer;
}

/**
 * Asks each recogniser in turn. A credential that nobody knows is refused; without one the cookie counts, and
 * without a session nobody calls: null.
 */
export function identifyWith(
  recognisers: readonly Recogniser[],
  ofSession: SessionRecogniser = () => null,
): Identify {
  const askFrom = (first: number, bearer: Bearer): Caller | Promise<Caller> => {
    const recognise = recognisers[first];
    if (recognise === undefined) throw unauthorized('The credential is unknown, expired or revoked.');
    const caller = recognise(bearer);
    if (caller instanceof Promise) return caller.then((found) => found ?? askFrom(first + 1, bearer));
    return caller ?? askFrom(first + 1, bearer);
  };
  return (shown) => {
    const { authorization, cookie } = shown.headers;
    if (authorization === undefined) return cookie === undefined ? null : ofSession(shown);
    const bearer = bearerIn(authorization, shown.socket);
    if (bearer !== undefined) return askFrom(0, bearer);
    throw unauthorized('The Authorization header is not of the form “Bearer <key>”.');
  };
}
