import { hash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { fromJson } from '../../store/engine/codec.ts';
import { findLiveGrant } from '../../store/unscoped/oauth.ts';
import {
  findArtifact,
  type NewArtifact,
  type OauthArtifactRow,
  removeArtifact,
  saveArtifact,
  useArtifact,
} from '../../store/unscoped/oauth-artifacts.ts';
import { findOauthClient } from '../../store/unscoped/oauth-clients.ts';
import type { Services } from '../../tools/core/context.ts';
import { fromNow } from '../../tools/core/moments.ts';
import { systemClock } from '../ports/clock.ts';
import { freeFromBrowser } from './browser-bond.ts';

/** Where the library's own value stands in a stored payload. JSON can say the same character another way. */
const PLACE = '\u241f';
const ESCAPED = '\\u241f';
const GRANT = 'Grant';
const INTERACTION = 'Interaction';

/** What of a grant has to happen elsewhere, with an entry in the audit log. */
export interface Storing {
  readonly services: Services;
  /** A refresh token that is to be stored, of a code or in the place of one before it. */
  saveRefreshToken(artifact: NewArtifact, payload: AdapterPayload): Promise<void>;
  /** A code or a refresh token of it came twice. */
  endGrant(id: string): Promise<void>;
  /** How the library refuses what was used up by somebody else. */
  usedUp(): Error;
}

/**
 * The library's storage in our tables. Its own sessions are remembered nowhere: who is signed in is the matter of
 * our sessions alone, so that whoever signs out of us is signed out of it.
 */
export function storageFor(storing: Storing): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Session') return forgetful;
    if (kind === 'Client') return { ...forgetful, find: (id) => findClient(storing, id) };
    if (kind === GRANT) return grants(storing);
    return artifacts(storing, kind);
  };
}

const forgetful: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

async function findClient({ services }: Storing, id: string): Promise<AdapterPayload | undefined> {
  const client = await findOauthClient(services.store.db, id);
  return client === undefined ? undefined : { ...fromJson(client.metadata), client_id: id };
}

function grants(storing: Storing): Adapter {
  const { services } = storing;
  return {
    ...forgetful,
    find: async (id) => {
      const row = await findLiveGrant(services.store.db, id);
      if (row === undefined) return undefined;
      return {
        ...fromJson(row.payload),
        jti: id,
        kind: GRANT,
        accountId: String(row.user_id),
        clientId: row.client_id,
        ...timesOf(services, row.expires_at),
      };
    },
    destroy: (id) => storing.endGrant(id),
  };
}

/** The library reads the clock of the machine, we read ours: what is left of the time is the same on both. */
function timesOf({ ports }: Services, expiresAt: string): { iat: number; exp: number } {
  const now = Math.floor(systemClock.now() / 1_000);
  return { iat: now, exp: now + Math.ceil((Date.parse(expiresAt) - ports.clock.now()) / 1_000) };
}

function artifacts(storing: Storing, kind: string): Adapter {
  const { services } = storing;
  const { db } = services.store;
  const keyOf = (id: string) => ({ kind, hash: hash('sha256', id, 'hex') });
  const now = () => services.ports.clock.now();
  const at = (seconds: number) => fromNow(services.ports.clock, seconds * 1_000);
  return {
    ...forgetful,
    upsert: async (id, payload, seconds = 0) => {
      const artifact = {
        ...keyOf(id),
        payload: JSON.stringify(payload).replaceAll(PLACE, ESCAPED).replaceAll(id, PLACE),
        grant_id: payload.grantId ?? null,
        expires_at: at(seconds),
      };
      if (kind === 'RefreshToken') await storing.saveRefreshToken(artifact, payload);
      else await saveArtifact(db, artifact);
    },
    find: async (id) => {
      const row = await findArtifact(db, keyOf(id));
      if (row === undefined || Date.parse(row.expires_at) <= now()) return undefined;
      return payloadOf(services, row, id);
    },
    consume: async (id) => {
      const key = keyOf(id);
      if (await useArtifact(db, { ...key, now: at(0) })) return;
      const row = await findArtifact(db, key);
      if (row?.grant_id) await storing.endGrant(row.grant_id);
      throw storing.usedUp();
    },
    destroy: async (id) => {
      await removeArtifact(db, keyOf(id));
      if (kind === INTERACTION) await freeFromBrowser(db, id);
    },
  };
}

function payloadOf(services: Services, row: OauthArtifactRow, id: string): AdapterPayload {
  const payload: AdapterPayload = JSON.parse(row.payload.replaceAll(PLACE, id));
  const { exp } = timesOf(services, row.expires_at);
  const consumed = row.used_at === null ? {} : { consumed: Math.floor(Date.parse(row.used_at) / 1_000) };
  return { ...payload, exp, ...consumed };
}
