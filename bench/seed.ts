import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../adapters/process/server.ts';
import { type Config, readConfig } from '../adapters/settings/config.ts';
import { flightAhead } from '../test/support/sellers/market.ts';
import { createKey } from '../tools/domain/organizations/keys.ts';
import { operatorFor } from '../tools/domain/organizations/operator.ts';
import { createOrganization } from '../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../tools/domain/organizations/terms.ts';
import { type BenchApplication, makeApplication, makePerson, signFor, type TokenOfPerson } from './tokens.ts';

/** What the load is made from: a key, an advertiser and a campaign that are really there. */
export interface Seed {
  /** The database file, alone in its folder. */
  readonly file: string;
  readonly key: string;
  /** An access token that a person gave to a program, and what it says. */
  readonly accessToken: string;
  readonly token: TokenOfPerson;
  readonly application: BenchApplication;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly organizationId: number;
  /** Settings under which Rialto serves it: those of production, the limits on and out of reach. */
  readonly settings: Readonly<Record<string, string>>;
}

const silent = { request: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A fresh database with one organization, made through Rialto itself; on SQLite unless told where. */
export async function makeSeed(folder: string, databaseUrl?: string): Promise<Seed> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'bench.db');
  const settings = {
    NODE_ENV: 'production',
    SECRETS_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: databaseUrl ?? `file:${file}`,
    RATE_LIMIT_PER_IP: '1000000000',
    RATE_LIMIT_PREMIUM: '1000000000',
    RATE_LIMIT_AUTH: '1000000000',
    IDEMPOTENCY_KEYS_PER_ACCOUNT: '10000000',
    // Tokens name who gave them: the same on whatever port it listens.
    PUBLIC_URL: 'http://rialto.bench',
    ALLOWED_HOSTS: '127.0.0.1',
    LOG_LEVEL: 'info',
  };
  const config = readConfig({ ...settings, PORT: '0' });
  const made = await fill(config);
  return { file, settings, ...made };
}

async function fill(config: Config) {
  const running = await startServer(config, { log: silent });
  try {
    const operator = operatorFor(running.app.services, 'bench');
    const { organization } = await createOrganization(operator, {
      name: 'Bench',
      domain: 'bench.example',
      roles: ['BUYER'],
      tier: 'premium',
    });
    await acceptTerms(operator, organization.id);
    const { value: key } = await createKey(operator, {
      organizationId: organization.id,
      name: 'Bench',
      permissions: ['buyer:read', 'buyer:write'],
    });
    const token = await makePerson(operator, running.app.services, organization.id);
    const accessToken = await signFor(running.app.services, token);
    const application = await makeApplication(running.app.services, organization.id);
    const post = (path: string, body: unknown) => create({ url: `${running.url}${path}`, key, body });
    const advertiser = await post('/api/v2/buyer/advertisers', advertiserBody);
    const advertiserId = String(advertiser['id']);
    const { campaign } = await post('/api/v2/buyer/campaigns', campaignBody(advertiserId));
    const campaignId = String((campaign as { campaignId: string }).campaignId);
    return {
      key,
      accessToken,
      token,
      application,
      organizationId: organization.id,
      advertiserId,
      campaignId,
    };
  } finally {
    await running.stop();
  }
}

const advertiserBody = { name: 'Bench', brand: 'brand.example', saveBrand: true, primaryCurrency: 'USD' };

const flightDates = flightAhead();

/** The body that the load posts. */
export function campaignBody(advertiserId: string) {
  return {
    advertiserId,
    name: 'Winter campaign',
    budget: { total: 25_000, currency: 'USD' },
    flightDates,
    brief: 'Families who ski, in the evening, on the big screen.',
  };
}

async function create(call: { url: string; key: string; body: unknown }): Promise<Record<string, unknown>> {
  const response = await fetch(call.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${call.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(call.body),
  });
  const answer = (await response.json()) as { data: Record<string, unknown>; error: unknown };
  if (response.status !== 201) throw new Error(`The seed was refused: ${JSON.stringify(answer.error)}`);
  return answer.data;
}
