import type { RefusalStatus } from '../../core/errors/catalogue.ts';

/** Why an agent is sent away: RFC 6749 names the member `error`, and agents that register read it with `message`. */
export class AgentRefusal extends Error {
  readonly status: RefusalStatus;
  readonly error: AgentRefusalCode;
  /** Seconds after which it may come again. */
  readonly retryAfter: number | undefined;

  constructor(error: AgentRefusalCode, message: string, retryAfter?: number) {
    super(message);
    this.name = 'AgentRefusal';
    this.error = error;
    this.status = statuses[error];
    this.retryAfter = retryAfter;
  }
}

const statuses = {
  invalid_request: 400,
  invalid_login_hint: 400,
  invalid_refresh_token: 400,
  invalid_claim: 400,
  invalid_claim_token: 401,
  invalid_user_code: 401,
  anonymous_not_enabled: 403,
  service_auth_not_enabled: 403,
  already_claimed: 409,
  claim_not_confirmed: 409,
  claim_expired: 410,
  user_code_expired: 410,
  rate_limited: 429,
  // Of the token endpoint.
  invalid_grant: 400,
  invalid_target: 400,
} as const satisfies Readonly<Record<string, RefusalStatus>>;

export type AgentRefusalCode = keyof typeof statuses;

/** Every code with its status, for who documents them. */
export const agentRefusalStatuses: Readonly<Record<AgentRefusalCode, RefusalStatus>> = statuses;

export function badAgentRequest(message: string): AgentRefusal {
  return new AgentRefusal('invalid_request', message);
}

export function alreadyClaimed(): AgentRefusal {
  return new AgentRefusal(
    'already_claimed',
    'This registration was claimed. Go on with the assertion and refresh token that the claim gave; they are given once.',
  );
}

export function claimExpired(): AgentRefusal {
  return new AgentRefusal('claim_expired', 'This registration is over. Register again.');
}

export function notConfirmed(): AgentRefusal {
  return new AgentRefusal(
    'claim_not_confirmed',
    'No person has confirmed this claim. Have the user open the verification_uri, confirm, and read you the code.',
  );
}

export function codeExpired(): AgentRefusal {
  return new AgentRefusal(
    'user_code_expired',
    'The code is over. Start another attempt at the claim endpoint and give the user its verification_uri.',
  );
}
