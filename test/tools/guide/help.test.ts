import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpSurfaces } from '../../../tools/core/surfaces.ts';
import { families } from '../../../tools/registry.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { callTool } from '../../support/mcp/any-lane.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A page that a model reads whole. */
const TEXT_MAX = 8_000;

describe('help', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  const ask = (topic: string | undefined, at = 'buyer') =>
    callTool({ url: server.url, key: person.key, at }, 'help', topic === undefined ? {} : { topic });

  describe('200', () => {
    test('begins at the beginning: a key, the order of the calls, and the topics', async () => {
      const { content } = await ask(undefined);

      expect(content).toMatchObject({
        topic: 'getting_started',
        text: expect.stringMatching(/^This service sells advertising /),
      });
      for (const fact of ['key create', `${server.url}/mcp/v2/buyer`, 'discover_products'])
        expect(content['text']).toContain(fact);
      expect(content['topics']).toEqual(expect.arrayContaining(['jobs', 'errors', 'campaigns', 'guide']));
      expect(content['topics']).not.toContain('products');
    });

    test.each(mcpSurfaces)('explains every topic that it lists, in short: %s', async (at) => {
      const topics = (await ask(undefined, at)).content['topics'] as string[];
      const own = families.filter(({ surface }) => surface === at).map(({ toolset }) => toolset);

      expect(topics).toEqual(expect.arrayContaining(own));
      for (const topic of topics) {
        const { content } = await ask(topic, at);
        expect(content['topic']).toBe(topic);
        expect(String(content['text']).length).toBeGreaterThan(40);
        expect(String(content['text']).length).toBeLessThan(TEXT_MAX);
      }
    });
  });

  test('names the topics, the nearest first, where there is no such one: VALIDATION_ERROR', async () => {
    const { failed, content } = await ask('campaign');

    expect(failed).toBe(true);
    expect(content).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'topic',
      message: expect.stringContaining('getting_started'),
      suggestion: 'Did you mean campaigns?',
    });
  });
});
