import { z } from 'zod';
import { oauthPaths } from '../../tools/core/root-addresses.ts';
import { count, requests, setting } from './setting.ts';

/** The authorization server: how long what it gives lives, and who may register. */
export const oauthSettings = {
  accessTokenSeconds: setting(
    'ACCESS_TOKEN_SECONDS',
    count(3_600, 60, 86_400),
    'Seconds that an access token of a person lives. What it opens is looked up with each request.',
  ),
  refreshTokenSeconds: setting(
    'REFRESH_TOKEN_SECONDS',
    count(30 * 86_400, 3_600, 366 * 86_400),
    'Seconds after which a refresh token that was not used is over. Each use gives a new one.',
  ),
  authorizationCodeSeconds: setting(
    'AUTHORIZATION_CODE_SECONDS',
    count(60, 10, 600),
    'Seconds within which a client exchanges its authorization code.',
  ),
  machineTokenSeconds: setting(
    'MACHINE_TOKEN_SECONDS',
    count(900, 60, 86_400),
    'Seconds that an access token of an M2M application lives.',
  ),
  loopbackAnyPort: setting(
    'OAUTH_LOOPBACK_ANY_PORT',
    z.enum(['on', 'off']).default('off'),
    'Lets a client on the person’s own machine be called back at another port than it registered. Every other ' +
      'part of a redirect address is compared letter by letter in any case.',
  ),
  authRequestsPerQuarter: setting(
    'RATE_LIMIT_AUTH',
    requests(40),
    `Requests of one IP address in 15 minutes to the addresses below /auth and to ${oauthPaths.authorize}.`,
  ),
  registrationsPerHour: setting(
    'RATE_LIMIT_REGISTRATION',
    requests(20),
    'OAuth clients that one IP address may register in an hour.',
  ),
};
