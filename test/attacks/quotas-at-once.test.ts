import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../support/callers/client.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { newAddress } from '../support/callers/signed-in.ts';
import { discover } from '../support/sellers/discovery.ts';
import { farSeller } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser, productFields } from '../support/sellers/market.ts';
import { offerFields, planned } from '../support/sellers/offers.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { allUnderWay } from '../support/server/under-way.ts';

const MOST = 4;
const AT_ONCE = 16;
/** Those of them that may be made, or may not, by what the others have done. */
const LAST = 2;

/** Makes one more of what is counted; each under another number. */
type Make = (number: number) => Promise<Reply>;

interface Quota {
  readonly setting: string;
  /** To whoever asks for one more. */
  readonly said: string | RegExp;
  /** How it is refused, where that is not for good. */
  readonly refused?: { readonly status: number; readonly code: 'CONFLICT' | 'RATE_LIMITED' };
  /** How many there may be, where that is not as of all others. */
  readonly most?: number;
  /** How many of the quota are there before anybody asks. */
  readonly before?: number;
  make(server: TestServer, owner: Person): Promise<Make>;
}

const FOR_GOOD = { status: 409, code: 'CONFLICT' } as const;

/** Two who manage it: a person holds what they do themselves, and would keep the quota alone. */
async function atBrowsers(server: TestServer, { organizationId }: Person) {
  const [one, other] = [await managerOf(server, organizationId), await managerOf(server, organizationId)];
  return { one, of: (number: number) => (number % 2 === 0 ? one : other) };
}

