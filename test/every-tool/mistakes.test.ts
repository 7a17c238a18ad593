import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type Outcome, overMcp } from '../support/callers/tool-lanes.ts';
import { draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { type Call, type Mistake, takenBack, type World } from './mistake.ts';
import { mistakes } from './mistakes.ts';
import { nextStep } from './next-step.ts';
import { type Taken, taken } from './spellings-taken.ts';

function toolOf(name: string) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`No tool is called ${name}.`);
  return tool;
}

/** What a host shows of a failure. */
function textOf({ content }: Outcome): string {
  return [content['message'], content['suggestion']].join(' ');
}

/** The mistakes whose refusals are understood by a mind, and by no rule: their next step is written down. */
const byHand: string[] = [];

/** A value that is put right may be wrong for another reason, which is told then. */
const STEPS = 3;

const named = mistakes.map((mistake) => [mistake.what, mistake.tool, mistake] as const);

describe('an agent', () => {
  let server: TestServer;
  let people: Readonly<Record<'buyer' | 'seller', Person>>;
  let world: World;
  beforeAll(async () => {
    server = await startTestServer();
    const seller = await newPerson(server, { roles: ['SELLER'] });
    const buyer = await newPerson(server, { roles: ['BUYER'] });
    const { storefrontId, sourceId } = await openStorefront(seller);
    const advertiserId = await newAdvertiser(buyer);
    const draft = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    const [product] = draft.products;
    people = { buyer, seller };
    world = { ...draft, advertiserId, storefrontId, sourceId, productId: product?.productId ?? '' };
  }, 120_000);
  afterAll(() => server.stop());

  function ask({ tool, args = () => ({}) }: Call, by: 'buyer' | 'seller' = 'buyer'): Promise<Outcome> {
    return overMcp({ url: server.url, key: people[by].key, tool: toolOf(tool), args: args(world) });
  }

  /** Does what a refusal says; undefined where no rule can read it. */
  async function stepFrom(call: Call, refused: Outcome, by: Mistake['by']) {
    const next = nextStep(call, refused, world);
    if (next === undefined) return undefined;
    const outcome = await ask(next, by);
    const back = takenBack[next.tool];
    if (back !== undefined) await ask(back);
    return { call: next, outcome };
  }

  /** What comes of doing what the refusals say, as far as a rule can read them; undefined where none can. */
  async function followed(mistake: Mistake, refused: Outcome): Promise<Outcome | undefined> {
    let last: { readonly call: Call; readonly outcome: Outcome } = { call: mistake, outcome: refused };
    for (let step = 0; step < STEPS && last.outcome.failed; step += 1) {
      const next = await stepFrom(last.call, last.outcome, mistake.by);
      if (next === undefined) break;
      last = next;
    }
    if (!last.outcome.failed) return last.outcome;
    byHand.push(mistake.what);
    return undefined;
  }

  test('makes each mistake under a name of its own', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(60);
    expect(new Set(mistakes.map(({ what }) => what)).size).toBe(mistakes.length);
  });

  test.each(named)('that gives %s to %s is told what to do, and it helps', async (...[, , mistake]) => {
    const { tool, next, field, says, by, code = 'VALIDATION_ERROR' }: Mistake = mistake;
    const refused = await ask(mistake, by);
    const helped = (await followed(mistake, refused)) ?? (await ask({ tool, ...next }, by));

    expect(refused).toMatchObject({ failed: true, content: { code, recovery: 'correctable' } });
    expect(refused.content['field']).toBe(field);
    expect(textOf(refused)).toMatch(says);
    expect(refused.content['suggestion']).toEqual(expect.stringMatching(/\w{3}.*\.$/));
    expect(helped, JSON.stringify(helped.content)).toMatchObject({ failed: false });
  });

  test('is led on by the very words of nearly every refusal', () => {
    expect(byHand.sort()).toEqual([...UNREAD].sort());
  });

  test.each(taken.map((row) => [row.what, row.tool, row] as const))(
    'that gives %s to %s is understood',
    async (...[, , row]) => {
      const { by, same }: Taken = row;
      const [odd, plain] = [await ask(row, by), await ask({ tool: row.tool, args: same }, by)];

      expect(odd, JSON.stringify(odd.content)).toMatchObject({ failed: false });
      expect(withoutChance(odd)).toEqual(withoutChance(plain));
    },
  );
});

/** Their refusals say what is wrong of a value that only the caller can find. */
const UNREAD: readonly string[] = [
  'a budget in words',
  'a budget with units',
  'a flight that ends before it starts',
  'a flight that lacks its end',
  'a format with blanks',
  'a moment without an offset',
  'a short secret',
  'a state of sources nobody has',
  'a webhook without https',
  'a year before ours',
  'an empty name',
  'an object as text',
  'choices by id alone',
  'no name',
  'no words about a product',
  'nothing chosen',
];

/** What differs from call to call though they say the same: ids and moments of what was made, and how far it came. */
const CHANCE =
  /^(?:id|campaignId|discoveryId|createdAt|updatedAt|selectedAt|revision|resultsComplete|nextCursor)$/;

function withoutChance({ content }: Outcome): unknown {
  return JSON.parse(JSON.stringify(content, (name, value) => (CHANCE.test(name) ? undefined : value)));
}
