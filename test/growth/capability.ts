import { addToIndex, edit } from './family.ts';
import { writeFiles } from './project.ts';

const TOOL = `import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';

export const measurementConfigGet = defineTool({
  name: 'measurement_config_get',
  title: 'Get measurement config',
  example: { advertiserId: '1' },
  description:
    'Tells in which currency the results of an advertiser are counted, and whether that is settled. An ' +
    'archived advertiser has no results to count: bring it back with advertiser_update first.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/advertisers/{advertiserId}/measurement-config' },
  input: z.strictObject({ advertiserId: numericId('the advertiser') }),
  output: z.object({
    advertiserId: z.string().describe('Id of the advertiser.'),
    currency: z.string().describe('ISO 4217 code of what is counted.'),
    isSettled: z.boolean().describe('True once a campaign fixed the currency.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (_ctx, _input, found) => {
    if (found.status === 'ARCHIVED') {
      throw conflict('The advertiser is archived.', 'Set its status to ACTIVE with advertiser_update.');
    }
    return {
      advertiserId: String(found.id),
      currency: found.primary_currency,
      isSettled: found.currency_locked === 1,
    };
  },
});
`;

const TEST = `import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('measurement_config_get', () => {
  let server: TestServer;
  let buyer: Person;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    path = \`/buyer/advertisers/\${await newAdvertiser(buyer, { primaryCurrency: 'EUR' })}\`;
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('tells the currency, which is not settled before the first campaign', async () => {
      const { status, body } = await buyer.get(\`\${path}/measurement-config\`);

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ currency: 'EUR', isSettled: false });
    });
  });

  describe('409', () => {
    test('CONFLICT for an advertiser that is archived', async () => {
      done(await buyer.put(path, { status: 'ARCHIVED' }));

      const reply = await buyer.get(\`\${path}/measurement-config\`);

      expectRefusal(reply, 409, { code: 'CONFLICT', words: 'The advertiser is archived.' });
    });
  });
});
`;

const STEP = `  {
    tool: 'measurement_config_get',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ advertiserId: made('advertiserId') }),
    names: { advertiserId: 'advertiser' },
  },
];
`;

const INDEX = 'tools/buyer/advertisers/index.ts';
const JOURNEY = 'test/journeys/advertisers.ts';
/** The files of it that are new, as somebody would write them who follows CONTRIBUTING. */
export const capabilityFiles = {
  'tools/buyer/advertisers/measurement-config-get.ts': TOOL,
  'test/tools/advertisers/measurement-config-get.test.ts': TEST,
};

/** All that is touched by hand. */
export const capabilityPlaces: readonly string[] = [...Object.keys(capabilityFiles), INDEX, JOURNEY];

/** Adds a capability to a family that is there: a file, a line, a test, a step. */
export function addCapability(root: string): void {
  writeFiles(root, capabilityFiles);
  addToIndex(root, INDEX, { constant: 'measurementConfigGet', file: 'measurement-config-get.ts' });
  edit(root, JOURNEY, (text) => text.replace(/\];\n$/, STEP));
}
