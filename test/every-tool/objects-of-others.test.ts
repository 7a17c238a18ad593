import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, capabilityOf, changes, firstSteps } from '../journeys/journey.ts';
import {
  type Fields,
  isForPeople,
  isObject,
  type NoObject,
  type Reach,
  type Step,
} from '../journeys/step.ts';
import { credentialOf, type Moment, newWalkers, type Walkers, walk } from '../journeys/walk.ts';
import { grantedOnly, inAnotherAccount } from '../support/buying/access.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import type { Outcome } from '../support/callers/tool-lanes.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { endOf, possessions, Seen } from './support.ts';

const NOT_FOUND = '404 NOT_FOUND';
const ACCESS_DENIED = '403 ACCESS_DENIED';

/** How it ends for an organization that has no such object, and elsewhere in the one that has it. */
const ENDS: Readonly<Record<Exclude<Reach, NoObject>, Readonly<Record<string, string>>>> = {
  advertiser: { stranger: NOT_FOUND, otherAccount: ACCESS_DENIED, otherAdvertiser: ACCESS_DENIED },
  account: { stranger: NOT_FOUND, otherAccount: ACCESS_DENIED },
  hidden: { stranger: NOT_FOUND, otherAccount: NOT_FOUND },
  organization: { stranger: NOT_FOUND },
  open: { stranger: 'passed', otherAccount: 'passed' },
};

interface Note {
  readonly ends: Readonly<Record<string, string>>;
  /** What is said of another organization's object, and of one that nobody has. */
  readonly foreign: Outcome;
  readonly absent: Outcome;
  /** For each field that names an object: how it ends when nobody has it. */
  readonly nobodys: Readonly<Record<string, string>>;
  readonly isUnchanged: boolean;
}

/** The fields that name an object, with whose it is. */
function objectsIn({ names = {} }: Step): [string, keyof typeof ENDS][] {
  return Object.entries(names).flatMap(([field, reach]) => (isObject(reach) ? [[field, reach]] : []));
}

const naming = firstSteps.filter((step) => objectsIn(step).length > 0);
const narrowing = firstSteps.filter(({ names = {} }) => Object.values(names).includes('filter'));
/** Everybody is in one, and sees that: its own test looks at it. */
const OWN_ALWAYS = new Set(['account_list', 'member_list']);
/** A person works in every account, and what no key sees is the organization's: its own tests look at those lists. */
const listing = firstSteps.filter((step) => {
  const capability = capabilityOf(step);
  const isList = 'rest' in capability && capability.rest?.list !== undefined;
  // What hangs below an object is 404 with it.
  return isList && !OWN_ALWAYS.has(step.tool) && !isForPeople(step) && objectsIn(step).length === 0;
});

/** An id of the same kind that nobody has. */
function nobodys(id: unknown): unknown {
  return /^\d+$/.test(String(id)) ? String(Number.MAX_SAFE_INTEGER) : `${id ?? 'nobody'}s`;
}

function withoutObjects(step: Step, args: Fields): Fields {
  const absent = objectsIn(step).flatMap(([field]) => (field in args ? [[field, nobodys(args[field])]] : []));
  return { ...args, ...Object.fromEntries(absent) };
}

