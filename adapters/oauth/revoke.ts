import { hash } from 'node:crypto';
import { findArtifact } from '../../store/unscoped/oauth-artifacts.ts';
import { readForm } from '../http/body.ts';
import { type Asked, OAuthError } from './answers.ts';
import { endToken } from './end-token.ts';
import type { OAuthHooks } from './hooks.ts';

const FORM_MAX_BYTES = 49_152;

/**
 * POST /auth/revoke (RFC 7009), for whoever holds the token: agents have nothing else to show. A token of a grant
 * ends the grant with all its tokens; any other ends alone. What is unknown is over already: 200 for any token.
 */
export async function answerRevocation(
  asked: Asked,
  hooks: OAuthHooks,
  endGrant: (id: string) => Promise<void>,
): Promise<void> {
  const { app, req, res } = asked;
  const { store, ports } = app.services;
  const token = (await readForm(req, FORM_MAX_BYTES)).get('token');
  if (token === null) throw nothingToEnd();
  const claims = await ports.tokens.verify(token, 'at+jwt');
  const artifact = await findArtifact(store.db, {
    kind: 'RefreshToken',
    hash: hash('sha256', token, 'hex'),
  });
  const grantId = typeof claims?.['gid'] === 'string' ? claims['gid'] : artifact?.grant_id;
  if (typeof grantId === 'string') await endGrant(grantId);
  else if (claims !== null) await endToken(asked, claims);
  else await askOthers(asked, hooks, token);
  res.writeHead(200, { 'Content-Length': '0', 'Cache-Control': 'no-store' }).end();
}

/** Told, because whoever sent it under another name would take a live token for ended. */
function nothingToEnd(): OAuthError {
  return new OAuthError('invalid_request', 'Give the token that is to end as the form field token.');
}

async function askOthers(asked: Asked, { revokers }: OAuthHooks, token: string): Promise<void> {
  for (const revoke of revokers) if (await revoke(asked, token)) return;
}
