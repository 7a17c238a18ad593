import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { byTool, capabilityOf, changes, firstSteps } from '../journeys/journey.ts';
import type { Step } from '../journeys/step.ts';
import { type Moment, newWalkers, walk } from '../journeys/walk.ts';
import { type Outcome, overMcp } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { Seen } from './support.ts';

/** What a test key may change, by the definition: all of it hangs below an advertiser, or tells of what does. */
function isConfined(step: Step): boolean {
  const { access } = capabilityOf(step);
  return changes(step) && access.kind === 'permission' && access.within?.includes('sandbox') === true;
}

/** Every `sandbox` of an answer, at whatever depth. */
function saidOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === 'sandbox' ? [inner] : saidOf(inner)));
}

const steps = firstSteps.filter(isConfined);

describe.each([
  ['test', true],
  ['live', false],
] as const)('with a %s key', (environment, isSandbox) => {
  const seen = new Seen<Outcome>();
  beforeAll(async () => {
    const server = await startTestServer();
    const walkers = await newWalkers(server);
    const keys = {
      buyer: await keyOf(server, walkers.buyer.organizationId),
      seller: await keyOf(server, walkers.seller.organizationId),
    };
    const instead = async ({ step, ask }: Moment): Promise<Outcome | undefined> => {
      if (!isConfined(step)) return undefined;
      const outcome = await ask({ key: keys[step.by], lane: overMcp });
      seen.add(step.tool, outcome);
      return outcome;
    };
    await walk(server, { walkers, instead, onlyMakes: true });
    return () => server.stop();
  }, 240_000);

  async function keyOf(server: TestServer, organizationId: number): Promise<string> {
    const { value } = await createKey(server.operator, {
      organizationId,
      name: 'Walker',
      permissions: ['buyer:read', 'buyer:write', 'buyer:admin'],
      environment,
    });
    return value;
  }

  test.each(byTool(steps))(`%s says that ${isSandbox ? 'nothing is spent' : 'it is no sandbox'}`, (tool) => {
    expect(seen.of(tool).length).toBeGreaterThan(0);
    for (const { content, failed } of seen.of(tool)) {
      expect(failed).toBe(false);
      expect(new Set(saidOf(content))).toEqual(new Set([isSandbox]));
    }
  });
});
