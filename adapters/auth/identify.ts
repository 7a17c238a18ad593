import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../tools/core/context.ts';
import { unauthorized } from '../../tools/core/errors/refusals.ts';

type Recognised = Caller | null;

/** What a request shows of who sends it: a credential, or the cookie of a signed-in browser. */
export interface Shown {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** True where the service asks by itself whether what is open may stay so: that is no use of what is shown. */
  readonly isAskedAgain?: true;
}

/** Turns a bearer token into a caller; null when the token is none of its kind, or not live. */
export type Recogniser = (token: string) => Recognised | Promise<Recognised>;

/** Turns the cookie of a request into a person at a browser; null when it holds no session, or none that lives. */
export type SessionRecogniser = (shown: Shown) => Recognised | Promise<Recognised>;

/** A promise only where a recogniser has to wait: most calls come with a key that is known. */
export type Identify = (shown: Shown) => Recognised | Promise<Recognised>;

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/**
 * Asks each recogniser in turn. A credential that nobody knows is refused; without one the cookie counts, and
 * without a session nobody calls: null.
 */
export function identifyWith(
  recognisers: readonly Recogniser[],
  ofSession: SessionRecogniser = () => null,
): Identify {
  const askFrom = (first: number, token: string): Caller | Promise<Caller> => {
    const recognise = recognisers[first];
    if (recognise === undefined) throw unauthorized('The credential is unknown, expired or revoked.');
    const caller = recognise(token);
    if (caller instanceof Promise) return caller.then((found) => found ?? askFrom(first + 1, token));
    return caller ?? askFrom(first + 1, token);
  };
  return (shown) => {
    const { authorization, cookie } = shown.headers;
    if (authorization === undefined) return cookie === undefined ? null : ofSession(shown);
    const token = BEARER.exec(authorization)?.[1];
    if (token !== undefined) return askFrom(0, token);
    throw unauthorized('The Authorization header is not of the form “Bearer <key>”.');
  };
}
