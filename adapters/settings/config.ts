import { z } from 'zod';
import { messageOf } from '../../tools/core/schemas/issue-words.ts';
import { capitalised } from '../../tools/core/schemas/sentences.ts';
import { agentSettings } from './agents.ts';
import { callersSettings } from './callers.ts';
import { credentialSettings } from './credentials.ts';
import { oauthSettings } from './oauth.ts';
import { operationsSettings } from './operations.ts';
import { outboundSettings } from './outbound.ts';
import { peopleSettings } from './people.ts';
import { quotaSettings } from './quotas.ts';
import { serviceSettings } from './service.ts';
import { storageSettings } from './storage.ts';

/** Every setting of the service. The table in docs/settings.md is made from this list. */
export const settings = z.object({
  ...serviceSettings,
  ...operationsSettings,
  ...storageSettings,
  ...callersSettings,
  ...outboundSettings,
  ...oauthSettings,
  ...peopleSettings,
  ...agentSettings,
  ...credentialSettings,
  ...quotaSettings,
});

export type Config = Readonly<z.output<typeof settings>>;

/** The variable that holds a setting. */
export function variableOf(name: string, schema: z.ZodType): string {
  const env = schema.meta()?.['env'];
  return typeof env === 'string' ? env : name;
}

/** Settings that stop the start, each with its name. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, options);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the settings from variables, all problems at once. An empty variable counts as absent. */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(settings.shape).map(([name, schema]) => [
      name,
      variables[variableOf(name, schema)] || undefined,
    ]),
  );
  const result = settings.safeParse(given);
  const problems = [
    ...(result.error?.issues ?? []).map((issue) => problemOf(issue, given)),
    ...missing(given),
    ...contradictions(result.data),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(result.data);
}

function missing(given: Readonly<Record<string, string | undefined>>): string[] {
  if (given['environment'] !== 'production' || given['secretsKey'] !== undefined) return [];
  return ['SECRETS_KEY: required in production. Make one: openssl rand -base64 32'];
}

/** Settings that are fine alone and not together. */
function contradictions(config: Config | undefined): string[] {
  if (config === undefined) return [];
  const { oidcIssuer, oidcClientId, oidcClientSecret, port, metricsPort } = config;
  const oidc = [oidcIssuer, oidcClientId, oidcClientSecret].filter((part) => part !== undefined).length;
  return [
    port !== 0 && port === metricsPort && `METRICS_PORT: PORT is ${port} too. Give each a port of its own.`,
    config.sellerAllowedCidrs.length > 0 &&
      config.sellerAllowedOrganizations.length === 0 &&
      'SELLER_ALLOWED_ORGANIZATIONS: required with SELLER_ALLOWED_CIDRS. Name the organizations, or * for all.',
    config.mailUrl !== undefined &&
      config.mailFrom === undefined &&
      'MAIL_FROM: required with MAIL_URL. Name the sender, such as Acme <no-reply@acme.example>.',
    oidc > 0 &&
      oidc < 3 &&
      'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: give all three, or none of them.',
    config.credentialProviderUrl !== undefined &&
      config.credentialProviderSecret === undefined &&
      'CREDENTIAL_PROVIDER_SECRET: required with CREDENTIAL_PROVIDER_URL.',
  ].filter((problem) => problem !== false);
}

function problemOf(issue: z.core.$ZodIssue, given: unknown): string {
  const name = String(issue.path[0]);
  const setting = Object.entries(settings.shape).find(([key]) => key === name);
  return `${setting === undefined ? name : variableOf(name, setting[1])}: ${messageOf(issue, [], given)}`;
}

/** The address callers use, without a slash at its end. */
export function publicUrlOf(config: Config, port: number = config.port): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return (config.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '');
}

/** The name of this installation as titles have it. */
export function titleOf({ brand }: Pick<Config, 'brand'>): string {
  return capitalised(brand);
}

/** The variables of this process and these, for a program that it starts. */
export function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}
