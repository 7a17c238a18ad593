import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Store } from '../../store/engine/db.ts';
import { ACCESS_TOPIC } from '../../store/engine/news.ts';
import { isKeyServed } from '../../store/unscoped/processes.ts';
import type { Services } from '../../tools/core/context.ts';
import type { Registry } from '../../tools/core/families.ts';
import type { Limits } from '../../tools/core/limits.ts';
import { DAY_MS, fromNow, HOUR_MS } from '../../tools/core/moments.ts';
import type {
  Background,
  Carrier,
  Clock,
  Digest,
  Ids,
  KeyMaker,
  Receivers,
  Secrets,
  Tokens,
  Wake,
} from '../../tools/core/ports.ts';
import { embeddedCredentials } from '../../tools/domain/credentials/embedded.ts';
import type { CredentialProvider } from '../../tools/domain/credentials/port.ts';
import { embeddedSellers } from '../../tools/domain/sellers/embedded/seller.ts';
import type { Sellers } from '../../tools/domain/sellers/port.ts';
import { createTokens, type Keyring } from '../auth/tokens.ts';
import { keptElsewhere } from '../credentials/elsewhere.ts';
import { createRateLimits, type RateLimits } from '../http/rate-limit.ts';
import { countedMail } from '../mail/counted.ts';
import { createMail } from '../mail/mail.ts';
import { mayReach } from '../net/reachable.ts';
import { countingSellers } from '../operations/counting-sellers.ts';
import { countingLog, type Meter } from '../operations/meter.ts';
import { systemClock } from '../ports/clock.ts';
import { idsBy } from '../ports/ids.ts';
import { keyMaker } from '../ports/keys.ts';
import type { Link } from '../ports/link.ts';
import { createWake } from '../ports/wake.ts';
import { createSellers } from '../sellers/sellers.ts';
import { type Config, publicUrlOf } from '../settings/config.ts';
import { version } from '../settings/version.ts';
import { sendWebhook } from '../webhooks/request.ts';
import type { Parts } from './app.ts';
import type { Outbound } from './outbound.ts';
import { dataFolder, secretsOf } from './secrets-key.ts';

const digest: Digest = (text) => hash('sha256', text, 'hex');

interface Given {
  readonly config: Config;
  readonly parts: Parts;
  readonly store: Store;
  /** What is served. */
  readonly registry: Registry;
  readonly meter: Meter;
  readonly processId: string;
  readonly outbound: Outbound;
  readonly background: Background;
  readonly stopping: AbortSignal;
  readonly closing: AbortSignal;
  /** To the other processes of the database, where there may be any. */
  readonly link: Link | undefined;
  /** The port that was given; known once the service listens. */
  port(): number;
}

interface Created {
  readonly services: Services;
  readonly keyring: Keyring;
  readonly limits: RateLimits;
}

/** What every call gets, from the settings and the parts that were put in place of the usual ones. */
export function createServices(given: Given): Created {
  const { config, parts, store, background, outbound, stopping, closing, meter } = given;
  const clock = parts.clock ?? systemClock;
  const limits = createRateLimits(config, { clock, link: given.link, tally: meter });
  const ids = parts.ids ?? idsBy(clock);
  const secrets = secretsOf(config);
  const keys = keyMaker(config.brand);
  const publicUrl = () => publicUrlOf(config, given.port());
  const wake = wakeOf(given, clock);
  const news = wake.listen(ACCESS_TOPIC);
  const log = countingLog(parts.log, meter);
  const opensElsewhere = (keyId: string) =>
    isKeyServed(store.db, {
      keyId,
      since: fromNow(clock, -config.processLeaseMs),
      except: given.processId,
    });
  const keyring = createTokens({ store, clock, secrets, news, log, publicUrl, opensElsewhere });
  const services: Services = {
    store,
    log,
    processId: given.processId,
    version,
    brand: config.brand,
    publicUrl,
    stopping,
    closing,
    registry: given.registry,
    limits: limitsOf(config),
    ports: {
      clock,
      ids,
      sellers: countingSellers(parts.sellers ?? sellersOf(given, { clock, ids, secrets, wake }), meter),
      tally: meter,
      secrets,
      digest,
      wake,
      background,
      keys,
      receivers: receiversOf(given, clock),
      sellerAddresses: outbound.sellers,
      tokens: keyring,
      credentials: credentialsOf(config, { keys, tokens: keyring, clock }),
      mail: countedMail(parts.mail ?? folderOrServer(config, clock), limits.mails),
    },
  };
  return { services, keyring, limits };
}

