import { z } from 'zod';
import { permissions } from '../../store/api-keys.ts';
import type { Db } from '../../store/engine/db.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { insertRevokedToken } from '../../store/unscoped/signing-keys.ts';
import type { AuditSubject } from '../../tools/core/audit.ts';
import type { Actor } from '../../tools/core/context.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { conflict, notFound, unavailable } from '../../tools/core/errors/refusals.ts';
import { HOUR_MS, momentAfter } from '../../tools/core/moments.ts';
import { organizationKeyKind } from '../../tools/domain/credentials/kinds.ts';
import type { CredentialProvider, EndedKey } from '../../tools/domain/credentials/port.ts';
import { endWithKey } from '../../tools/domain/organizations/ended-subscriptions.ts';
import { holderOfKey } from '../../tools/domain/organizations/holders.ts';

interface Settings {
  /** Its address; paths are added to it. */
  readonly url: string;
  /** What we show it. */
  readonly secret: string;
  readonly timeoutMs: number;
  /** For how long its word on a key is believed. */
  readonly cacheMs: number;
}

const ANSWER_MAX_BYTES = 1_048_576;
/** Beyond what any process may believe it for, by whatever clock. */
const FORGOTTEN_AFTER_MS = HOUR_MS;
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A key as the provider tells of it. What else it says is left out: a value in a list would not get further. */
const key = z.object({
  id: z.string().regex(/^[\w-]{1,128}$/),
  organizationId: z.number().int().positive(),
  name: z.string().max(200),
  permissions: z.array(z.enum(permissions)),
  obfuscatedValue: z.string().max(100),
  createdByUserId: z.number().int().nullable().default(null),
  createdAt: moment,
  updatedAt: moment,
  lastUsedAt: moment.nullable().default(null),
  expiresAt: moment.nullable().default(null),
});
const made = z.object({ key, value: z.string().min(16).max(1_024) });
const listed = z.object({ keys: z.array(key).max(10_000) });
const revoked = z.object({ revokedAt: moment });
const valid = z.object({ key: key.nullable() });
const widget = z.object({ token: z.string().min(1).max(8_192), expiresAt: moment });

/**
 * Keys kept by a service elsewhere, in the protocol of docs/credentials.md. What it answers is data from outside:
 * checked, bounded, and of another organization than was asked for never taken.
 */
export function httpCredentials(settings: Settings): CredentialProvider {
  const ask = client(settings);
  /** Its protocol knows no pages: the answer as a whole is bounded. */
  const keysOf = async (organizationId: number) => {
    const { keys } = await ask(listed, { method: 'GET', path: `/organizations/${organizationId}/keys` });
    if (keys.some((row) => row.organizationId !== organizationId)) throw unusable();
    return keys;
  };
  return {
    create: async (actor, { loggedIn, ...wanted }) => {
      const { key: row, value } = await ask(made, {
        method: 'POST',
        path: '/keys',
        body: wanted,
        refusals: { 409: () => conflict(FULL, 'Revoke a key that is no longer needed first.') },
      });
      if (row.organizationId !== wanted.organizationId) throw unusable();
      await note(actor, { ...row, action: 'CREATE', loggedIn }, async () => ({
        permissions: { to: row.permissions },
        ...(row.expiresAt === null ? {} : { expiresAt: { to: row.expiresAt } }),
      }));
      return { key: row, value };
    },
    list: async (_actor, organizationId, { take, skip }) => {
      const keys = await keysOf(organizationId);
      return { rows: keys.slice(skip, skip + take), total: keys.length };
    },
    find: async (_actor, { organizationId, id }) =>
      (await keysOf(organizationId)).find((one) => one.id === id),
    revoke: async (actor, { organizationId, id, name, loggedIn }) => {
      const path = `/organizations/${organizationId}/keys/${encodeURIComponent(id)}`;
      const { revokedAt } = await ask(revoked, {
        method: 'DELETE',
        path,
        refusals: { 404: () => notFound(organizationKeyKind) },
      });
      // Its word of before is believed in some process for a while yet: not of this key.
      const expires_at = momentAfter(actor.now, settings.cacheMs + FORGOTTEN_AFTER_MS);
      await note(actor, { action: 'DELETE', id, name, organizationId, loggedIn }, async (tx) => {
        await insertRevokedToken(tx, { jti: holderOfKey(id), expires_at });
        return endWithKey(tx, makeTenant(organizationId), { id, now: actor.now });
      });
      return revokedAt;
    },
    widgetToken: ({ organizationId, userId }) =>
      ask(widget, { method: 'POST', path: '/widget-tokens', body: { organizationId, userId } }),
    validate: async (value) => {
      const answer = await ask(valid, { method: 'POST', path: '/keys/validate', body: { value } });
      return answer.key;
    },
  };
}

interface Done extends EndedKey {
  readonly action: 'CREATE' | 'DELETE';
}

type Changes = AuditSubject['changes'] & object;

/** The entry of what was done elsewhere; what is to be done of it here says what else it changes. */
async function note(
  actor: Actor,
  { action, id, name, organizationId, loggedIn }: Done,
  work: (tx: Db) => Promise<Changes>,
): Promise<void> {
  await actor.write(work, (changes) => ({
    kind: organizationKeyKind,
    action,
    resourceId: id,
    resourceName: name,
    changes,
    tenant: { organizationId, customerId: loggedIn },
  }));
}

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** What a status means here, beside success and failure. */
  readonly refusals?: Readonly<Record<number, () => AppError>>;
}

function client({ url, secret, timeoutMs }: Settings) {
  const base = url.replace(/\/+$/, '');
  return async <T extends z.ZodType>(
    schema: T,
    { method, path, body, refusals = {} }: Request,
  ): Promise<z.output<T>> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      // Where it sends us on it would learn the secret.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${secret}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw unavailable(UNREACHABLE, { cause });
    });
    const refusal = refusals[answer.status];
    if (refusal !== undefined) throw refusal();
    if (!answer.ok) throw unusable();
    const result = schema.safeParse(await jsonOf(answer));
    if (!result.success) throw unusable();
    return result.data;
  };
}

const UNREACHABLE = 'The service that keeps the keys does not answer.';
const FULL = 'The service that keeps the keys makes no more of them for this organization.';

function unusable() {
  return unavailable('The service that keeps the keys gave an answer that cannot be used.');
}

/** The answer, read only as far as any of them is long. */
async function jsonOf(answer: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of answer.body ?? []) {
      length += part.byteLength;
      if (length > ANSWER_MAX_BYTES) throw new Error('too long');
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch (cause) {
    throw unavailable('The service that keeps the keys gave an answer that cannot be read.', { cause });
  }
}
