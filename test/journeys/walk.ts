import { restPaths } from '../../tools/core/addresses.ts';
import { waitingSpend } from '../support/buying/spend-limits.ts';
import { headersOf } from '../support/callers/browsers.ts';
import { newLegacyKey } from '../support/callers/legacy-keys.ts';
import { peopleOf, sponsoredBuyer } from '../support/callers/newly-joined.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type Lane, type Outcome, overRest } from '../support/callers/tool-lanes.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { proposedFor } from '../support/sellers/proposed.ts';
import type { TestServer } from '../support/server/server.ts';
import { type Capability, capabilityOf, changes, journey } from './journey.ts';
import { type Fields, isForPeople, type Made, type Step } from './step.ts';

/** Who walks: each side with an organization of its own. */
export interface Walkers {
  readonly buyer: Person;
  readonly seller: Person;
}

/** A step whose turn it is. */
export interface Moment {
  readonly step: Step;
  readonly capability: Capability;
  readonly args: Fields;
  readonly made: Made;
  readonly walkers: Walkers;
  /** Whose step it is. */
  readonly person: Person;
  /** The id of the object that the step is to change, if the call names it. */
  readonly subject: string | null;
  /** The call of the step, with another key or other arguments where they are given. */
  ask(changes?: { key?: string | undefined; args?: Fields; lane?: Lane }): Promise<Outcome>;
}

export interface WalkOptions {
  readonly lane?: Lane;
  readonly walkers?: Walkers;
  /** Leaves out what only reads and gives nothing to later steps, where `instead` does not ask it. */
  readonly onlyMakes?: true;
  /** Arguments for a step, made of its own. */
  respell?(step: Step, args: Fields): Fields;
  /** Asks something at the moment at which the step would succeed. */
  before?(moment: Moment): Promise<void>;
  /** Makes the call of the step in its own way; undefined leaves it to the walk. */
  instead?(moment: Moment): Promise<Outcome | undefined>;
  after?(moment: Moment, outcome: Outcome): Promise<void>;
}

