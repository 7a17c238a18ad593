import type { AuditAction } from '../../store/audit-log.ts';
import { createActor } from '../../tools/core/actor.ts';
import type { Author } from '../../tools/core/audit.ts';
import type { Actor, Services } from '../../tools/core/context.ts';
import type { Kind } from '../../tools/core/kinds.ts';

/** What somebody does at an address of OAuth, for the audit log. */
export interface Deed {
  readonly tool: string;
  readonly title: string;
  readonly action: AuditAction;
  readonly kind: Kind;
  readonly organizationId: number;
  readonly userId: number | null;
  /** The credential that was shown, as the log names it. */
  readonly credentialId: string | null;
  readonly names?: NonNullable<Author['names']>;
  readonly requestId: string;
  readonly ip: string | null;
}

/** Somebody who acts at an address of OAuth. */
export function actorFor({ store, ports }: Services, deed: Deed): Actor {
  const { tool, title, action, kind, ...who } = deed;
  return createActor(
    { store, clock: ports.clock, ids: ports.ids },
    {
      author: { ...who, customerId: null, origin: who.userId === null ? 'autonomous' : 'human' },
      tool,
      title,
      action,
      kind,
      surface: 'oauth',
      parameters: null,
    },
  );
}
