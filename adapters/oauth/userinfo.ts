import { findUser } from '../../store/unscoped/users.ts';
import { scopesIn } from '../auth/scopes.ts';
import { type Asked, OAuthError, sendOAuth } from './answers.ts';

/** GET and POST /auth/userinfo (OpenID Connect Core, section 5.3): who the person is whose token is shown. */
export async function answerUserinfo(asked: Asked): Promise<void> {
  const { app, req, res } = asked;
  const { store, ports } = app.services;
  const caller = await app.identify(req);
  const token = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const claims = await ports.tokens.verify(token, 'at+jwt');
  const nobody = (message: string) => {
    const { metadata } = app.tokenPlaces.challenge();
    res.setHeader('WWW-Authenticate', `Bearer error="invalid_token", resource_metadata="${metadata}"`);
    return new OAuthError('invalid_token', message, 401);
  };
  if (caller === null || claims === null || claims['kind'] !== 'user') {
    throw nobody('Show the access token of a person.');
  }
  const scopes = new Set(scopesIn(claims['scope']));
  if (!scopes.has('openid')) {
    res.setHeader('WWW-Authenticate', 'Bearer error="insufficient_scope", scope="openid"');
    throw new OAuthError('insufficient_scope', 'The token was not given the scope openid.', 403);
  }
  const user = await findUser(store.db, Number(claims.sub));
  if (user === undefined) throw nobody('The person is not known any more.');
  sendOAuth(asked, 200, {
    sub: claims.sub,
    ...(scopes.has('profile') ? { name: user.name } : {}),
    ...(scopes.has('email') ? { email: user.email, email_verified: user.email_verified_at !== null } : {}),
  });
}
