import { timingSafeEqual } from 'node:crypto';

/** Whether what was given is what is wanted, in the same time whatever was given. */
export function isSameSecret(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
