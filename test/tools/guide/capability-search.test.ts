import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOverMcp, type Tool } from '../../../tools/core/define.ts';
import { toolInputForHosts } from '../../../tools/core/host-schemas.ts';
import { asFields } from '../../../tools/core/schemas/checks.ts';
import { tools } from '../../../tools/registry.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { callTool } from '../../support/mcp/any-lane.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const independent = new AjvJsonSchemaValidator();
const NUMBER = /^(?:integer|number)/;

function isPublished(tool: Tool, given: object): boolean {
  return independent.getValidator(toolInputForHosts(tool))(given).valid;
}

/** The fields that are published as text, and of which the search says that they are numbers. */
function textsAsNumbers(tool: Tool, said: Readonly<Record<string, string>>): string[] {
  const published = Object.entries(asFields(toolInputForHosts(tool)['properties']));
  const texts = published.filter(([, field]) => asFields(field)['type'] === 'string');
  return texts.map(([name]) => name).filter((name) => NUMBER.test(said[name] ?? ''));
}

describe('capability_search', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  const search = (args: Readonly<Record<string, unknown>>, at = 'buyer') =>
    callTool({ url: server.url, key: person.key, at }, 'capability_search', args);
  const namesOf = async (query: string, at?: string) =>
    ((await search({ query }, at)).content['items'] as { operation: string }[]).map(
      ({ operation }) => operation,
    );

  describe('200', () => {
    test.each([
      ['create an advertiser', 'advertiser_create'],
      ['advertiser_create', 'advertiser_create'],
      ['list my campaigns', 'campaign_list'],
      ['who changed what: audit log', 'audit_log_list'],
      ['one media buy: what was ordered and delivered', 'media_buy_get'],
      ['be told by webhook of new revisions', 'webhook_create'],
      ['sinceRevision', 'browse_products'],
    ])('finds for “%s” before all others %s', async (query, name) => {
      expect((await namesOf(query))[0]).toBe(name);
    });

    test('gives with each a call that its input takes', async () => {
      const found = tools.filter(({ passesOn, name }) => !passesOn && name !== 'capability_search');
      for (const tool of found.filter(isOverMcp)) {
        const { content } = await search({ query: tool.name, limit: 1, detail: 'full' });

        const [item] = content['items'] as {
          operation: string;
          example: { operation: string; pathParams?: object; query?: object; body?: object };
          fields: Readonly<Record<string, string>>;
        }[];
        expect(item?.operation).toBe(tool.name);
        expect(item?.example.operation).toBe(tool.name);
        const given = { ...item?.example.pathParams, ...item?.example.query, ...item?.example.body };
        expect(tool.input.safeParse(given), tool.name).toMatchObject({ success: true });
        // Hosts that check arguments refuse what the list of tools does not publish.
        expect(isPublished(tool, given), `${tool.name} takes ${JSON.stringify(given)}`).toBe(true);
        expect(textsAsNumbers(tool, item?.fields ?? {}), tool.name).toEqual([]);
        expect(Object.keys(item?.fields ?? {}).map((path) => path.replace(/[.[].*/, ''))).toEqual(
          expect.arrayContaining(Object.keys(tool.input.shape)),
        );
      }
    });

    test('says of what is on the other surface which server calls it', async () => {
      const { content } = await search({ query: 'storefront record', limit: 20 });

      const items = content['items'] as { operation: string; surface: string; server?: string }[];
      const other = items.find(({ operation }) => operation === 'storefront_record_create');
      expect(other).toMatchObject({
        operation: 'storefront_record_create',
        title: 'Create own storefront',
        surface: 'storefront',
        server: `${server.url}/mcp/v2/storefront`,
        toolset: 'selling',
        changes: true,
      });
      expect((await namesOf('list storefronts'))[0]).toBe('storefront_list');
    });

    test('finds nothing for words that nobody uses, and passes over noise', async () => {
      expect((await search({ query: 'xyzzy' })).content).toEqual({ total: 0, items: [] });
      expect((await search({ query: 'how to the of' })).content).toEqual({ total: 0, items: [] });
    });

    test('shows on an address that only reads nothing that it would refuse', async () => {
      const names = await namesOf('campaign create execute discover', 'buyer?readonly=true');

      expect(names).toContain('campaign_list');
      expect(names).not.toContain('campaign_create');
      expect(names).not.toContain('campaign_execute');
      expect(await namesOf('discover products', 'buyer?readonly=true')).toContain('discover_products');
    });
  });
});
