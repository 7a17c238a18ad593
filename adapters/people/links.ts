import { hash, randomBytes } from 'node:crypto';
import type { Db } from '../../store/engine/db.ts';
import { insertLink, type LinkPurpose, type OneUseLinkRow } from '../../store/unscoped/one-use-links.ts';
import { DAY_MS, MINUTE_MS, momentOf } from '../../tools/core/moments.ts';

const VALUE_BYTES = 32;
const VALUE = /^[\w-]{43}$/;
/** How long each kind of link is good. */
const GOOD_FOR_MS: Readonly<Record<LinkPurpose, number>> = {
  sign_up: DAY_MS,
  reset: 30 * MINUTE_MS,
  verify: DAY_MS,
  admin: DAY_MS,
  new_email: DAY_MS,
  // Long enough for a weekend away, and short: whoever is given the mailbox next could use it.
  old_email: 3 * DAY_MS,
};

/** Where each kind of link leads. */
const PATHS: Readonly<Record<LinkPurpose, string>> = {
  sign_up: '/sign-up/finish',
  reset: '/reset',
  verify: '/verify',
  admin: '/first-administrator',
  new_email: '/change-email',
  old_email: '/keep-email',
};

interface Wanted {
  readonly purpose: LinkPurpose;
  readonly email?: string;
  readonly userId?: number | null;
  /** The organization whose administrator the bearer becomes. */
  readonly administers?: number;
  /** A path of ours where whoever opens it is led afterwards. */
  readonly wanted?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly publicUrl: string;
}

/** Makes a link that works once. Its value is in the address that is given back, and nowhere else. */
export async function makeLink(db: Db, wanted: Wanted): Promise<string> {
  const { purpose, now } = wanted;
  const value = randomBytes(VALUE_BYTES).toString('base64url');
  const link: OneUseLinkRow = {
    hash: hashOf(value),
    purpose,
    email: wanted.email ?? '',
    user_id: wanted.userId ?? null,
    administers: wanted.administers ?? null,
    created_at: momentOf(now),
    expires_at: momentOf(now + GOOD_FOR_MS[purpose]),
    used_at: null,
  };
  await insertLink(db, link);
  const carried = new URLSearchParams({
    token: value,
    ...(wanted.wanted === undefined ? {} : { return_to: wanted.wanted }),
  });
  return `${wanted.publicUrl}${PATHS[purpose]}?${carried}`;
}

function hashOf(value: string): string {
  return hash('sha256', value, 'hex');
}

/** What is looked for by the value that a link carries; undefined for what cannot be one. */
export function linkHash(value: string | null | undefined): string | undefined {
  return value !== null && value !== undefined && VALUE.test(value) ? hashOf(value) : undefined;
}
