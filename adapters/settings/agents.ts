import { z } from 'zod';
import { count, requests, setting } from './setting.ts';

const waysIn = ['anonymous', 'service_auth'] as const;

export type AgentWay = (typeof waysIn)[number];

const DAY = 86_400;

/** Agents that register themselves: which ways in are open, how often, and how long what they get lives. */
export const agentSettings = {
  agentRegistration: setting(
    'AGENT_REGISTRATION',
    z
      .enum(['anonymous,service_auth', 'anonymous', 'service_auth', 'off'])
      .default('anonymous,service_auth')
      .transform((text): readonly AgentWay[] => waysIn.filter((way) => text.split(',').includes(way))),
    'How agents without a credential may register: anonymous (a sandbox of their own, to read), service_auth (a ' +
      'person claims them), both with a comma between, or off.',
  ),
  agentAnonymousPerIp: setting(
    'AGENT_ANONYMOUS_PER_IP',
    requests(5),
    'Anonymous registrations an hour of one IP address.',
  ),
  agentAnonymousInAll: setting(
    'AGENT_ANONYMOUS_IN_ALL',
    requests(100),
    'Anonymous registrations an hour of everybody together.',
  ),
  agentRequestsPerIp: setting(
    'AGENT_REQUESTS_PER_IP',
    requests(60),
    'Requests an hour of one IP address to register for a claim, claim and refresh.',
  ),
  agentRequestsInAll: setting(
    'AGENT_REQUESTS_IN_ALL',
    requests(1_000),
    'Requests an hour of everybody together to register for a claim, claim and refresh.',
  ),
  agentRegistrationSeconds: setting(
    'AGENT_REGISTRATION_SECONDS',
    count(DAY, 60, 30 * DAY),
    'Seconds after which a registration that nobody claimed is over, and its sandbox with it.',
  ),
  agentClaimSeconds: setting(
    'AGENT_CLAIM_SECONDS',
    count(600, 30, 3_600),
    'Seconds in which a person confirms a claim and the agent brings the code.',
  ),
  agentAssertionSeconds: setting(
    'AGENT_ASSERTION_SECONDS',
    count(3_600, 30, DAY),
    'Seconds an identity assertion of an agent is exchanged for access tokens.',
  ),
  agentTokenSeconds: setting(
    'AGENT_TOKEN_SECONDS',
    count(900, 30, 3_600),
    'Seconds an access token of an agent lives.',
  ),
  agentRefreshSeconds: setting(
    'AGENT_REFRESH_SECONDS',
    count(30 * DAY, 60, 366 * DAY),
    'Seconds a refresh token of an agent lives; a claimed agent that uses none for so long is over.',
  ),
};
