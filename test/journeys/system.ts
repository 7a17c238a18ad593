import type { Step } from './step.ts';

export const steps: readonly Step[] = [{ tool: 'health', by: 'buyer', needs: 'nothing' }];
