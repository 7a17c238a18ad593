/** Whose organization reads of it in its own log, whoever reads. */
export const READ_BY_ITS_ORGANIZATION = [
  'sign_in',
  'sign_out',
  'session_end',
  'password_change',
  'password_reset',
  'profile_update',
  'email_verify',
  'email_change',
  'email_restore',
  'identity_link',
  'oauth_consent',
  'oauth_grant_end',
  'oauth_token_renew',
  'oauth_token_revoke',
  'client_credentials',
  'agent_claim_confirm',
  'agent_claim_deny',
  'agent_claim_fail',
  'agent_claim',
  'agent_revoke',
] as const;

/** Addresses that take a form or a body, and change nothing that is anybody's; with the reason. */
export const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  '/sign-in/organization': 'It leads to the identity provider of the organization.',
  '/sign-up': 'It has a link mailed.',
  '/forgotten': 'It has a link mailed.',
  '/auth/register': 'A program is nobody’s until a person lets it in.',
  '/auth/userinfo': 'It reads.',
  '/agent/identity': 'What agents do is told in test/people/agents-in-the-log.test.ts.',
  '/agent/identity/claim': 'As above.',
};

/** Sections whose forms call capabilities, each with its entry (test/every-tool/audit.test.ts), or that have none. */
export const BY_CAPABILITIES = ['approvals', 'members', 'keys', 'applications', 'legacy-keys', 'refused'];