export interface Walked {
  /** The last answer of each capability. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly made: Made;
  readonly walkers: Walkers;
}

export async function newWalkers(server: TestServer): Promise<Walkers> {
  return {
    seller: await newPerson(server, { roles: ['SELLER'] }),
    buyer: await newPerson(server, { roles: ['BUYER'] }),
  };
}

/** Goes through the whole journey. Fails at the first step that does. */
export async function walk(server: TestServer, options: WalkOptions = {}): Promise<Walked> {
  const walkers = options.walkers ?? (await newWalkers(server));
  const way = { server, walkers, options, names: new Map(await madeBefore(server, walkers)) };
  const outcomes = new Map<string, Outcome>();
  for (const step of journey) {
    const moment = momentOf(step, way);
    await options.before?.(moment);
    const outcome = await outcomeOf(moment, options);
    if (outcome === undefined) continue;
    if (outcome.failed) throw new Error(`${step.tool} failed: ${JSON.stringify(outcome.content)}`);
    outcomes.set(step.tool, outcome);
    for (const [name, field] of Object.entries(step.gives ?? {})) {
      way.names.set(name, findText(outcome.content, field) ?? `no ${field}`);
    }
    await options.after?.(moment, outcome);
    await makeBeside(step, way);
  }
  return { outcomes, made: madeOf(way.names), walkers };
}

/** Undefined of a step that is left out. */
async function outcomeOf(moment: Moment, { instead, onlyMakes }: WalkOptions): Promise<Outcome | undefined> {
  const asked = await instead?.(moment);
  if (asked === undefined && onlyMakes && makesNothing(moment.step)) return undefined;
  return asked ?? moment.ask();
}

function makesNothing(step: Step): boolean {
  return !changes(step) && step.gives === undefined && BESIDE[step.tool] === undefined;
}

/** What comes about beside the capabilities once a step is made: `BESIDE` in journey.ts. */
async function makeBeside({ tool }: Step, way: Way): Promise<void> {
  const made = await BESIDE[tool]?.(way);
  for (const [name, value] of Object.entries(made ?? {})) way.names.set(name, value);
}

const BESIDE: Readonly<Record<string, (way: Way) => Promise<Record<string, string>>>> = {
  advertiser_create: async ({ names, walkers: { buyer } }) => ({
    liveAdvertiserId: await liveAdvertiser(buyer, names.get('advertiserId') ?? ''),
  }),
  discover_products: async ({ server, names, walkers }) => {
    const { organizationId } = walkers.buyer;
    const [sessionId = '', productId = ''] = ['discoveryId', 'foundProductId'].map((name) => names.get(name));
    return { proposalId: await proposedFor(server, { organizationId, sessionId, productId }) };
  },
  join_link_create: async ({ server, names }) => ({
    sponsoredBuyerId: await sponsoredBuyer(server, names.get('joinSlug') ?? ''),
  }),
  campaign_execute: async ({ server, names, walkers: { buyer } }) => {
    const advertiserId = await liveAdvertiser(buyer, names.get('advertiserId') ?? '');
    // What others sell on the same server has terms that nobody knows here.
    const draft = { advertiserId, storefrontIds: [names.get('storefrontId') ?? ''] };
    const one = await waitingSpend(server, buyer, draft);
    const other = await waitingSpend(server, buyer, draft);
    // As many as a list needs to be seen to have pages.
    await waitingSpend(server, buyer, draft);
    const { campaignId: waitingCampaignId, approvalId: spendApprovalId } = one;
    return { waitingCampaignId, spendApprovalId, otherSpendApprovalId: other.approvalId };
  },
};

/** In the sandbox nothing waits: a walk that made its advertiser there gets another one. */
async function liveAdvertiser(buyer: Person, advertiserId: string): Promise<string> {
  const { sandbox } = done(await buyer.get(`/buyer/advertisers/${advertiserId}`));
  return sandbox ? newAdvertiser(buyer) : advertiserId;
}

/** How far a walk has come. */
interface Way {
  readonly server: TestServer;
  readonly walkers: Walkers;
  readonly options: WalkOptions;
  readonly names: Map<string, string>;
}

function madeOf(names: ReadonlyMap<string, string>): Made {
  return (name) => {
    const value = names.get(name);
    if (value === undefined) throw new Error(`Nothing was made that is called ${name}.`);
    return value;
  };
}

function momentOf(step: Step, { server, walkers, options, names }: Way): Moment {
  const capability = capabilityOf(step);
  const made = madeOf(names);
  const own = step.args?.(made) ?? {};
  const args = options.respell?.(step, own) ?? own;
  const person = walkers[step.by];
  const id = names.get(step.logged?.id ?? '');
  const subject = id !== undefined && Object.values(args).map(String).includes(id) ? id : null;
  const ask: Moment['ask'] = async ({ key, args: others = args, lane = options.lane } = {}) => {
    const shown = key ?? (await credentialOf(step, person));
    return callOver(lane ?? overRest, {
      url: server.url,
      key: shown === '' ? undefined : shown,
      capability,
      args: others,
    });
  };
  return { step, capability, args, subject, made, walkers, person, ask };
}

/** What a walker shows: a key, or, where no key is enough, the browser at which it is signed in. */
export function credentialOf(step: Step, person: Person): Promise<string> | string {
  return isForPeople(step) ? person.browser() : person.key;
}

/** As many as a list needs to be seen to have pages. */
const LEGACY_KEYS = 4;

/** What no capability makes and some need, by the names that steps know it by: `BEFORE` in journey.ts. */
async function madeBefore(server: TestServer, { buyer }: Walkers): Promise<[string, string][]> {
  // Signed in now, and not in the middle of a step that is to change nothing.
  await buyer.browser();
  const ids = [];
  for (let made = 0; made < LEGACY_KEYS; made += 1) ids.push(await newLegacyKey(server, buyer));
  return [['legacyKeyId', ids[0] ?? ''], ...(await peopleOf(server, buyer.organizationId))];
}

interface Call {
  readonly url: string;
  readonly key: string | undefined;
  readonly capability: Capability;
  readonly args: Fields;
}

/** Any capability over a lane; a stream, which has one way only, over that. */
function callOver(lane: Lane, { capability, ...call }: Call): Promise<Outcome> {
  return 'handler' in capability ? lane({ ...call, tool: capability }) : readStream(capability, call);
}

/** A stream, read up to its end. */
async function readStream(
  stream: Exclude<Capability, { handler: unknown }>,
  { url, key, args }: Omit<Call, 'capability'>,
): Promise<Outcome> {
  const [template = ''] = restPaths(stream.surface, stream);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
  const others = Object.entries(args).filter(([name]) => !template.includes(`{${name}}`));
  const query = new URLSearchParams(Object.fromEntries(others.map(([name, value]) => [name, String(value)])));
  const response = await fetch(`${url}${path}?${query}`, {
    headers: headersOf(key),
  });
  const text = await response.text();
  const failed = response.status >= 400;
  const content = failed ? JSON.parse(text).error : { events: text };
  return { status: response.status, content, failed, headers: response.headers, replayed: false };
}

export function findText(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name === field && (typeof inner === 'string' || typeof inner === 'number')) return String(inner);
    const found = findText(inner, field);
    if (found !== undefined) return found;
  }
  return undefined;
}
