import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolInputForHosts } from '../../tools/core/host-schemas.ts';
import { isConditional } from '../../tools/core/versions.ts';
import { tools } from '../../tools/registry.ts';
import { findText, walk } from '../journeys/walk.ts';
import { type Outcome, overMcp } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { Seen } from './support.ts';

const ANOTHER = { revision: 999_999, version_hash: 'ffff' } as const;
const changes = tools.filter((tool) => isConditional(tool) && tool.restOnly !== true);
const fieldOf = (name: string) =>
  changes.find((tool) => tool.name === name)?.audit?.kind.versioned?.field ?? 'revision';

describe('a change over MCP of what has a version', () => {
  const refused = new Seen<Outcome>();
  const made = new Seen<{ readonly given: string; readonly outcome: Outcome }>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await walk(server, {
      onlyMakes: true,
      instead: async ({ step, args, ask }) => {
        if (!changes.some(({ name }) => name === step.tool)) return undefined;
        const field = fieldOf(step.tool);
        const stale = await ask({ lane: overMcp, args: { ...args, [field]: ANOTHER[field] } });
        refused.add(step.tool, stale);
        const given = findText(stale.content, field);
        if (given === undefined) return undefined;
        const outcome = await ask({
          lane: overMcp,
          args: { ...args, [field]: field === 'revision' ? Number(given) : given },
        });
        made.add(step.tool, { given, outcome });
        return outcome;
      },
    });
  }, 120_000);
  afterAll(() => server.stop());

  test.each(changes.map((tool) => [tool.name, tool] as const))(
    'is told by the list of %s how to say it',
    (name, tool) => {
      expect(toolInputForHosts(tool)['properties']).toHaveProperty(fieldOf(name));
    },
  );

  test.each(changes.map(({ name }) => name))('is refused by %s where it was made on another', (name) => {
    expect(refused.of(name).length).toBeGreaterThan(0);
    for (const { content, failed } of refused.of(name)) {
      expect({ failed, code: content['code'], field: content['field'] }).toEqual({
        failed: true,
        code: 'CONFLICT',
        field: fieldOf(name),
      });
    }
  });

  test('is made on the one that the refusal shows', () => {
    const names = changes.map(({ name }) => name).filter((name) => made.of(name).length > 0);

    // The batch of the journey makes a campaign, which has none to be made on.
    expect(changes.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([
      'media_buy_create_batch',
    ]);
    for (const name of names) {
      for (const { outcome } of made.of(name)) expect(outcome).toMatchObject({ failed: false });
    }
  });
});
