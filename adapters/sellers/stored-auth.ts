import { z } from 'zod';
import type { Secrets } from '../../tools/core/ports.ts';
import { authOwner } from '../../tools/domain/sellers/credential-owner.ts';
import type { Seller } from '../../tools/domain/sellers/port.ts';

const storedAuth = z.object({ type: z.enum(['bearer', 'api_key']), token: z.string() });

interface Shown {
  /** What a seller is shown with each call. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret in them. */
  readonly credential?: string;
}

/** How a seller knows us. */
export function authOf(secrets: Secrets, { id, auth }: Seller['source']): Shown {
  if (auth === null) return { headers: {} };
  const { type, token } = storedAuth.parse(JSON.parse(secrets.open(auth, authOwner(id))));
  const headers: Shown['headers'] =
    type === 'bearer' ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': token };
  return { headers, credential: token };
}
