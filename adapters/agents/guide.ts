import { restPaths } from '../../tools/core/addresses.ts';
import { oauthPaths, wellKnownPaths } from '../../tools/core/root-addresses.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { type AgentRefusalCode, agentRefusalStatuses } from '../../tools/domain/agents/refusals.ts';
import { postClaimScopes, preClaimScopes } from '../../tools/domain/agents/scopes.ts';
import type { App } from '../http/app.ts';
import { titleOf } from '../settings/config.ts';
import { ASSERTION_GRANT, agentPaths } from './reception.ts';

type Facts = Pick<App, 'services' | 'config'>;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** A time as people and models say it: the largest unit that fits without a rest. */
function spoken(seconds: number): string {
  const [unit, name] = [
    [DAY, 'day'] as const,
    [HOUR, 'hour'] as const,
    [MINUTE, 'minute'] as const,
    [1, 'second'] as const,
  ].find(([size]) => seconds % size === 0) ?? [1, 'second'];
  const count = seconds / unit;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** `/auth.md`: how an agent that holds nothing gets in, made of the settings that are in force. */
export function agentGuide(facts: Facts): string {
  const { agentRegistration: ways } = facts.config;
  const isOpen = ways.length > 0;
  const isClaimed = ways.includes('service_auth');
  return [
    intro(facts),
    hosts(facts),
    discovery(facts),
    isOpen ? choice(ways) : closed(),
    ...(isOpen ? [registration(facts)] : []),
    ...(isClaimed ? [claim(facts)] : []),
    ...(isOpen ? [exchange(facts), use(facts)] : []),
    ...(isClaimed ? [refresh(facts)] : []),
    ...(isOpen ? [errors(facts), ending(facts), reach(facts)] : []),
    never(),
    '',
  ].join('\n\n');
}

function intro({ config }: Facts): string {
  const title = titleOf(config);
  return `# ${title}: how an agent signs in

You are an agent and want to use ${title}, a marketplace for advertising, and you hold no credential. This page tells you how to get one by yourself, and how the user you work for turns it into real access. Everything on it is in force now.`;
}

function hosts({ services }: Facts): string {
  const base = services.publicUrl();
  return `## Hosts

- Service and authorization server: ${base}
- REST for buyers: ${base}${surfaces.buyer.prefix}, described in ${base}/openapi.json
${mcpSurfaces.map((surface) => `- MCP for ${surfaces[surface].mcp.audience}: ${base}${surfaces[surface].mcp.path}`).join('\n')}`;
}

function discovery({ services }: Facts): string {
  const base = services.publicUrl();
  return `## Discover

A call without a credential is answered 401 with \`WWW-Authenticate\`. From there:

1. ${base}${wellKnownPaths.protectedResource} names the authorization server.
2. ${base}${wellKnownPaths.authorizationServer} describes it; \`agent_auth\` in it repeats the addresses below.`;
}

function closed(): string {
  return `## Pick a method

Agents cannot register themselves here. Ask the user to connect you over OAuth, or for a key that an administrator made.`;
}

function choice(ways: readonly string[]): string {
  const lines = [
    'If the host you run in can do OAuth for MCP with its user present, let it: give it the MCP address and stop reading.',
    ...(ways.includes('anonymous')
      ? [
          '`anonymous`: you want to look around now, without a user. You read a sandbox of your own, nothing else.',
        ]
      : []),
    ...(ways.includes('service_auth')
      ? [
          '`service_auth`: a user has an account here and wants you to act for them. You need their e-mail address.',
        ]
      : []),
  ];
  return `## Pick a method

${lines.map((line) => `- ${line}`).join('\n')}`;
}

function registration({ services, config }: Facts): string {
  const url = `${services.publicUrl()}${agentPaths.identity}`;
  const ways = config.agentRegistration;
  return [
    '## Register',
    'Bodies and answers are JSON. Times are UTC.',
    ...(ways.includes('anonymous')
      ? [
          block(`POST ${url}`, { type: 'anonymous' }),
          `The answer holds \`id\`, \`identity.assertion\` (go on with Exchange) and \`claim.token\`. Keep the claim token: it is shown once, and a user can claim you with it later. Unclaimed, the registration ends after ${spoken(config.agentRegistrationSeconds)}.`,
        ]
      : []),
    ...(ways.includes('service_auth')
      ? [
          block(`POST ${url}`, { type: 'service_auth', login_hint: 'user@example.com' }),
          'The answer holds `id`, `claim.token` and `claim.attempt.verification_uri`, and no assertion: go on with Claim, at step 2.',
        ]
      : []),
  ].join('\n\n');
}

function claim({ services, config }: Facts): string {
  const url = `${services.publicUrl()}${agentPaths.claim}`;
  return `## Claim

1. Registered as anonymous, or the last attempt is over? Begin one:

${block(`POST ${url}`, { type: 'service_auth', claim_token: 'clm_…', login_hint: 'user@example.com' })}

2. Give the user \`attempt.verification_uri\` as it is. They sign in with exactly that e-mail address, choose an organization, confirm, and are shown a code of six digits. Do not open the address yourself.
3. Ask the user to read you the code, and bring it:

${block(`POST ${services.publicUrl()}${agentPaths.complete}`, { claim_token: 'clm_…', user_code: '123456' })}

The answer holds a new \`identity.assertion\` and \`identity.refresh_token.value\`, once: store both. Everything you held before is void from this moment. An attempt lasts ${spoken(config.agentClaimSeconds)} and five codes. While the user has not confirmed you get 409 \`claim_not_confirmed\`: wait for the user, do not poll.`;
}

function exchange({ services, config }: Facts): string {
  const base = services.publicUrl();
  return `## Exchange

\`\`\`
POST ${base}${oauthPaths.token}
Content-Type: application/x-www-form-urlencoded

grant_type=${ASSERTION_GRANT}&assertion=eyJ…
\`\`\`

No client id, no secret. The answer holds \`access_token\`, \`expires_in\` and \`scope\`. An access token lives ${spoken(config.agentTokenSeconds)}, an assertion ${spoken(config.agentAssertionSeconds)}: exchange the same assertion again until it expires. \`resource\` may name one of the hosts above; without it the token is for all of them.`;
}

function use({ services }: Facts): string {
  return `## Use

\`\`\`
GET ${services.publicUrl()}${surfaces.buyer.prefix}/advertisers
Authorization: Bearer <access_token>
\`\`\`

A result stands in \`data\`, a refusal in \`error\` with \`code\`, \`message\` and \`details.suggestion\`, which says what to do next.`;
}

function refresh({ services, config }: Facts): string {
  return `## Refresh

For the next assertion, once you are claimed:

${block(`POST ${services.publicUrl()}${agentPaths.identity}`, { type: 'refresh', refresh_token: 'agr_…' })}

Each refresh token works once and the answer holds the next; one that is used twice ends the registration. It lives ${spoken(config.agentRefreshSeconds)}. Never send it from two places at once.`;
}

/** What an agent does about a refusal. */
const remedies: Readonly<Record<AgentRefusalCode, string>> = {
  invalid_request: 'correct the body as the message says',
  invalid_login_hint: 'ask the user for their e-mail address',
  invalid_refresh_token: 'register again',
  invalid_claim: 'register again',
  invalid_claim_token: 'register again',
  invalid_user_code: 'ask the user to read the code again',
  anonymous_not_enabled: 'pick another method',
  service_auth_not_enabled: 'pick another method',
  already_claimed: 'go on with what the claim gave you',
  claim_not_confirmed: 'wait for the user',
  claim_expired: 'register again',
  user_code_expired: 'begin another attempt (Claim, step 1)',
  rate_limited: 'wait as long as Retry-After says',
  invalid_grant: 'refresh, or register again',
  invalid_target: 'leave out resource, or name a host of this page',
};

function errors({ services }: Facts): string {
  const lines = Object.entries(remedies).map(
    ([code, remedy]) => `- ${agentRefusalStatuses[code as AgentRefusalCode]} \`${code}\`: ${remedy}`,
  );
  return `## Errors

The endpoints of this page answer \`{"error", "message"}\`, ${services.publicUrl()}${oauthPaths.token} \`{"error", "error_description"}\`:

${lines.join('\n')}`;
}

function ending({ services }: Facts): string {
  return `## Revoke

\`POST ${services.publicUrl()}${oauthPaths.revoke}\` with the form field \`token\`. An access token ends alone; a refresh token or an assertion ends the registration with all it holds. The answer is 200 for any token, known or not. The user can end you as well, at any time; then every call is 401.`;
}

/** What an agent may read that nobody has claimed yet. */
function openBeforeClaim({ services }: Facts): string {
  const open = services.registry.tools.filter(
    ({ access }) => access.kind === 'permission' && access.unclaimedAgents,
  );
  return open
    .flatMap(({ surface, rest }) => restPaths(surface, rest).slice(0, 1))
    .map((path) => `${services.publicUrl()}${path}`)
    .join(' and ');
}

function reach(facts: Facts): string {
  const { config } = facts;
  const before = `- Before a claim (\`${preClaimScopes.join(' ')}\`): GET and HEAD of ${openBeforeClaim(facts)}, in a sandbox that is yours and spends nothing. Everything else, MCP included, is 403. No terms have to be accepted.`;
  const after = `- After a claim (\`${postClaimScopes.join(' ')}\`): what the user may do in the organization they chose, within these scopes, over REST and MCP. Changes need the terms of service accepted by an administrator (403 \`TOS_ACCEPTANCE_REQUIRED\`); grants, governance and spend limits of the organization hold for you too. What the user loses you lose at once.`;
  return [
    '## Before and after the claim',
    [
      ...(config.agentRegistration.includes('anonymous') ? [before] : []),
      ...(config.agentRegistration.includes('service_auth') ? [after] : []),
    ].join('\n'),
  ].join('\n\n');
}

function never(): string {
  return `## Never in chat

- Never ask the user to paste an API key, an M2M secret or a password to you. You cannot read existing ones here, and must not make long-lived ones: a person does that on the settings page and puts them into a secrets manager.
- Never show claim tokens, assertions, access tokens or refresh tokens to the user, or put them into a URL or a log.
- The code of six digits is the only thing that a user reads to you, and only after you gave them the address.`;
}

function block(request: string, body: object): string {
  return ['```', request, 'Content-Type: application/json', '', JSON.stringify(body), '```'].join('\n');
}
