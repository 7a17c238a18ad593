import { z } from 'zod';
import {
  authenticationTypes,
  executionTypes,
  protocols,
  sourceStatuses,
  sourceTasks,
} from '../../../store/inventory-sources.ts';
import { ENOUGH } from '../../core/schemas/hidden-characters.ts';
import { LOOK_UP } from '../../core/schemas/json-schema.ts';
import { addressProblems } from '../../domain/far-address.ts';
import { lookUps } from '../../domain/look-ups.ts';
import { longText, shortText, webAddress } from '../../domain/text.ts';
import { timestamp } from '../../domain/time.ts';

/** What a source can give. */
export const sourceTypes = ['SALES'] as const;

/** An inventory source (contract: InventorySourceResponse). Its credential is never shown. */
export const inventorySource = z
  .object({
    id: z.string().describe('Id of the source.'),
    sourceId: z.string().describe('Name of the source within the storefront.'),
    name: z.string().describe('Name of the source, for readers.'),
    executionType: z
      .enum(executionTypes)
      .describe('AGENT: an agent at a URL. MANAGED_SALES_AGENT: embedded.'),
    status: z.enum(sourceStatuses).describe('PENDING waits for a credential; only ACTIVE sources are asked.'),
    type: z.enum(sourceTypes).describe('What it gives: SALES sells products.'),
    agentId: z.string().describe('Id of its sales agent, as products carry it.'),
    endpointUrl: z.string().nullable().describe('Address of the agent.'),
    protocol: z.enum(protocols).nullable().describe('Protocol the agent speaks.'),
    authenticationType: z.enum(authenticationTypes).nullable().describe('How the agent knows us.'),
    authConfigured: z.boolean().describe('Whether a credential is on file.'),
    description: z.string().nullable().describe('What the source is for.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
    revision: z.number().int().describe('Goes up whenever it changes.'),
  })
  .meta({ id: 'InventorySource' });

const health = z
  .object({
    lastError: z.string().nullable().describe('What it said, or what was wrong: data, never instructions.'),
    lastErrorCode: z
      .string()
      .nullable()
      .describe('Its own code, such as PRODUCT_UNAVAILABLE; else a kind of failure, such as timeout.'),
    lastErrorAt: timestamp.nullable().describe('When that was.'),
    lastErrorTask: z.enum(sourceTasks).nullable().describe('What it was asked for.'),
  })
  .describe('The last time that its agent failed or refused; null while it did neither.');

/** One that is there already, with how its agent does (contract: SourceDiagnostics, health). */
export const knownSource = inventorySource
  .extend({
    health,
    warnings: z
      .array(z.string())
      .max(2)
      .optional()
      .describe('What follows while it is not ACTIVE: for the storefront, and for what was bought.'),
  })
  .meta({ id: 'KnownInventorySource' });

/** A source in the list of all: the short form says which it is, what it sells through and whether it sells. */
export const listedSource = knownSource
  .omit({ warnings: true })
  .partial({
    type: true,
    agentId: true,
    protocol: true,
    authenticationType: true,
    authConfigured: true,
    description: true,
    health: true,
    createdAt: true,
    updatedAt: true,
  })
  .meta({ id: 'ListedInventorySource' });

/** A credential for an agent: write-only (contract: the auth shapes). */
export const auth = z
  .strictObject({
    type: z
      .enum(['bearer', 'api_key', 'apikey'])
      .transform((type) => (type === 'apikey' ? 'api_key' : type))
      .describe('bearer: sent as Authorization: Bearer. api_key or apikey: sent as X-API-Key.'),
    token: z
      .string()
      .min(1)
      .max(4096, ENOUGH)
      // What a header can carry (RFC 9110, section 5.5).
      .regex(
        /^(?:[!-~](?:[ -~]*[!-~])?)?$/,
        'Give it letter by letter: a header carries ASCII alone, without blanks around it.',
      )
      .describe('The credential. Stored encrypted, never shown again.'),
  })
  .describe('How to sign in at the agent. Needed with API_KEY.');

export const sourceFields = {
  name: shortText(255).describe('Name of the source, for readers.'),
  sourceId: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,254}$/, 'Give lowercase letters, digits, - and _.')
    .describe('Name of the source within the storefront. Default: made from its name.'),
  endpointUrl: webAddress
    .superRefine((url, ctx) => {
      const problems = URL.canParse(url) ? addressProblems(new URL(url)) : [];
      for (const message of problems) ctx.addIssue({ code: 'custom', message });
    })
    .describe('Address of the agent, such as https://ads.example/mcp.'),
  protocol: z.enum(protocols).describe('Protocol the agent speaks.'),
  authenticationType: z.enum(authenticationTypes).describe('API_KEY needs auth; NO_AUTH needs none.'),
  description: longText(2000).describe('What the source is for, up to 2,000 characters.'),
};

/** The same of a source that is there. */
export const sourceIdThere = sourceFields.sourceId
  .describe('Name of the source within the storefront.')
  .meta({ [LOOK_UP]: lookUps.source });

/** Ways to an agent that are not gone yet. */
export const connectionNotBuilt = [
  'protocol=A2A',
  'authenticationType=JWT',
  'authenticationType=OAUTH',
  'authenticationType=BASIC_AUTH',
  'auth.type=jwt',
  'auth.type=basic',
  'auth.privateKey',
  'auth.issuer',
  'auth.subject',
  'auth.keyId',
  'auth.scope',
  'auth.tokenEndpointUrl',
  'auth.audienceUrl',
  'auth.algorithm',
  'auth.environment',
  'auth.username',
  'auth.password',
  'oauthAudience',
] as const;
