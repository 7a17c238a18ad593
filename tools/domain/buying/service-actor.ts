import { createActor } from '../../core/actor.ts';
import type { Act } from '../../core/audit.ts';
import type { Actor, Services } from '../../core/context.ts';

/** Whose the object of a deed is. */
export interface OwnedBy {
  readonly organization_id: number;
  readonly customer_id: number;
}

/** What the service does: under which capability, in words, and by which request or process. */
interface Deed extends Pick<Act, 'tool' | 'title' | 'action' | 'kind'> {
  readonly requestId: string;
}

/** The service on its own account, at what is a buyer's: the log of that buyer says that nobody asked for it. */
export function serviceActor(
  { store, ports }: Pick<Services, 'store' | 'ports'>,
  { organization_id: organizationId, customer_id: customerId }: OwnedBy,
  { requestId, ...deed }: Deed,
): Actor {
  return createActor(
    { store, clock: ports.clock, ids: ports.ids },
    {
      ...deed,
      author: {
        organizationId,
        customerId,
        userId: null,
        credentialId: null,
        origin: 'system',
        requestId,
        ip: null,
      },
      surface: 'buyer',
      parameters: null,
    },
  );
}
