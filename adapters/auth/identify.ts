import type { Caller } from '../../tools/context.ts';
import { unauthorized } from '../../tools/errors.ts';

type Recognised = Caller | null;

/** Turns a bearer token into a caller; null when the token is none of its kind, or not live. */
export type Recogniser = (token: string) => Recognised | Promise<Recognised>;

export type Identify = (authorization: string | undefined) => Promise<Caller | null>;

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** Asks each recogniser in turn. Null without a credential; a credential that nobody knows is refused. */
export function identifyWith(recognisers: readonly Recogniser[]): Identify {
  return async (authorization) => {
    if (authorization === undefined) return null;
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined)
      throw unauthorized('The Authorization header is not of the form “Bearer <key>”.');
    for (const recognise of recognisers) {
      const caller = await recognise(token);
      if (caller !== null) return caller;
    }
    throw unauthorized('The credential is unknown, expired or revoked.');
  };
}
