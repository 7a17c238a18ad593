import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { open } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import { conflict } from '../../tools/core/errors/refusals.ts';
import { clientFor } from '../support/callers/client.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { breaches } from '../support/run/log.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const quarrel = defineTool({
  name: 'quarrel_start',
  title: 'Start quarrel',
  description: 'Answers a code that it does not list.',
  effect: 'read',
  access: open,
  rest: { method: 'GET', path: '/quarrel' },
  input: z.strictObject({}),
  output: z.object({}),
  errors: [],
  handler: () => Promise.reject(conflict('Somebody disagrees.', 'Ask somebody to agree.')),
});

describe('a capability that answers a code it does not list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ tools: [quarrel] });
  });
  afterAll(() => server.stop());

  test('is answered all the same, and named in the log, which no other test lets pass', async () => {
    const reply = await clientFor(server.url).get('/buyer/quarrel');

    expectRefusal(reply, 409, { code: 'CONFLICT', words: 'Somebody disagrees.' });
    expect(breaches.splice(0)).toMatchObject([
      { level: 'error', fields: { tool: 'quarrel_start', code: 'CONFLICT' } },
    ]);
  });
});
