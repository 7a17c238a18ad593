import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolInputForHosts } from '../../tools/core/host-schemas.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { schemaFields } from '../../tools/core/schemas/schema-fields.ts';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { jobs } from '../../tools/domain/guide/jobs.ts';
import { tools } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { callTool } from '../support/mcp/any-lane.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

type Fields = Readonly<Record<string, unknown>>;
type Ids = Record<string, string>;

/** What only those tools show that report of delivery. */
const FIGURES = ['impressions', 'spend', 'clicks', 'conversions'];

/** A call that a guide shows, over MCP and over REST. */
interface Shown {
  readonly name: string;
  readonly args: Fields;
  readonly rest: string;
  readonly body: string | undefined;
}

function shownIn(text: string): Shown[] {
  const calls = /^ +MCP {3}(\{.*\})\n +REST {2}(\S+ \S+)(?:\n {6,}(\{.*\}))?$/gm;
  return [...text.matchAll(calls)].map(([, mcp = '', rest = '', body]) => {
    const { name, arguments: args } = JSON.parse(mcp);
    return { name, args, rest, body };
  });
}

const independent = new AjvJsonSchemaValidator();

/** Whether a host that checks arguments against the list of tools lets the call through. */
function isTaken(name: string, args: Fields): boolean {
  const tool = tools.find((one) => one.name === name);
  return tool !== undefined && independent.getValidator(toolInputForHosts(tool))(args).valid;
}

/** With the ids of what is there in place of those that are made up. */
function filled(value: unknown, ids: Ids): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, ids));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, ids[name] ?? filled(one, ids)]),
  );
}

function filledPath(rest: string, args: Fields, ids: Ids): string {
  const made = new Map(Object.entries(args).map(([name, value]) => [String(value), ids[name]]));
  return rest
    .split('/')
    .map((part) => part.replace(/^[^?]+/, (segment) => made.get(segment) ?? segment))
    .join('/');
}

describe('what the guides say', () => {
  let server: TestServer;
  let people: Readonly<Record<(typeof mcpSurfaces)[number], Person>>;
  let ids: Ids;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const storefront = await newPerson(server, { roles: ['SELLER'] });
    const buyer = await newPerson(server, { roles: ['BUYER'] });
    const { storefrontId, agentId } = await openStorefront(storefront);
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });
    const { campaignId, discoveryId, products } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds: [storefrontId],
    });
    const { productId } = products[0];
    people = { buyer, storefront };
    ids = { advertiserId, campaignId, discoveryId, productId, salesAgentId: agentId };
  }, 120_000);
  afterAll(() => server.stop());

  const overMcp = (at: (typeof mcpSurfaces)[number], person: Person, name: string) => (args: Fields) =>
    callTool({ url: server.url, key: person.key, at }, name, args);
  const learn = ({ mediaBuys }: Fields) => {
    const [buy] = Array.isArray(mediaBuys) ? mediaBuys : [];
    if (isFields(buy)) ids['media_buy_id'] = String(buy['mediaBuyId']);
  };

  /** Who begins at the beginning: a storefront has its record, and nothing in it. */
  async function beginner(at: (typeof mcpSurfaces)[number]): Promise<Person> {
    if (at === 'buyer') return people.buyer;
    const seller = await newPerson(server, { roles: ['SELLER'] });
    done(
      await seller.post('/storefront', {
        name: 'Corner Media',
        defaultCurrency: 'USD',
        acceptsAllCountries: true,
      }),
    );
    return seller;
  }

  test.each(mcpSurfaces)('works call by call, over MCP and over REST: %s', async (at) => {
    const guide = await fetch(`${server.url}/api/v2/${at}/skill.md`);
    const shown = shownIn(await guide.text());
    const steps = jobs.filter(({ surface }) => surface === at).flatMap((job) => job.steps);

    expect(shown.map(({ name }) => name)).toEqual(steps.map(({ tool }) => tool));
    const [host, script] = [await beginner(at), await beginner(at)];
    for (const { name, args, rest, body } of shown) {
      expect(isTaken(name, args), `${name}: ${JSON.stringify(args)}`).toBe(true);
      const { failed, content } = await overMcp(at, host, name)(filled(args, ids) as Fields);
      expect(failed, `${name}: ${JSON.stringify(content)}`).toBe(false);
      learn(content);
      const [method = '', target = ''] = filledPath(rest, args, ids).split(' ');
      const answer = await fetch(`${server.url}${target}`, {
        method,
        headers: { authorization: `Bearer ${script.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(filled(JSON.parse(body), ids)) }),
      });
      expect(answer.status, `${rest}: ${await answer.text()}`).toBeLessThan(300);
    }
  });

  test.each(mcpSurfaces)('works as help shows it, with the arguments of each tool: %s', async (at) => {
    const { content } = await overMcp(at, people[at], 'help')({ topic: 'jobs' });
    const shown = [...String(content['text']).matchAll(/^\d+\. `(\w+)`: .* Such as `(\{.*\})`\.$/gm)];
    const steps = jobs.filter(({ surface }) => surface === at).flatMap((job) => job.steps);

    expect(shown.map(([, name]) => name)).toEqual(steps.map(({ tool }) => tool));
    const host = await beginner(at);
    for (const [, name = '', args = ''] of shown) {
      expect(isTaken(name, JSON.parse(args)), `${name}: ${args}`).toBe(true);
      const given = filled(JSON.parse(args), ids) as Fields;
      const { failed, content: answer } = await overMcp(at, host, name)(given);
      expect(failed, `${name}: ${JSON.stringify(answer)}`).toBe(false);
      learn(answer);
    }
  });

  test('names with each step a field of its tool, and figures only where they are shown', () => {
    for (const { tool: name, how } of jobs.flatMap(({ steps }) => steps)) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`${name} is no tool.`);
      const shown = schemaFields(jsonSchema(tool.output, 'output'));
      const asked = schemaFields(jsonSchema(tool.input, 'input'));
      const leaves = (fields: readonly { path: string }[]) =>
        fields.map(({ path }) => path.replace('[]', '').replace(/.*\./, '').replace('[]', ''));
      const named = [...how.matchAll(/`(\w+)`/g)].map(([, field]) => field);

      expect(named, `${name}: ${how}`).not.toEqual([]);
      expect(leaves([...shown, ...asked])).toEqual(expect.arrayContaining(named));
      const figures = FIGURES.filter((figure) => new RegExp(`\\b${figure}\\b`).test(how));
      expect(leaves(shown), `${name}: ${how}`).toEqual(expect.arrayContaining(figures));
    }
  });

  test('speaks on the side of storefronts of nothing that only buyers do', async () => {
    const { content } = await overMcp('storefront', people.storefront, 'help')({});
    const guide = await (await fetch(`${server.url}/api/v2/storefront/skill.md`)).text();

    for (const text of [String(content['text']), guide]) expect(text).not.toMatch(/discoveryId|a discovery /);
  });

  test('names what answers without a credential', async () => {
    const read = await (await fetch(`${server.url}/openapi.json`)).text();
    const { paths } = JSON.parse(read) as { paths: Record<string, Record<string, Fields>> };
    const open = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ security }) =>
        Array.isArray(security) && security.length === 0 ? [path] : [],
      ),
    );
    const text = await (await fetch(`${server.url}/llms.txt`)).text();

    expect(open.filter((path) => !/health|signup|preview/.test(path))).toEqual([]);
    expect(text).toContain('Every operation but `health` and those of signing up needs a credential');
    expect((await fetch(`${server.url}/api/v2/signup`)).status).toBe(200);
  });
});
