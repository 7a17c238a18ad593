import type { Caller } from '../../tools/core/context.ts';
import { unauthorized } from '../../tools/core/errors/refusals.ts';

type Recognised = Caller | null;

/** Turns a bearer token into a caller; null when the token is none of its kind, or not live. */
export type Recogniser = (token: string) => Recognised | Promise<Recognised>;

/** A promise only where a recogniser has to wait: most calls come with a key that is known. */
export type Identify = (authorization: string | undefined) => Recognised | Promise<Recognised>;

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** Asks each recogniser in turn. Null without a credential; a credential that nobody knows is refused. */
export function identifyWith(recognisers: readonly Recogniser[]): Identify {
  const askFrom = (first: number, token: string): Caller | Promise<Caller> => {
    const recognise = recognisers[first];
    if (recognise === undefined) throw unauthorized('The credential is unknown, expired or revoked.');
    const caller = recognise(token);
    if (caller instanceof Promise) return caller.then((found) => found ?? askFrom(first + 1, token));
    return caller ?? askFrom(first + 1, token);
  };
  return (authorization) => {
    if (authorization === undefined) return null;
    const token = BEARER.exec(authorization)?.[1];
    if (token !== undefined) return askFrom(0, token);
    throw unauthorized('The Authorization header is not of the form “Bearer <key>”.');
  };
}
