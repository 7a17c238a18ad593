import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'capability_search',
    by: 'buyer',
    args: () => ({ query: 'place the orders of a campaign', limit: 3 }),
    needs: 'nothing',
  },
  {
    tool: 'api_call',
    by: 'buyer',
    args: () => ({ operation: 'health', body: {} }),
    needs: 'nothing',
  },
  { tool: 'help', by: 'buyer', args: () => ({ topic: 'jobs' }), needs: 'nothing' },
];
