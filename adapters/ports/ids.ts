import { customAlphabet } from 'nanoid';
import type { Clock, Ids } from '../../tools/core/ports.ts';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Milliseconds in so many digits of the alphabet, until the year 2059. */
const TIME_LENGTH = 8;
const CHANCE_LENGTH = 12;
const chance = customAlphabet(ALPHABET, CHANCE_LENGTH);

/**
 * Ids of the moment they are made and 62 random bits behind their prefix: `cmp_mf4k…`. What is made together
 * stands together in every index, so that a commit writes few pages; how much is made, they do not tell. Like
 * every id, they open nothing: what does is a secret beside them.
 */
export function idsBy(clock: Clock): Ids {
  return { make: (prefix) => `${prefix}_${momentOf(clock)}${chance()}` };
}

function momentOf(clock: Clock): string {
  return clock.now().toString(ALPHABET.length).padStart(TIME_LENGTH, '0').slice(-TIME_LENGTH);
}
