import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { open } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import { openSocket, readToEnd, requestText } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** Answers each call with its word; the call that asks to wait is answered a turn after another one was. */
function patientTool() {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return defineTool({
    name: 'say_word',
    title: 'Say word',
    description: 'Says the word, at once or after another call.',
    effect: 'read',
    access: open,
    rest: { method: 'GET', path: '/words/{word}' },
    input: z.strictObject({ word: z.string().describe('The word.'), wait: z.boolean().optional() }),
    output: z.object({ word: z.string().describe('The word.') }),
    errors: [],
    handler: async (_ctx, { word, wait }) => {
      if (wait === true) await released;
      else setImmediate(release);
      return { word };
    },
  });
}

describe('requests that come behind each other on one connection', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ tools: [patientTool()] });
  });
  afterAll(() => server.stop());

  test('are answered whole and in their order, whichever is ready first', async () => {
    const socket = await openSocket(server.url);
    const bytes = readToEnd(socket);
    const first = `GET /api/v2/buyer/words/${encodeURIComponent('zuerst, ä')}?wait=true`;
    const second = 'GET /api/v2/buyer/words/dann';

    socket.write(Buffer.concat([requestText(first, { Connection: 'keep-alive' }), requestText(second)]));

    const bodies = (await bytes).toString('utf8').match(/\{"data".*?"error":null\}/g);
    expect(bodies?.map((body) => JSON.parse(body).data.word)).toEqual(['zuerst, ä', 'dann']);
  });
});
