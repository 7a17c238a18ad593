import type { Store } from '../../../store/engine/db.ts';
import { createActor } from '../../core/actor.ts';
import type { Actor, Services } from '../../core/context.ts';
import type { Clock, Ids, KeyMaker } from '../../core/ports.ts';
import { organizationKind } from './kinds.ts';

/** Whoever runs this installation, and does for its organizations what a key cannot do for itself. */
export interface Operator extends Actor {
  readonly keys: KeyMaker;
}

interface Parts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly keys: KeyMaker;
}

/** Who it was, as the log names whoever calls a capability as the operator. */
export const OPERATOR = 'operator';

/** The operator at work: `command` is what the audit log says was called, `reason` why. */
export function operatorOf({ keys, ...parts }: Parts, command: string, reason?: string): Operator {
  const actor = createActor(parts, {
    author: {
      // Each entry says whose it is: the operator belongs to no organization.
      organizationId: 0,
      customerId: null,
      userId: null,
      credentialId: OPERATOR,
      names: { userEmail: null, userName: null, credentialName: OPERATOR },
      origin: 'system',
      requestId: parts.ids.make('op'),
      ip: null,
    },
    tool: command.replaceAll(' ', '_'),
    surface: OPERATOR,
    title: `Operator: ${command}`,
    action: 'UPDATE',
    kind: organizationKind,
    parameters: null,
    reason: reason ?? null,
  });
  return { ...actor, keys };
}

/** The operator beside a service that runs in this process. */
export function operatorFor({ store, ports }: Services, command: string): Operator {
  const { clock, ids, keys } = ports;
  return operatorOf({ store, clock, ids, keys }, command);
}
