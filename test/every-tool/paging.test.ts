import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { restPaths } from '../../tools/core/addresses.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { byTool, type Capability, capabilityOf, firstSteps } from '../journeys/journey.ts';
import type { Fields, Step } from '../journeys/step.ts';
import { credentialOf, type Moment, newWalkers, type Walkers, walk } from '../journeys/walk.ts';
import { clientFor, type Reply } from '../support/callers/client.ts';
import { peopleOf } from '../support/callers/newly-joined.ts';
import { newPerson } from '../support/callers/people.ts';
import { overRest } from '../support/callers/tool-lanes.ts';
import { asSchema } from '../support/house/schema-walk.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** Lists whose rows no step of the walk makes, or takes away again: their own tests turn the pages. */
const TURNED_ELSEWHERE = new Set([
  'webhook_delivery_list',
  'account_list',
  'sponsored_buyer_list',
  'available_account_list',
  'discovery_list_products',
  'campaign_list_products',
]);

const paging = firstSteps.filter(
  (step) => 'take' in capabilityOf(step).input.shape && !TURNED_ELSEWHERE.has(step.tool),
);

function limitsOf(step: Step): { byDefault: number; max: number } {
  const properties = asSchema(jsonSchema(capabilityOf(step).input, 'input')['properties']);
  const take = asSchema(properties['take']);
  return { byDefault: Number(take['default']), max: Number(take['maximum']) };
}

function toolOf(step: Step): Extract<Capability, { handler: unknown }> {
  const capability = capabilityOf(step);
  if (!('handler' in capability)) throw new Error(`${step.tool} is a stream, which has no pages.`);
  return capability;
}

/** The fields that REST shows, where the contract has others than the tool; none where it has the bare list. */
function fieldsOf({ rest, output }: ReturnType<typeof toolOf>): Readonly<Record<string, unknown>> {
  const shown = rest?.shows?.schema ?? output;
  return shown instanceof z.ZodObject ? shown.shape : {};
}

/** What REST calls the rows. */
function rowsNameOf(tool: ReturnType<typeof toolOf>): string {
  const name = tool.rest?.list ?? '';
  const fields = fieldsOf(tool);
  if (name in fields) return name;
  return Object.keys(fields).find((field) => fields[field] instanceof z.ZodArray) ?? name;
}

/** Whether REST shows the rows and nothing around them. */
function isBareList({ rest }: ReturnType<typeof toolOf>): boolean {
  return rest?.shows?.schema instanceof z.ZodArray;
}

/** What another row needs, where two of the same are refused. */
const another: Readonly<Record<string, (row: number) => object>> = {
  account_link_create: (row) => ({ accountId: `acct_${row}` }),
  inventory_source_create: (row) => ({ name: `Shelf ${row}` }),
  webhook_create: (row) => ({ url: `https://127.255.255.254:${5_000 + row}/hook` }),
  invitation_create: (row) => ({ email: `guest${row}@journey.example` }),
  domain_create: (row) => ({ domain: `journey${row}.example` }),
  browser_origin_create: (row) => ({ origin: `https://app${row}.journey.example` }),
};

/** Lists of people, whom no call makes. */
const PEOPLE = new Set(['member_list', 'join_request_list']);

