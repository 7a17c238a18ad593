import { health } from './health.ts';

export const system = [health];
