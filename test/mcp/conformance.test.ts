import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { newPerson } from '../support/callers/people.ts';
import { engine } from '../support/database/database.ts';
import { conformanceFixtures } from '../support/mcp/conformance-fixtures.ts';
import {
  type ConformanceRun,
  credentialProxy,
  runConformance,
  scoredScenarios,
} from '../support/mcp/conformance-run.ts';
import { isLong } from '../support/run/effort.ts';
import type { RawServer } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const revisions = ['2025-11-25', '2026-07-28'];
/** One endpoint serves both surfaces, and the build with the fixtures is asked as a buyer: a long run asks all. */
const plain = revisions.flatMap((revision) =>
  (isLong ? mcpSurfaces : ['storefront']).map((surface) => [revision, surface] as const),
);

/** Why a scenario, or one check of it, says nothing about us. */
type Reasons = readonly (readonly [pattern: RegExp, reason: string])[];

/** What does not apply to either build. None of these is scored. */
const NOT_OFFERED: Reasons = [
  [/^tasks-/, 'Long work is a handle and a tool that reads it; the tasks extension is not declared.'],
  [/^http-custom-header-server-validation:/, 'No tool has a parameter that travels in a header too.'],
  [/^server-sse-polling:/, 'A broken stream is not resumed: the caller calls again.'],
];

/** What the service as it is has nothing to answer with; the build with the fixtures has. */
const NEEDS_FIXTURES: Reasons = [
  [/^tools-call-(?!sampling|elicitation)/, 'Calls a fixture tool by its name.'],
  [/^(tools-call-|elicitation-)/, 'No tool of ours asks back.'],
  [/^input-required-result-/, 'No tool of ours asks back.'],
  [/^(prompts-get-|completion-complete:)/, 'There are no prompts.'],
  [/^resources-(read|templates|subscribe|unsubscribe)/, 'There are no resources.'],
  [/^logging-set-level:/, 'Logging to the caller is deprecated, and not declared.'],
  [/^json-schema-2020-12:/, 'Looks for a fixture tool by its name.'],
  [
    /^server-stateless:.*(capability|independent-requests|no-log-without)/,
    'Calls a fixture tool by its name.',
  ],
];

// The protocol does not depend on the database.
describe.runIf(engine === 'sqlite')('conformance', () => {
  describe('of the build that has the fixtures of the suite', () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await open(true);
    });
    afterAll(() => subject.close());

    test.each(revisions)(
      'with %s: every scored scenario passes, and so does every other one that applies',
      async (revision) => {
        const { exitCode, scenarios } = await subject.run('buyer', revision);

        expect(exitCode).toBe(0);
        for (const scored of await scoredScenarios(revision)) {
          expect(
            scenarios.get(scored)?.some(({ status }) => status === 'SUCCESS'),
            scored,
          ).toBe(true);
        }
        expect(unexplained(scenarios, NOT_OFFERED)).toEqual([]);
      },
    );
  });

  describe('of the service as it is', () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await open(false);
    });
    afterAll(() => subject.close());

    test.each(plain)('with %s: %s passes all that needs no fixtures', async (revision, surface) => {
      const { scenarios } = await subject.run(surface, revision);

      expect(scenarios.size).toBeGreaterThan(30);
      expect(unexplained(scenarios, [...NOT_OFFERED, ...NEEDS_FIXTURES])).toEqual([]);
    });
  });
});

/** The checks that did not succeed and that no reason covers. */
function unexplained(scenarios: ConformanceRun['scenarios'], reasons: Reasons): string[] {
  return [...scenarios].flatMap(([scenario, checks]) =>
    checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, errorMessage }) => `${scenario}:${id} ${errorMessage}`)
      .filter((name) => !reasons.some(([pattern]) => pattern.test(name))),
  );
}

interface Subject {
  run(surface: string, revision: string): Promise<ConformanceRun>;
  close(): Promise<void>;
}

async function open(withFixtures: boolean): Promise<Subject> {
  const server: TestServer = await startTestServer(withFixtures ? { mcpExtension: conformanceFixtures } : {});
  const proxy: RawServer = await credentialProxy(server.url, (await newPerson(server)).key);
  return {
    run: (surface, revision) => runConformance(`${proxy.url}/mcp/v2/${surface}`, revision),
    close: async () => {
      await proxy.stop();
      await server.stop();
    },
  };
}
