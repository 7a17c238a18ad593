import { type InventorySourceRow, sourceStatuses } from '../../../store/inventory-sources.ts';
import { leading, type Machine } from '../../core/machines.ts';

/** The life of an inventory source (reference: inventory sources, state machine). */
export const sourceMachine: Machine<
  InventorySourceRow['status'],
  'connect' | 'activate' | 'disable' | 'await'
> = {
  of: 'inventory source',
  states: sourceStatuses,
  events: {
    connect: {
      meaning: 'Its credential is saved, or it turns out to need none.',
      leads: { PENDING: 'ACTIVE' },
    },
    activate: {
      meaning: 'It is switched on, which needs its credential.',
      leads: leading(sourceStatuses, 'ACTIVE'),
    },
    disable: { meaning: 'It is taken out of discovery.', leads: leading(sourceStatuses, 'DISABLED') },
    await: { meaning: 'It goes on waiting for its credential.', leads: { PENDING: 'PENDING' } },
  },
};
