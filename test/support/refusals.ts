import { expect } from 'vitest';
import type { Reply } from './client.ts';

/** Expects an envelope that refuses. */
export function expectRefusal(reply: Reply, status: number, error: object): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ data: null, error });
}
