import type { Scope } from '../../store/engine/scope.ts';
import type { IdempotencyKeyRow } from '../../store/idempotency-keys.ts';
import { type Bound, boundsOn } from './access.ts';
import type { Answer, Attempt, CallContext } from './call-context.ts';
import type { Caller, Services } from './context.ts';
import type { Tool } from './define.ts';
import { inputHash, type Keyed } from './repeat-keys.ts';
import type { RoomForKeys } from './repeat-room.ts';
import { scopeFor } from './scope-for.ts';

type Changing = Exclude<Tool, { effect: 'read' }>;

/** A change under a key of its caller. */
export interface Repeatable {
  readonly attempt: Attempt;
  readonly tool: Changing;
  readonly caller: Caller;
  readonly keyed: Keyed;
  readonly input: Readonly<Record<string, unknown>>;
  /** The gates behind the input, but for the version: that one is asked of a change, and not of its repeat. */
  pass(): Promise<CallContext>;
  /** Throws unless the object is as the caller would change it. */
  requireVersion(ctx: CallContext): Promise<void>;
  /** The question to the person, where there is one, after the gates. */
  consented(ctx: CallContext): Promise<CallContext>;
  /** The handler. */
  perform(ctx: CallContext): Promise<Answer>;
}

/** The same with what its row says of it. */
export interface Way extends Repeatable {
  readonly services: Services;
  readonly scope: Scope;
  readonly hash: string;
  readonly inputHash: string;
  /** How far the caller reaches: empty where nothing narrows it. */
  readonly reach: string;
  /** True once its first change is stored, with the row. */
  claimed: boolean;
  /** What the account may keep; undefined until it was looked for. */
  room: RoomForKeys | undefined;
}

/**
 * 128 bits of a digest, in hexadecimal: nobody but the account itself could look for another text of the same, and
 * each change writes a page of the index of them, which holds twice as many.
 */
const SHORT = 32;

function short(digest: string): string {
  return digest.slice(0, SHORT);
}

export function wayOf(repeatable: Repeatable): Way {
  const { attempt, tool, caller, keyed, input } = repeatable;
  const { services } = attempt;
  const { digest } = services.ports;
  const scope = scopeFor(caller, tool.surface);
  // What is no account's belongs to whoever asks: a person, or a credential by itself.
  const owner = scope.customerId === 0 ? (caller.holder ?? caller.principal) : '';
  return {
    ...repeatable,
    services,
    scope,
    hash: short(digest([scope.organizationId, scope.customerId, owner, keyed.place, keyed.key].join('\n'))),
    inputHash: short(inputHash(digest, askedOf(attempt, input))),
    reach: reachOf(caller, scope, { digest, bounds: boundsOn(tool.surface, caller) }),
    claimed: false,
    room: undefined,
  };
}

/**
 * All that a repeat has to say again: the input, and what its body or its arguments say beside it, the reason and the
 * version of the object. The header If-Match is no part of that: it bounds what is made now, and a repeat makes
 * nothing.
 */
function askedOf({ reason, expected }: Attempt, input: Repeatable['input']): unknown {
  const version = expected?.shown;
  return reason === undefined && version === undefined ? input : [input, { reason, version }];
}

interface Narrowing {
  readonly digest: Services['ports']['digest'];
  readonly bounds: readonly Bound[];
}

function reachOf(
  { holder, principal }: Caller,
  { advertiserIds }: Scope,
  { digest, bounds }: Narrowing,
): string {
  if (bounds.length === 0 && advertiserIds === null) return '';
  // Grants of a whole account are told apart by whose they are alone; all test keys of an account reach the same.
  const whole = bounds.includes('grants') ? (holder ?? principal) : '';
  const within = advertiserIds === null ? whole : [...advertiserIds].sort((a, b) => a - b);
  return short(digest(JSON.stringify([[...bounds].sort(), within])));
}

/**
 * Whether what was answered to a call may be shown to this caller: to one that nothing narrows, and to others where
 * whoever made the call reached as far as they do now.
 */
export function mayStillSee(
  { reach, caller }: Way,
  row: Pick<IdempotencyKeyRow, 'reach' | 'principal'>,
): boolean {
  if (reach === '') return true;
  return row.reach === null ? row.principal === caller.principal : row.reach === reach;
}
