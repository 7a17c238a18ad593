import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'accept_tos',
    by: 'buyer',
    needs: 'agreement',
    args: () => ({ version: '1' }),
    gives: { termsVersion: 'tosVersion' },
    logged: { type: 'TERMS', id: 'termsVersion' },
  },
];
