import { insertAdvertiser } from '../../store/advertisers.ts';
import { permissions } from '../../store/api-keys.ts';
import { insertEmbeddedProduct } from '../../store/embedded-products.ts';
import { toJson } from '../../store/engine/codec.ts';
import { type Db, storeWithin } from '../../store/engine/db.ts';
import { isUniqueViolation } from '../../store/engine/dialect.ts';
import type { Scope } from '../../store/engine/scope.ts';
import { insertInventorySource } from '../../store/inventory-sources.ts';
import { insertStorefront } from '../../store/storefronts.ts';
import type { Services } from '../../tools/core/context.ts';
import type { Ports } from '../../tools/core/ports.ts';
import { scopeOfAccount } from '../../tools/domain/ledger/operating.ts';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { type Operator, operatorOf } from '../../tools/domain/organizations/operator.ts';
import {
  createAccount,
  createOrganization,
  findSandbox,
} from '../../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../../tools/domain/organizations/terms.ts';
import { adcpProduct } from '../../tools/domain/sellers/embedded/product.ts';
import { type CatalogStorefront, sandboxStorefronts } from './catalog.ts';
import type { CatalogProduct } from './shelf.ts';

const CURRENCY = 'USD';

/** What it takes of a service, or of a command. */
interface SeedServices extends Pick<Services, 'store' | 'publicUrl'> {
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'keys'>;
}

/**
 * Fills a fresh installation with something to try: an organization that buys, a sandbox advertiser, and two
 * embedded storefronts with their products. Gives a key to it all, or undefined when it is there already. All
 * or nothing: a start that is cut short leaves the next one to begin anew.
 */
export async function seedSandbox(services: SeedServices, reason?: string): Promise<string | undefined> {
  const { store: whole, ports } = services;
  const { clock, ids, keys } = ports;
  const make = () =>
    whole.transaction((tx) => {
      const store = storeWithin(whole, tx);
      const operator = operatorOf({ store, clock, ids, keys }, 'sandbox', reason);
      return seed({ operator, tx, publicUrl: services.publicUrl() });
    });
  try {
    return await make();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Several processes may be started at once: one of them makes it, and the others find it made.
    return make();
  }
}

interface Seeding {
  readonly operator: Operator;
  readonly tx: Db;
  readonly publicUrl: string;
}

async function seed({ operator, tx, publicUrl }: Seeding): Promise<string | undefined> {
  if ((await findSandbox({ db: tx })) !== undefined) return undefined;
  const { organization, customers } = await createOrganization(operator, {
    name: 'Sandbox',
    domain: 'sandbox.example',
    kind: 'sandbox',
    tier: 'premium',
    roles: ['BUYER'],
  });
  const [buyer] = customers;
  if (buyer !== undefined) await seedAdvertiser(operator, tx, scopeOfAccount(buyer));
  for (const storefront of sandboxStorefronts) {
    const account = { organizationId: organization.id, role: 'SELLER' as const, name: storefront.name };
    const customer = await createAccount(operator, account);
    await seedStorefront(operator, tx, { scope: scopeOfAccount(customer), storefront, publicUrl });
  }
  await acceptTerms(operator, organization.id);
  const key = await createKey(operator, {
    organizationId: organization.id,
    name: 'Sandbox',
    permissions,
    environment: 'test',
  });
  return key.value;
}

async function seedAdvertiser({ now }: Operator, tx: Db, scope: Scope): Promise<void> {
  await insertAdvertiser(tx, scope, {
    name: 'Acme Running',
    description: 'Running shoes, for trying things out.',
    brand: 'acme-running.example',
    status: 'ACTIVE',
    sandbox: 1,
    primary_currency: CURRENCY,
    currency_locked: 0,
    optimization_apply_mode: 'MANUAL',
    version: 1,
    created_at: now,
    updated_at: now,
  });
}

interface Seed {
  readonly scope: Scope;
  readonly storefront: CatalogStorefront;
  readonly publicUrl: string;
}

async function seedStorefront(
  operator: Operator,
  tx: Db,
  { scope, storefront, publicUrl }: Seed,
): Promise<void> {
  const { now } = operator;
  const stamps = { created_at: now, updated_at: now };
  const row = await insertStorefront(tx, scope, {
    platform_id: storefront.platformId,
    name: storefront.name,
    publisher_domain: storefront.domain,
    operator_domain: storefront.domain,
    description: storefront.description,
    website: null,
    channels: toJson([...storefront.channels]),
    accepted_countries: null,
    accepts_all_countries: 1,
    default_currency: CURRENCY,
    transacting: 1,
    is_paused: 0,
    archived_at: null,
    version: 1,
    ...stamps,
  });
  const source = await insertInventorySource(tx, scope, {
    id: operator.newId('src'),
    storefront_id: row.id,
    source_id: 'embedded',
    agent_id: operator.newId('agt'),
    name: storefront.name,
    description: 'The embedded seller of this service.',
    execution_type: 'MANAGED_SALES_AGENT',
    status: 'ACTIVE',
    endpoint_url: null,
    protocol: null,
    authentication_type: null,
    auth: null,
    ...stamps,
  });
  for (const product of storefront.products) {
    const product_id = operator.newId('prd');
    await insertEmbeddedProduct(tx, scope, {
      source_id: source.id,
      product_id,
      name: product.name,
      status: 'ACTIVE',
      product: toJson(asAdcpProduct(product, product_id, publicUrl)),
      ...stamps,
    });
  }
}

function asAdcpProduct(
  product: CatalogProduct,
  productId: string,
  agentUrl: string,
): Record<string, unknown> {
  const { cpm, minSpend } = product;
  return adcpProduct({
    productId,
    agentUrl,
    name: product.name,
    description: product.description,
    publisherDomain: product.publisherDomain,
    channels: product.channels,
    countries: product.countries,
    deliveryType: product.guaranteed ? 'guaranteed' : 'non_guaranteed',
    pricingOptions: [
      {
        pricingModel: 'cpm',
        currency: CURRENCY,
        minSpend,
        ...('fixed' in cpm ? { fixedPrice: cpm.fixed } : { floorPrice: cpm.floor }),
      },
    ],
    formats: product.formats,
    estimatedExposures: product.exposures,
  });
}
