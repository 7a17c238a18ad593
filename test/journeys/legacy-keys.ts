import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  { tool: 'legacy_key_list', by: 'buyer', needs: 'browser:read', args: () => ({ take: 5, skip: 0 }) },
  {
    tool: 'legacy_key_delete',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ id: made('legacyKeyId') }),
    last: true,
    names: { id: 'organization' },
    logged: { type: 'LEGACY_KEY', id: 'legacyKeyId', called: 'Old script' },
  },
];
