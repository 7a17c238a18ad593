import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobs } from '../../tools/domain/guide/jobs.ts';
import { tools } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import {
  initialize,
  messagesOf,
  type RawClient,
  rawClient,
  rpc,
  scriptHeaders,
  stateless,
} from '../support/mcp/mcp.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly result?: {
    readonly prompts?: readonly { name: string; arguments: { name: string; required: boolean }[] }[];
    readonly messages?: readonly { content: { text: string } }[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

let server: TestServer;
let client: RawClient;
let person: Person;
beforeAll(async () => {
  server = await startTestServer();
  client = rawClient(server.url);
  person = await newPerson(server);
});
afterAll(async () => {
  client.close();
  await server.stop();
});

async function inTurn(at: string, method: string, params: Fields = {}): Promise<Answer> {
  const answer = await client.send({ path: `/mcp/v2/${at}`, ...stateless(person.key, method, params) });
  return messagesOf(answer)[0] as Answer;
}

async function inSession(at: string, method: string, params: Fields = {}): Promise<Answer> {
  const path = `/mcp/v2/${at}`;
  const begun = await client.send({ path, headers: scriptHeaders(person.key), body: initialize() });
  const headers = scriptHeaders(person.key, String(begun.headers['mcp-session-id']));
  return messagesOf(await client.send({ path, headers, body: rpc(method, params) }))[0] as Answer;
}

describe('the jobs', () => {
  test('name tools of their own surface alone, and everything that their words name is there', () => {
    const names = new Set(tools.map(({ name }) => name));
    for (const { surface, steps } of jobs) {
      for (const { tool, how } of steps) {
        expect(tools.find(({ name }) => name === tool)).toMatchObject({ surface });
        const said = how.replaceAll(/`\w+`/g, '');
        for (const named of said.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []) expect(names).toContain(named);
      }
    }
  });
});

describe.each([
  ['without a session', inTurn],
  ['in a session', inSession],
])('prompts %s', (_, ask) => {
  test.each([
    ['buyer', ['find_and_buy', 'see_performance']],
    ['storefront', ['open_storefront']],
    ['buyer?readonly=true', ['see_performance']],
    ['buyer?toolsets=system', []],
  ])('of %s are those whose every step may be called there', async (at, names) => {
    const { result } = await ask(at, 'prompts/list');

    expect(result?.prompts?.map(({ name }) => name)).toEqual(names);
  });

  test('tell the steps, with what was given and what is left to ask', async () => {
    const given = { name: 'find_and_buy', arguments: { brief: 'Runners in spring', budget: ' ' } };

    const { result } = await ask('buyer', 'prompts/get', given);

    const text = result?.messages?.[0]?.content.text ?? '';
    expect(text).toContain('brief: Runners in spring');
    expect(text).toMatch(/1\. advertiser_list: [\s\S]*\d\. campaign_execute: /);
    expect(text).toContain('Ask for what is missing where it matters: budget, dates.');
  });

  test('take an argument that is null, or arguments that are, for what is left out', async () => {
    const brief = { name: 'find_and_buy', arguments: { brief: 'Runners', budget: null } };

    const some = await ask('buyer', 'prompts/get', brief);
    const none = await ask('buyer', 'prompts/get', { name: 'see_performance', arguments: null });

    expect(some.result?.messages?.[0]?.content.text).toContain('budget, dates.');
    expect(none.result?.messages).toHaveLength(1);
  });

  test.each<[string, Fields, string]>([
    [
      'a value that is no text',
      { name: 'find_and_buy', arguments: { brief: 'Runners', budget: 5_000 } },
      'params.arguments.budget as text',
    ],
    ['a list', { name: 'find_and_buy', arguments: { brief: ['Runners'] } }, 'params.arguments.brief as text'],
    ['a name that nobody has', { name: 'nothing' }, 'Known: find_and_buy, see_performance.'],
    ['the name of the other surface', { name: 'open_storefront' }, 'Unknown prompt.'],
    ['a name of everything', { name: 'toString' }, 'Unknown prompt.'],
    ['no argument where one is required', { name: 'find_and_buy' }, 'Required: brief.'],
    [
      'an argument that it does not take',
      { name: 'see_performance', arguments: { colour: 'red' } },
      'The prompt takes: campaignId.',
    ],
    [
      'a value that is too long',
      { name: 'see_performance', arguments: { campaignId: 'x'.repeat(5_001) } },
      '5000 characters',
    ],
  ])('answer %s with invalid params', async (_what, params, words) => {
    const { error } = await ask('buyer', 'prompts/get', params);

    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(words) });
  });
});

describe('an unknown tool', () => {
  const words = 'Did you mean campaign_list';

  test.each([
    ['without a session', inTurn],
    ['in a session', inSession],
  ])('is answered with the nearest names and with where to search: %s', async (_, ask) => {
    const { error } = await ask('buyer', 'tools/call', { name: 'list_campaigns', arguments: {} });

    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('Unknown tool: list_campaigns.');
    expect(error?.message).toContain(words);
    expect(error?.message).toContain('Find others with capability_search.');
  });

  test('is answered in the same words at an address of its own', async () => {
    const call = stateless(person.key, 'tools/call', { name: 'list_campaigns', arguments: {} });
    const { status, text } = await client.send({ path: '/mcp/v2/buyer/list-campaigns', ...call });
    const { error } = await inTurn('buyer', 'tools/call', { name: 'list_campaigns', arguments: {} });

    expect(status).toBe(404);
    const refusal = JSON.parse(text).error;
    expect(`${refusal.message} ${refusal.details.suggestion}`).toBe(error?.message);
  });

  test('of a hostile name is answered without the name', async () => {
    const { error } = await inTurn('buyer', 'tools/call', { name: `<b>${'x'.repeat(9_999)}`, arguments: {} });

    expect(error?.message.length).toBeLessThan(300);
    expect(error?.message).not.toContain('<');
  });
});
