import { IncomingMessage } from 'node:http';
import { resourceIn } from '../auth/audiences.ts';
import { readForm } from '../http/body.ts';
import { type Asked, OAuthError, sendOAuth } from './answers.ts';
import { grantTypes, type OAuthHooks } from './hooks.ts';
import type { AuthorizationServer } from './provider.ts';

const FORM_MAX_BYTES = 49_152;

/**
 * POST /auth/token. Grants of ours are answered before the library is asked: who has no client of its own would be
 * refused there.
 */
export async function answerToken(
  asked: Asked,
  server: AuthorizationServer,
  hooks: OAuthHooks,
): Promise<void> {
  const { app, req, res } = asked;
  const form = withPlainResources(await readForm(req, FORM_MAX_BYTES), app.services.publicUrl());
  // RFC 6749, section 5.1; the library leaves it out.
  res.setHeader('Pragma', 'no-cache');
  const [grant = '', ...more] = form.getAll('grant_type');
  if (more.length === 0 && grant !== '') refuseUnknown(grant, hooks);
  const handler = Object.hasOwn(hooks.grants, grant) && more.length === 0 ? hooks.grants[grant] : undefined;
  if (handler !== undefined) return sendOAuth(asked, 200, await handler(asked, form));
  refuseSecret(form);
  await server.answer(replayed(req, form.toString()), res);
}

/** Before the client is asked for: agents have none to name, and another grant is what helps them. */
function refuseUnknown(grant: string, hooks: OAuthHooks): void {
  const known = grantTypes(hooks);
  if (known.includes(grant)) return;
  throw new OAuthError('unsupported_grant_type', `Give one of: ${known.join(', ')}.`);
}

/**
 * Programs that act for people are public and have no secret (interface, Authentication rule 9): one that shows a
 * secret takes itself for something else. The library would pass over it here, and refuses it in the header.
 */
function refuseSecret(form: URLSearchParams): void {
  if (form.getAll('client_secret').every((secret) => secret === '')) return;
  throw new OAuthError('invalid_client', 'Programs have no secret here: leave client_secret empty.', 401);
}

/** One address is one address, with or without a slash at its end: what does not name one of ours stays. */
export function withPlainResources(fields: URLSearchParams, publicUrl: string): URLSearchParams {
  const resources = fields.getAll('resource');
  if (resources.length === 0) return fields;
  fields.delete('resource');
  for (const resource of resources) {
    const plain = resource.replace(/#$/, '');
    fields.append('resource', resourceIn(plain, publicUrl) ?? resource);
  }
  return fields;
}

/** The request once more, for whoever reads bodies by itself. */
function replayed(req: IncomingMessage, body: string): IncomingMessage {
  const again = new IncomingMessage(req.socket);
  const bytes = Buffer.from(body);
  Object.assign(again, { method: req.method, url: req.url, httpVersion: req.httpVersion, complete: true });
  Object.assign(again.headers, req.headers, { 'content-length': String(bytes.length) });
  delete again.headers['transfer-encoding'];
  again.push(bytes);
  again.push(null);
  return again;
}
