import { hash } from 'node:crypto';
import { fromJson } from '../../store/engine/codec.ts';
import { type Application, findLiveApplication, useSecret } from '../../store/unscoped/applications.ts';
import { hasPermission } from '../../tools/core/access.ts';
import { applicationKind } from '../../tools/domain/credentials/kinds.ts';
import { REST_RESOURCE, resourceIn } from '../auth/audiences.ts';
import { isPermission, scopesIn } from '../auth/scopes.ts';
import { clientIp } from '../http/client-ip.ts';
import { requestIdOf } from '../http/visit.ts';
import { type Asked, OAuthError } from './answers.ts';
import { actorFor } from './deeds.ts';

interface Shown {
  readonly clientId: string;
  readonly secret: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/** The grant `client_credentials` (RFC 6749, section 4.4): a backend gets a token for itself by its secret. */
export async function clientCredentials(
  asked: Asked,
  form: URLSearchParams,
): Promise<Record<string, unknown>> {
  const { app } = asked;
  const { services, config } = app;
  const shown = credentialsIn(asked, form);
  const application = await findLiveApplication(services.store.db, shown.clientId);
  if (application === undefined) throw refused(asked);
  const audience = audienceIn(form, services.publicUrl());
  const scope = scopeIn(form, application);
  const secretId = await use(asked, application, shown.secret);
  const token = await services.ports.tokens.sign({
    type: 'at+jwt',
    audience,
    subject: application.client_id,
    seconds: config.machineTokenSeconds,
    claims: {
      kind: 'm2m',
      client_id: application.client_id,
      org_id: application.organization_id,
      sec: secretId,
      scope,
    },
  });
  return { access_token: token, token_type: 'Bearer', expires_in: config.machineTokenSeconds, scope };
}

/** In the header or in the body, not in both (RFC 6749, section 2.3.1). */
function credentialsIn(asked: Asked, form: URLSearchParams): Shown {
  const { authorization } = asked.req.headers;
  const inBody = { clientId: form.get('client_id'), secret: form.get('client_secret') };
  if (authorization === undefined) {
    if (inBody.clientId === null || !inBody.secret) throw unknownClient(asked);
    return { clientId: inBody.clientId, secret: inBody.secret };
  }
  const shown = basicIn(authorization);
  if (shown === undefined) throw unknownClient(asked);
  if (inBody.secret !== null || (inBody.clientId !== null && inBody.clientId !== shown.clientId)) {
    throw new OAuthError('invalid_request', 'Send the secret in the header or in the body, not in both.');
  }
  return shown;
}

function basicIn(authorization: string): Shown | undefined {
  const pair = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 1) return undefined;
  try {
    const [clientId = '', secret = ''] = [pair.slice(0, colon), pair.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', '%20')),
    );
    return { clientId, secret };
  } catch {
    return undefined;
  }
}

/** A client that showed what is not right. */
function refused(asked: Asked, subject?: string): OAuthError {
  const { app, req } = asked;
  const network = app.limits.people.networkOf(clientIp(req, app.trustedProxies));
  app.refused.note({ kind: 'client_secret', subject, network });
  return unknownClient(asked);
}

/** The same for a client that is not there and for a secret that is not its own. */
function unknownClient({ req, res }: Asked): OAuthError {
  if (req.headers.authorization !== undefined) res.setHeader('WWW-Authenticate', 'Basic realm="token"');
  return new OAuthError('invalid_client', 'The client is not known, or its secret is not right.', 401);
}

function audienceIn(form: URLSearchParams, publicUrl: string): string {
  const resources = form.getAll('resource');
  const [given = `${publicUrl}${REST_RESOURCE}`] = resources;
  const audience = resources.length > 1 ? undefined : resourceIn(given, publicUrl);
  if (audience !== undefined) return audience;
  throw new OAuthError('invalid_target', 'Give one address of this service as resource.');
}

/** What a token of it may do is looked up with each call; a scope that it does not hold is refused here. */
function scopeIn(form: URLSearchParams, application: Application): string {
  const held = fromJson(application.permissions);
  const asked = scopesIn(form.get('scope') ?? '');
  const holds = (name: string) => isPermission(name) && hasPermission({ permissions: new Set(held) }, name);
  const refused = asked.find((name) => !holds(name));
  if (refused !== undefined) {
    throw new OAuthError(
      'invalid_scope',
      `The application does not hold ${refused.replace(/[^\w:.-]/g, '?')}.`,
    );
  }
  return (asked.length === 0 ? held : asked).join(' ');
}

/**
 * Where the organization reads of it: in the log of the account that the application works in, a buyer's before a
 * seller's, as `ownLog` has it; what is known of it already needs no further query for each token.
 */
function logOf({ organization_id: organizationId, buyer_id, seller_id }: Application) {
  return { organizationId, customerId: buyer_id ?? seller_id };
}

/** Notes the use of the secret, with an entry in the log of its organization; refused where it is none. */
function use(asked: Asked, application: Application, secret: string): Promise<string> {
  const { app, req } = asked;
  const actor = actorFor(app.services, {
    tool: 'client_credentials',
    title: 'Get a token for an application',
    action: 'EXECUTE',
    kind: applicationKind,
    organizationId: application.organization_id,
    userId: null,
    credentialId: `m2m:${application.id}`,
    names: { userEmail: null, userName: null, credentialName: application.name },
    requestId: requestIdOf(req),
    ip: clientIp(req, app.trustedProxies),
  });
  return actor.write(
    async (tx) => {
      const shown = { applicationId: application.id, hash: hash('sha256', secret, 'hex'), now: actor.now };
      const id = await useSecret(tx, shown);
      if (id === undefined) throw refused(asked, `m2m:${application.id}`);
      return id;
    },
    (secretId) => ({
      resourceId: application.id,
      resourceName: application.name,
      changes: { secretId: { to: secretId } },
      tenant: logOf(application),
    }),
  );
}
