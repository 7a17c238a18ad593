import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../../tools/core/moments.ts';
import { cidrs, count, domains, setting, webAddress } from './setting.ts';

/** People: how they sign in, their sessions, and mail to them. */
export const peopleSettings = {
  sessionIdleMs: setting(
    'SESSION_IDLE_MS',
    count(7 * DAY_MS, MINUTE_MS, 90 * DAY_MS),
    'Milliseconds after which a browser that was not used is signed out.',
  ),
  sessionMs: setting(
    'SESSION_MS',
    count(30 * DAY_MS, MINUTE_MS, 366 * DAY_MS),
    'Milliseconds after which a browser has to sign in again, however much it was used.',
  ),
  passwordCost: setting(
    'PASSWORD_COST',
    count(17, 14, 20),
    'Work of hashing a password with scrypt: 2 to this power. 17 takes 128 MiB for a moment; each step more twice that.',
  ),
  passwordsAtOnce: setting(
    'PASSWORDS_AT_ONCE',
    count(2, 1, 3),
    'Passwords that one process hashes at a time; others wait for their turn.',
  ),
  passwordsWaiting: setting(
    'PASSWORDS_WAITING',
    count(60, 1, 10_000),
    'Passwords that wait for their turn at a time; beyond that it is 503.',
  ),
  signInFailuresPerIp: setting(
    'SIGN_IN_FAILURES_PER_IP',
    count(50),
    'Failed sign-ins from one IP address in 15 minutes, whatever accounts they were for; what leads to no identity provider is one too.',
  ),
  signInFailuresPerEmail: setting(
    'SIGN_IN_FAILURES_PER_EMAIL',
    count(10),
    'Failed sign-ins for one e-mail address in 15 minutes. A browser that signed in there before is counted apart.',
  ),
  mailsPerEmail: setting(
    'MAILS_PER_EMAIL',
    count(5),
    'Mails of one kind an hour to one address: links that anybody can ask for, invitations of one organization with the accounts below it, notices of a change.',
  ),
  invitationsPerEmail: setting(
    'INVITATIONS_PER_EMAIL',
    count(50),
    'Invitations an hour to one address, whoever invites.',
  ),
  invitationsPerDay: setting(
    'INVITATIONS_PER_DAY',
    count(100, 1, 100_000),
    'Invitations in 24 hours that one organization may have mailed, with the accounts below it. Each of these and what is below it has half of what the others left.',
  ),
  mailsPerIp: setting('MAILS_PER_IP', count(20), 'Mails an hour that can be asked for from one IP address.'),
  mailUrl: setting(
    'MAIL_URL',
    z
      .url({
        protocol: /^smtps?$/,
        error: 'Give an address with smtps or smtp, such as smtps://user:password@smtp.example.',
      })
      .optional(),
    'SMTP server that sends mail, such as smtps://user:password@smtp.example. Default: none; mails are then files in data/mail, shown by npm run rialto -- mail list. Beyond this machine smtp: has to know STARTTLS, unless ?requireTLS=false is added.',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    z.string().min(3).max(320).optional(),
    'Sender of mails, such as Acme <no-reply@acme.example>. Required with MAIL_URL.',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    webAddress.optional(),
    'OpenID provider through which people may sign in, beside passwords: its issuer. Its redirect address is PUBLIC_URL/sign-in/callback.',
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', z.string().min(1).optional(), 'Client id at OIDC_ISSUER.'),
  oidcClientSecret: setting(
    'OIDC_CLIENT_SECRET',
    z.string().min(1).optional(),
    'Client secret at OIDC_ISSUER.',
  ),
  oidcName: setting(
    'OIDC_NAME',
    z.string().min(1).max(60).optional(),
    'Name of the provider on the button that leads there. Default: the host of OIDC_ISSUER.',
  ),
  oidcAllowedDomains: setting(
    'OIDC_ALLOWED_DOMAINS',
    domains,
    'Domains for whose addresses OIDC_ISSUER is believed, separated by commas. Default: all.',
  ),
  oidcAllowedCidrs: setting(
    'OIDC_ALLOWED_CIDRS',
    cidrs,
    'Private ranges in which identity providers may live, as CIDR ranges separated by commas; http is allowed there. Default: none.',
  ),
};