/** Everything that one tenant may have so many of, and no more. */
const quotas: Readonly<Record<string, Quota>> = {
  'inventory sources': {
    said: 'The storefront has 4 inventory sources, which is the limit.',
    setting: 'SOURCES_PER_STOREFRONT',
    make: async (_server, owner) => {
      done(await owner.post('/storefront', { name: 'Corner', defaultCurrency: 'USD' }));
      return (number) =>
        owner.post('/storefront/inventory-sources', {
          name: `Shelf ${number}`,
          executionType: 'MANAGED_SALES_AGENT',
        });
    },
  },
  'products on the market': {
    said: 'The storefront has 4 products on the market, which is the limit.',
    setting: 'PRODUCTS_PER_STOREFRONT',
    make: async (_server, owner) => {
      done(await owner.post('/storefront', { name: 'Corner', defaultCurrency: 'USD' }));
      const source = { name: 'Shelf', executionType: 'MANAGED_SALES_AGENT' };
      done(await owner.post('/storefront/inventory-sources', source));
      return (number) => owner.post('/storefront/products', productFields({ name: `Display ${number}` }));
    },
  },
  'webhook subscriptions': {
    said: 'The account has 4 subscriptions, which is the limit.',
    setting: 'WEBHOOK_SUBSCRIPTIONS_PER_ACCOUNT',
    make: async (_server, owner) => (number) =>
      owner.post('/buyer/webhook-subscriptions', {
        url: `https://hooks.acme.example/${number}`,
        secret: 'a-secret-nobody-guesses',
        eventTypes: ['discovery.revision'],
      }),
  },
  'proposals of a storefront': {
    said: 'The storefront has 4 proposals, which is the most it may have, those that ended among them.',
    setting: 'PROPOSALS_PER_STOREFRONT',
    make: async (server) => {
      const made = await planned(server);
      await made.agent.stop();
      return () => made.seller.post('/storefront/proposals', offerFields(made, made.buyer));
    },
  },
  'discovery sessions': {
    said: 'The account has 4 discovery sessions, which is the limit.',
    setting: 'DISCOVERY_SESSIONS_STORED',
    make: async (_server, owner) => {
      const advertiserId = await newAdvertiser(owner);
      return () => owner.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 0 });
    },
  },
  'choices of a session': {
    said: 'Chosen products of a session: 4 at the most.',
    setting: 'DISCOVERY_CHOICES_PER_SESSION',
    make: async (server, owner) => {
      const products = Array.from({ length: AT_ONCE }, (_, number) => adcpProduct(`one-${number}`));
      const { agent, storefrontId } = await farSeller(server, 'Ada', products);
      const { discoveryId } = await discover(owner, await newAdvertiser(owner), [storefrontId]);
      await agent.stop();
      return (number) =>
        owner.post(`/buyer/discovery/${discoveryId}/products`, {
          products: [{ productId: `one-${number}` }],
        });
    },
  },
  invitations: {
    said: /had 4 invitations mailed in 24 hours, which is the most it may\./,
    refused: { status: 429, code: 'RATE_LIMITED' },
    setting: 'INVITATIONS_PER_DAY',
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      return (number) => admins.of(number).post('/invitations', { email: newAddress() });
    },
  },
  accounts: {
    said: 'The organization at the top has 4 accounts below it, which is the most it may have.',
    setting: 'ACCOUNTS_PER_ORGANIZATION',
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      return (number) =>
        admins
          .of(number)
          .post('/buyer/accounts/create-child', { name: `Branch ${number}`, customerRole: 'BUYER' });
    },
  },
  'API keys': {
    said: 'The organization has 4 live keys, which is the most it may have.',
    setting: 'API_KEYS_PER_ORGANIZATION',
    before: 1,
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      return (number) =>
        admins.of(number).post('/org-api-keys', { name: `Key ${number}`, permissions: ['buyer:read'] });
    },
  },
  applications: {
    said: 'The organization has 4 applications, which is the most it may have.',
    setting: 'APPLICATIONS_PER_ORGANIZATION',
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      return (number) =>
        admins
          .of(number)
          .post('/m2m-applications', { name: `Bidder ${number}`, permissions: ['buyer:read'] });
    },
  },
  'secrets of an application': {
    said: 'The application has 4 live secrets, which is the most it may have.',
    setting: 'SECRETS_PER_APPLICATION',
    before: 1,
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      const fields = { name: 'Bidder', permissions: ['buyer:read'] };
      const { application } = done(await admins.one.post('/m2m-applications', fields));
      return (number) => admins.of(number).post(`/m2m-applications/${application.id}/secrets`);
    },
  },
  advertisers: {
    said: 'The account has 4 advertisers, which is the most it may have.',
    setting: 'ADVERTISERS_PER_ACCOUNT',
    make: async (_server, owner) => (number) =>
      owner.post('/buyer/advertisers', {
        name: `Acme ${number}`,
        brand: 'acme.example',
        saveBrand: true,
        primaryCurrency: 'USD',
      }),
  },
  'registered brands': {
    said: 'The organization has 3 registered brands, which is the most it may have.',
    setting: 'BRANDS_PER_ORGANIZATION',
    // Each comes with an advertiser, and of those there may be more.
    most: 3,
    before: 1,
    make: async (_server, owner) => {
      const fields = { brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };
      const { id } = done(await owner.post('/buyer/advertisers', { name: 'Acme', ...fields }));
      // One that is changed holds no account, as the new ones do of which there may be so many.
      return (number) => {
        const other = { ...fields, brand: `acme-${number}.example` };
        return number % 2 === 0
          ? owner.put(`/buyer/advertisers/${id}`, other)
          : owner.post('/buyer/advertisers', { name: `Acme ${number}`, ...other });
      };
    },
  },
  'join links': {
    said: 'The account has 4 open join links, which is the most it may have.',
    setting: 'JOIN_LINKS_PER_ACCOUNT',
    make: async (_server, owner) => {
      done(await owner.post('/storefront', { name: 'Corner', defaultCurrency: 'USD' }));
      return () => owner.post('/storefront/join-links', {});
    },
  },
  domains: {
    said: 'The organization has 4 domains, which is the most it may have.',
    setting: 'DOMAINS_PER_ORGANIZATION',
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      return (number) =>
        admins.of(number).post('/domains', { domain: `acme-${owner.organizationId}-${number}.example` });
    },
  },
  'service tokens': {
    said: 'The organization has 4 live service tokens, which is the most it may have.',
    setting: 'SERVICE_TOKENS_PER_ORGANIZATION',
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      return (number) => admins.of(number).post('/service-tokens', { name: `Report ${number}` });
    },
  },
  'browser origins': {
    said: 'The organization has 4 origins, which is the most it may have.',
    setting: 'BROWSER_ORIGINS_PER_ORGANIZATION',
    make: async (server, owner) => {
      const admins = await atBrowsers(server, owner);
      return (number) =>
        admins.of(number).post('/buyer/browser-origins', { origin: `https://app-${number}.example` });
    },
  },
};

describe('the quota of a tenant', () => {
  let server: TestServer;
  beforeAll(async () => {
    const settings = Object.values(quotas).map(({ setting, most = MOST }) => [setting, String(most)]);
    const far = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
    server = await startTestServer({ settings: { ...Object.fromEntries(settings), ...far } });
  });
  afterAll(() => server.stop());

  test.each(Object.entries(quotas))(
    'in %s is what the operator set, and is passed by none of many calls, two of which count before either has stored',
    async (_what, { before = 0, most = MOST, refused: { status, code } = FOR_GOOD, said, make }) => {
      const one = await make(server, await newPerson(server));

      const numbers = Array.from({ length: AT_ONCE }, (_, number) => () => one(number));
      const room = most - before - 1;

      const early = await Promise.all(numbers.slice(0, room).map((call) => call()));
      const last = await allUnderWay(server, numbers.slice(room, room + LAST));
      const late = await Promise.all(numbers.slice(room + LAST).map((call) => call()));

      const replies = [...early, ...last, ...late];
      const isMade = (reply: Reply) => reply.status < 300;
      expect(replies.filter(isMade)).toHaveLength(most - before);
      for (const reply of replies) if (!isMade(reply)) expectRefusal(reply, status, { code, words: said });
    },
  );
});
