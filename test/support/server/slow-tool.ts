import { z } from 'zod';
import { open } from '../../../tools/core/access.ts';
import { defineTool } from '../../../tools/core/define.ts';
import { gate } from '../run/gate.ts';

/**
 * A tool, GET /slow, that tells when it was reached (`begun`) and answers once a test lets it (`held`); `again` makes
 * both anew for the next test.
 */
export function slowTool() {
  const slow = { begun: gate(), held: gate() };
  const tool = defineTool({
    name: 'slow',
    title: 'Take time',
    description: 'Answers when the test says so.',
    effect: 'read',
    access: open,
    rest: { method: 'GET', path: '/slow' },
    input: z.strictObject({}),
    output: z.object({ done: z.boolean() }),
    errors: [],
    handler: async () => {
      const { passed } = slow.held;
      slow.begun.open();
      await passed;
      return { done: true };
    },
  });
  const again = () => Object.assign(slow, { begun: gate(), held: gate() });
  return Object.assign(slow, { tool, again });
}
