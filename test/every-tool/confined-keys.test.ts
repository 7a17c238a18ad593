import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { byTool, capabilityOf, changes, firstSteps } from '../journeys/journey.ts';
import type { Step } from '../journeys/step.ts';
import { type Moment, walk } from '../journeys/walk.ts';
import { grantedOnly } from '../support/access.ts';
import { newAdvertiser } from '../support/market.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { overMcp, overRest } from '../support/tool-lanes.ts';
import { possessions, Seen } from './support.ts';

const BOUNDS = ['grants', 'sandbox'] as const;
const LANES = { REST: overRest, MCP: overMcp };

/** The bounds that a change does not say it keeps within: nobody whom they confine may make it. */
function beyond(step: Step): (typeof BOUNDS)[number][] {
  const { access } = capabilityOf(step);
  if (!changes(step) || access.kind === 'open') return [];
  return BOUNDS.filter((bound) => access.within?.includes(bound) !== true);
}

const closed = firstSteps.filter((step) => beyond(step).length > 0);

describe('a change that does not say it keeps within bounds', () => {
  const seen = new Seen<{ how: string; code: unknown; isUnchanged: boolean }>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    const walkers = { buyer: await newPerson(server), seller: await newPerson(server) };
    const keys = { buyer: await keysOf(walkers.buyer), seller: await keysOf(walkers.seller) };
    const before = async ({ step, ask }: Moment): Promise<void> => {
      for (const bound of beyond(step)) {
        for (const [name, lane] of Object.entries(LANES)) {
          const had = await possessions(server, walkers);
          const { failed, content } = await ask({ key: keys[step.by][bound], lane });
          const isUnchanged = (await possessions(server, walkers)) === had;
          seen.add(step.tool, { how: `${bound} over ${name}`, code: failed && content['code'], isUnchanged });
        }
      }
    };
    await walk(server, { walkers, before });
  }, 120_000);
  afterAll(() => server.stop());

  /** A key that an advertiser of its own confines, and one that the sandbox does; both may do everything else. */
  async function keysOf(person: Person) {
    const granted = await grantedOnly(server, person, await newAdvertiser(person));
    const { value: sandbox } = await createKey(server.operator, {
      organizationId: person.organizationId,
      name: 'Trial',
      permissions: ['buyer:admin', 'account:admin'],
      environment: 'test',
    });
    return { grants: granted.key, sandbox };
  }

  test('is there, on both sides', () => {
    expect(new Set(closed.map(({ by }) => by))).toEqual(new Set(['buyer', 'seller']));
  });

  test.each(byTool(closed))('%s is refused to keys that are confined, and changes nothing', (tool, step) => {
    expect(seen.of(tool).length).toBeGreaterThanOrEqual(beyond(step).length * Object.keys(LANES).length);
    for (const note of seen.of(tool)) expect(note).toMatchObject({ code: 'FORBIDDEN', isUnchanged: true });
  });
});
