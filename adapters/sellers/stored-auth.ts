import { z } from 'zod';
import { isFields } from '../../tools/core/checks.ts';
import type { Secrets } from '../../tools/core/ports.ts';
import { authOwner } from '../../tools/domain/sellers/credential-owner.ts';
import type { Seller } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';

type Source = Seller['source'];

const storedAuth = z.object({ type: z.enum(['bearer', 'api_key']), token: z.string() });

/** A shorter one would stand in texts by chance. */
const TOKEN_MIN = 6;

function authOf(secrets: Secrets, { id, auth }: Source): z.output<typeof storedAuth> | undefined {
  return auth === null ? undefined : storedAuth.parse(JSON.parse(secrets.open(auth, authOwner(id))));
}

/** What a seller is shown with each call. */
export function authHeaders(secrets: Secrets, source: Source): Record<string, string> {
  const auth = authOf(secrets, source);
  if (auth === undefined) return {};
  return auth.type === 'bearer' ? { Authorization: `Bearer ${auth.token}` } : { 'X-API-Key': auth.token };
}

/** Takes the credential of a source out of what its seller said: a buyer reads it, and it is the storefront’s. */
export function withoutCredential(secrets: Secrets, source: Source) {
  const token = authOf(secrets, source)?.token ?? '';
  const isKnown = token.length >= TOKEN_MIN;
  const written = JSON.stringify(token).slice(1, -1);
  const hidden = (text: string): string => text.replaceAll(token, '[secret]');
  // In the text of the whole a credential may end what it stands in: a number, or a sign that is written as two.
  const withoutIt = (_name: string, value: unknown): unknown => {
    if (typeof value === 'string') return hidden(value);
    if (!isFields(value) || !Object.keys(value).some((name) => name.includes(token))) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [hidden(name), one]));
  };
  return {
    content: (said: unknown): unknown => {
      if (!isKnown || said === undefined) return said;
      const text = JSON.stringify(said);
      return text.includes(written) ? JSON.parse(text, withoutIt) : said;
    },
    error: (error: unknown): unknown => {
      if (!(isKnown && error instanceof SellerError && error.message.includes(token))) return error;
      const { reason, unresolved, answered } = error;
      const message = hidden(error.message);
      return new SellerError(reason, message, { unresolved, answered, cause: error });
    },
  };
}
