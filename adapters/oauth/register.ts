import { nowOf } from '../../tools/core/moments.ts';
import { registerItself } from '../../tools/domain/organizations/programs.ts';
import { readJson } from '../http/body.ts';
import { type Asked, sendOAuth } from './answers.ts';
import { publicClientOf } from './registration.ts';

const BODY = { maxBytes: 65_536, maxDepth: 8, maxValues: 1_000 };

/** POST /auth/register (RFC 7591): public clients, whatever is asked. */
export async function answerRegistration(asked: Asked): Promise<void> {
  const { app, req } = asked;
  const { store, ports } = app.services;
  const client = publicClientOf(await readJson(req, BODY));
  const now = nowOf(ports.clock);
  const newId = (prefix: string) => ports.ids.make(prefix);
  const id = await registerItself(
    { db: store.db, now, newId },
    { name: client.client_name, redirectUris: client.redirect_uris, metadata: { ...client } },
  );
  sendOAuth(asked, 201, {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(now) / 1_000),
    ...client,
  });
}