describe('the objects of others', () => {
  const notes = new Seen<Note>();
  const totals = new Seen<Record<string, unknown>>();
  const narrowed = new Seen<Record<string, number>>();
  const granted = new Seen<string>();
  let server: TestServer;
  let walkers: Walkers;
  let reaching: Person | undefined;
  let others: Readonly<Record<string, Record<'buyer' | 'seller', Person>>>;
  beforeAll(async () => {
    server = await startTestServer();
    walkers = await newWalkers(server);
    const { buyer, seller } = walkers;
    const stranger = await newPerson(server);
    const otherAdvertiser = await grantedOnly(server, buyer, await newAdvertiser(buyer));
    others = {
      stranger: { buyer: stranger, seller: stranger },
      otherAccount: {
        buyer: await inAnotherAccount(server, buyer, 'BUYER'),
        seller: await inAnotherAccount(server, seller, 'SELLER'),
      },
      otherAdvertiser: { buyer: otherAdvertiser, seller },
    };
    await walk(server, { walkers, before: ask, instead: askGranted, after: askForList });
  }, 120_000);
  afterAll(() => server.stop());

  async function ask(moment: Moment): Promise<void> {
    const { step, args } = moment;
    const objects = objectsIn(step);
    if (objects.length === 0) return;
    const had = changes(step) ? await possessions(server, walkers) : '';
    const ends: Record<string, string> = {};
    for (const who of Object.keys(ENDS[reachOf(step)])) {
      ends[who] = endOf(await moment.ask({ key: await keyOf(who, step) }));
    }
    const key = await keyOf('stranger', step);
    const nobodysEnds: Record<string, string> = {};
    for (const [field] of objects) {
      nobodysEnds[field] = endOf(await moment.ask({ args: { ...args, [field]: nobodys(args[field]) } }));
    }
    notes.add(step.tool, {
      ends,
      foreign: await moment.ask({ key }),
      absent: await moment.ask({ key, args: withoutObjects(step, args) }),
      nobodys: nobodysEnds,
      isUnchanged: !changes(step) || (await possessions(server, walkers)) === had,
    });
  }

  /** What belongs to an advertiser is there for a key whose grants reach that advertiser alone. */
  async function askGranted({ step, made, ask: askFor }: Moment): Promise<Outcome | undefined> {
    if (objectsIn(step).length === 0 || reachOf(step) !== 'advertiser') return undefined;
    reaching ??= await grantedOnly(server, walkers.buyer, made('advertiserId'));
    const outcome = await askFor({ key: reaching.key });
    granted.add(step.tool, endOf(outcome));
    return outcome.failed ? undefined : outcome;
  }

  /** What others see of a list that has rows for us. */
  async function askForList({ step, args, ask: askFor }: Moment): Promise<void> {
    if (!listing.some(({ tool }) => tool === step.tool)) return;
    const seen: Record<string, unknown> = {};
    for (const who of ['stranger', 'otherAccount']) {
      seen[who] = rowsIn(await askFor({ key: await keyOf(who, step) }));
    }
    totals.add(step.tool, { ...seen, own: rowsIn(await askFor()) });
    const left: Record<string, number> = {};
    for (const [field, reach] of Object.entries(step.names ?? {})) {
      if (reach === 'filter') left[field] = rowsIn(await askFor({ args: { ...args, [field]: '999999' } }));
    }
    narrowed.add(step.tool, left);
  }

  async function keyOf(who: string, step: Step): Promise<string> {
    const person = others[who]?.[step.by];
    return person === undefined ? '' : credentialOf(step, person);
  }

  test.each(byTool(naming))(
    'are refused by %s to a stranger, another account and another advertiser, and stay as they are',
    (tool, step) => {
      const [note] = notes.of(tool);

      expect(note?.ends).toEqual(ENDS[reachOf(step)]);
      expect(note?.isUnchanged).toBe(true);
    },
  );

  const ofAdvertisers = naming.filter((step) => reachOf(step) === 'advertiser');
  test.each(byTool(ofAdvertisers))(
    'are within reach of %s with a key whose grants name their advertiser',
    (tool) => {
      expect(granted.of(tool)[0]).toBe('passed');
    },
  );

  test.each(byTool(naming))('are to %s what is not there, in the same words', (tool, step) => {
    const [note] = notes.of(tool);

    expect(note?.nobodys).toEqual(Object.fromEntries(objectsIn(step).map(([field]) => [field, NOT_FOUND])));
    if (reachOf(step) !== 'open') expect(note?.foreign.content).toEqual(note?.absent.content);
  });

  test.each(byTool(narrowing))('that nobody has narrow %s to nothing', (tool, { names = {} }) => {
    const filters = Object.keys(names).filter((field) => names[field] === 'filter');

    expect(narrowed.of(tool)[0]).toEqual(Object.fromEntries(filters.map((field) => [field, 0])));
  });

  test.each(byTool(listing))('are not in what %s lists, nor those of another account', (tool, step) => {
    const [seen] = totals.of(tool);

    expect(seen?.['own']).toBeGreaterThan(0);
    const own = seen?.['own'];
    expect(seen).toMatchObject({
      stranger: step.ofEverybody ? own : 0,
      otherAccount: step.ofEverybody || step.ofOrganization ? own : 0,
    });
  });
});

/** Whose the objects of a step are: those of the field that comes first. */
function reachOf(step: Step): keyof typeof ENDS {
  const [first] = objectsIn(step);
  if (first === undefined) throw new Error(`${step.tool} names nothing.`);
  return first[1];
}

/** How many rows a list shows: REST has the list under another name here and there, or bare. */
function rowsIn({ content }: Outcome): number {
  const lists = [content, ...Object.values(content)].filter(Array.isArray);
  return lists[0]?.length ?? -1;
}
