import { toJson } from '../../store/engine/codec.ts';
import { insertOauthClient } from '../../store/unscoped/oauth-clients.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { readJson } from '../http/body.ts';
import { type Asked, sendOAuth } from './answers.ts';
import { publicClientOf } from './registration.ts';

const BODY = { maxBytes: 65_536, maxDepth: 8, maxValues: 1_000 };

/** POST /auth/register (RFC 7591): public clients, whatever is asked. */
export async function answerRegistration(asked: Asked): Promise<void> {
  const { app, req } = asked;
  const { store, ports } = app.services;
  const client = publicClientOf(await readJson(req, BODY));
  const id = ports.ids.make('oc');
  const now = nowOf(ports.clock);
  await insertOauthClient(store.db, {
    id,
    name: client.client_name,
    metadata: toJson({ ...client }),
    origin: 'registration',
    created_at: now,
    last_used_at: null,
  });
  sendOAuth(asked, 201, {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(now) / 1_000),
    ...client,
  });
}
