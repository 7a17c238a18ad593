import { defineFamily } from '../../core/families.ts';
import { health } from './health.ts';

export const system = defineFamily({
  surface: 'platform',
  toolset: 'system',
  inDefaultList: true,
  tools: [health],
});
