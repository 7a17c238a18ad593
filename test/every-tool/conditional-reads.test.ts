import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from '../../adapters/rest/routes.ts';
import { isRestTool, type RestTool } from '../../tools/core/define.ts';
import { streams, tools } from '../../tools/registry.ts';
import { walk } from '../journeys/walk.ts';
import { clientFor } from '../support/callers/client.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { Seen } from './support.ts';

/** What OpenAPI says of an operation, as far as it is about tags. */
interface Told {
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;
  readonly parameters?: readonly { readonly name: string }[];
}

const called = tools.filter(isRestTool);

describe('an answer that has a tag', () => {
  const tagged = new Seen<boolean>();
  const told = new Map<string, Told>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    const { body } = await clientFor(server.url).get(`${server.url}/openapi.json`);
    for (const { method, path, target } of routesOf(tools, streams)) {
      if ('tool' in target)
        told.set(target.tool.name, told.get(target.tool.name) ?? body.paths[path][method.toLowerCase()]);
    }
    await walk(server, {
      after: async ({ step }, { headers }) => tagged.add(step.tool, headers.has('etag')),
    });
  }, 120_000);
  afterAll(() => server.stop());

  test.each(called.map((tool) => [tool.name, tool] as const))(
    'of %s is told of in OpenAPI, and no other',
    (name) => {
      const responses = Object.values(told.get(name)?.responses ?? {});

      expect(responses.some(({ headers }) => headers !== undefined && 'ETag' in headers)).toBe(
        tagged.of(name).some((has) => has),
      );
    },
  );

  test.each(called.filter(({ effect }) => effect === 'read').map((tool) => [tool.name, tool] as const))(
    'of %s may be asked for where it is another, which OpenAPI tells as well, and of no other',
    (name: string, { rest }: RestTool) => {
      const { responses = {}, parameters = [] } = told.get(name) ?? {};
      const has = rest.method === 'GET' && tagged.of(name).some((one) => one);

      expect('304' in responses).toBe(has);
      expect(parameters.some((one) => one.name === 'If-None-Match')).toBe(has);
      expect(parameters.some((one) => one.name === 'If-Match')).toBe(has);
    },
  );
});