describe('the pages', () => {
  let server: TestServer;
  let walkers: Walkers;
  /** With what each list was asked for in the walk: its address may name what the rows hang below. */
  const asked = new Map<string, Fields>();
  beforeAll(async () => {
    server = await startTestServer();
    walkers = await newWalkers(server);
    const making = new Set(paging.map(({ rowsBy }) => rowsBy));
    await walk(server, {
      walkers,
      after: async (walked) => {
        const { organizationId } = walked.person;
        asked.set(walked.step.tool, walked.args);
        if (PEOPLE.has(walked.step.tool)) await threePeople(organizationId);
        if (making.has(walked.step.tool)) await makeMore(walked);
      },
    });
  }, 120_000);
  afterAll(() => server.stop());

  async function threePeople(organizationId: number): Promise<void> {
    for (let row = 0; row < 3; row += 1) await peopleOf(server, organizationId);
  }

  /**
   * More rows of ours, whatever a later step takes away; where an account has one row alone, newcomers make theirs.
   */
  async function makeMore({ step, capability: tool, args, person }: Moment): Promise<void> {
    if (!('handler' in tool)) return;
    const newcomers = [await newPerson(server), await newPerson(server)];
    for (const [row, maker] of [person, person, person, ...newcomers].entries()) {
      const key = await credentialOf(step, maker);
      const given = { ...args, ...another[step.tool]?.(row) };
      await overRest({ url: server.url, key, tool, args: given });
    }
  }

  /** The list without any filter, and how its rows are called. */
  function listOf(step: Step) {
    const tool = toolOf(step);
    const [template = ''] = restPaths(tool.surface, tool.rest);
    const path = template.replace(/\{(\w+)\}/g, (_, field: string) => String(asked.get(step.tool)?.[field]));
    const name = rowsNameOf(tool);
    const get = async (query: string): Promise<Reply> => {
      const client = clientFor(server.url, await credentialOf(step, walkers[step.by]));
      return client.get(`${path}?${query}`);
    };
    // Where the contract has the bare list, how long it is stands beside it alone.
    const isBare = isBareList(tool);
    const rowsOf = ({ body }: Reply) => (isBare ? body.data : body.data[name]);
    return { get, rowsOf, isBare };
  }

  test.each(byTool(paging))(
    'of %s are cut with take and skip, and with limit and offset',
    async (_, step) => {
      const { get, rowsOf, isBare } = listOf(step);
      const { byDefault } = limitsOf(step);
      const all = await get('');
      const { total } = all.body.meta.pagination;
      const rows = rowsOf(all);

      expect(all.body.meta.pagination).toEqual({
        skip: 0,
        take: byDefault,
        total,
        hasMore: rows.length < total,
      });
      expect(rows.length).toBeGreaterThanOrEqual(3);
      for (const query of ['take=1&skip=1', 'limit=1&offset=1', 'take=1&offset=1']) {
        const page = await get(query);
        expect(page.status).toBe(200);
        expect(rowsOf(page)).toEqual([rows[1]]);
        if (!isBare) expect(page.body.data.total).toBe(total);
        expect(page.body.meta).toEqual({ pagination: { skip: 1, take: 1, total, hasMore: true } });
      }
    },
  );

  test.each(byTool(paging))('of %s end: nothing follows the last row', async (_, step) => {
    const { get, rowsOf } = listOf(step);
    const { total } = (await get('take=1')).body.meta.pagination;

    const last = await get(`skip=${total - 1}`);
    const behind = await get(`skip=${total}`);

    expect(rowsOf(last)).toHaveLength(1);
    expect(last.body.meta.pagination).toMatchObject({ total, hasMore: false });
    expect(rowsOf(behind)).toEqual([]);
    expect(behind.body.meta.pagination).toMatchObject({ skip: total, total, hasMore: false });
  });

  const telling = paging.filter((step) => 'nextOffset' in fieldsOf(toolOf(step)));
  test.each(byTool(telling))('of %s say where the next one begins', async (_, step) => {
    const { get } = listOf(step);
    const { total } = (await get('take=1')).body.data;

    expect((await get('take=1&skip=1')).body.data).toMatchObject({ hasMore: true, nextOffset: 2 });
    expect((await get(`skip=${total}`)).body.data).toMatchObject({ hasMore: false, nextOffset: null });
  });

  test.each(byTool(paging))('of %s have a size that is stated where it is passed', async (_, step) => {
    const { get } = listOf(step);
    const { max } = limitsOf(step);

    expect((await get(`take=${max}`)).status).toBe(200);
    for (const field of ['take', 'limit']) {
      const { status, body } = await get(`${field}=${max + 1}`);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        field,
        message: expect.stringContaining(String(max)),
      });
    }
    for (const query of ['take=0', 'skip=-1', 'take=1.5', 'skip=many', 'skip=99999999999999999999']) {
      const { error } = (await get(query)).body;
      expect(error).toMatchObject({ field: query.slice(0, 4) });
      expect(error.details.issues, query).toHaveLength(1);
    }
  });
});
