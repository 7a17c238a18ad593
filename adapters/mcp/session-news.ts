import type { Services } from '../../tools/core/context.ts';
import { unawaited } from '../../tools/core/unawaited.ts';
import type { Link } from '../ports/link.ts';
import type { LiveKey, LiveSessions } from './live-sessions.ts';
import type { SessionServer } from './session-server.ts';

/** Tells the other processes what a session came to here. */
export interface SessionNews {
  ended(key: LiveKey): void;
  calledOff(key: LiveKey, requestId: string | number): void;
}

/** Whose session, which, and of a call that was called off the digest of its id: ids are as long as clients like. */
const TOLD = /^(\d+) ([0-9a-f-]{36})(?: ([0-9a-f]{64}))?$/i;

/**
 * A client reaches whichever process it comes to: what it ends or calls off may be at work in another. Lost where the
 * others cannot be heard; what they have at work comes to its end by itself then.
 */
export function shareSessions(
  { ports, log }: Services,
  link: Link | undefined,
  live: LiveSessions<SessionServer>,
): SessionNews {
  const digestOf = (requestId: string | number) => ports.digest(JSON.stringify(requestId));
  const hear = (item: string) => {
    const [, organizationId, id = '', call] = TOLD.exec(item) ?? [];
    const key = { organizationId: Number(organizationId), id };
    if (call === undefined) return live.delete(key);
    const calledOff = live.get(key)?.callOff((requestId) => digestOf(requestId) === call);
    if (calledOff !== undefined) unawaited(calledOff, log, 'calling off a call');
  };
  link?.hear('sessions', (items) => {
    for (const item of items) hear(item);
  });
  return {
    ended: ({ organizationId, id }) => link?.tell('sessions', [`${organizationId} ${id}`]),
    calledOff: ({ organizationId, id }, requestId) =>
      link?.tell('sessions', [`${organizationId} ${id} ${digestOf(requestId)}`]),
  };
}