function folderOrServer(config: Config, clock: Clock): Carrier {
  return createMail({ config, clock, folder: join(dataFolder(config), 'mail') });
}

/** The limits that tools keep. */
function limitsOf(config: Config): Limits {
  return {
    sellerTimeoutMs: config.sellerTimeoutMs,
    discoveryTimeoutMs: config.discoveryTimeoutMs,
    sellersAtOnce: config.sellersAtOnce,
    sellersSilentAtOnce: config.sellersSilentAtOnce,
    processLeaseMs: config.processLeaseMs,
    answerTimeoutMs: config.mcpAnswerTimeoutMs,
    endGraceMs: config.endGraceHours * HOUR_MS,
    takeoverAfterMs: config.takeoverAfterMs,
    orderTakeovers: config.orderTakeovers,
    serviceTokenMs: config.serviceTokenMs,
    serviceTokenMaxMs: config.serviceTokenMaxMs,
    quotas: {
      sourcesPerStorefront: config.sourcesPerStorefront,
      productsPerStorefront: config.productsPerStorefront,
      openSessions: config.openSessions,
      storedSessions: config.storedSessions,
      productsPerSession: config.productsPerSession,
      bytesPerSession: config.bytesPerSession,
      bytesPerAccount: config.bytesPerAccount,
      bytesPerSeller: config.bytesPerSeller,
      choicesPerSession: config.choicesPerSession,
      keysPerAccount: config.keysPerAccount,
      answerBytes: config.answerBytes,
      answerBytesPerAccount: config.answerBytesPerAccount,
      proposalsPerStorefront: config.proposalsPerStorefront,
      bytesPerProposal: config.bytesPerProposal,
      linksPerAdvertiser: config.linksPerAdvertiser,
      subscriptionsPerAccount: config.subscriptionsPerAccount,
      accountsPerOrganization: config.accountsPerOrganization,
      apiKeysPerOrganization: config.apiKeysPerOrganization,
      advertisersPerAccount: config.advertisersPerAccount,
      brandsPerOrganization: config.brandsPerOrganization,
      joinLinksPerAccount: config.joinLinksPerAccount,
      domainsPerOrganization: config.domainsPerOrganization,
      serviceTokensPerOrganization: config.serviceTokensPerOrganization,
      applicationsPerOrganization: config.applicationsPerOrganization,
      secretsPerApplication: config.secretsPerApplication,
      originsPerOrganization: config.originsPerOrganization,
      invitationsPerDay: config.invitationsPerDay,
      versionsPerBuy: config.versionsPerBuy,
      sellerVersionsPerBuy: config.sellerVersionsPerBuy,
    },
    codeTriesPerHour: config.codeTriesPerHour,
    keysKeptMs: config.keysKeptHours * HOUR_MS,
    approvalMs: config.approvalDays * DAY_MS,
  };
}

/** Those who wait are woken once what they wait for is stored. */
function wakeOf({ store, link }: Given, clock: Clock): Wake {
  const wake = createWake(clock, link);
  store.onStored((topic) => wake.signal(topic));
  return wake;
}

function receiversOf({ config, outbound }: Given, clock: Clock): Receivers {
  const { webhookGuard: guard, ca } = outbound;
  return {
    isOpen: (url) => mayReach(guard, url),
    send: (message, signal) =>
      sendWebhook(message, { guard, ca, timeoutMs: config.webhookTimeoutMs, clock, signal }),
  };
}

/** Keys are kept in our tables, or by a service of the operator's. */
function credentialsOf(
  config: Config,
  parts: { readonly keys: KeyMaker; readonly tokens: Tokens; readonly clock: Clock },
): CredentialProvider {
  const { brand, apiKeysPerOrganization: most, widgetTokenMs: widgetMs } = config;
  return keptElsewhere(config) ?? embeddedCredentials({ ...parts, brand, most, widgetMs });
}

function sellersOf(
  { config, store, outbound }: Given,
  { clock, ids, secrets, wake }: { clock: Clock; ids: Ids; secrets: Secrets; wake: Wake },
): Sellers {
  return createSellers({
    agent: async () => {
      const { agentSellers } = await import('../sellers/agent-seller.ts');
      return agentSellers({ config, routes: outbound.sellers, clock, wake, secrets });
    },
    embedded: embeddedSellers({ store, clock, ids, digest }),
  });
}
