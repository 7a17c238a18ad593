import { expect } from 'vitest';
import type { Reply } from './client.ts';

/** The status, code and field of refusals, to be compared at a glance. */
export function refusals(replies: readonly Reply[]) {
  return replies.map(({ status, body }) => `${status} ${body.error?.code}`);
}

/** Expects an envelope that refuses. */
export function expectRefusal(reply: Reply, status: number, error: object): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ data: null, error });
}
