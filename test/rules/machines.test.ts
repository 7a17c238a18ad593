import { describe, expect, test } from 'vitest';
import { type AnyMachine, next } from '../../tools/core/machines.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { families } from '../../tools/registry.ts';
import { fieldsOf } from '../support/house/schema-walk.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

const machines = [...new Set(families.flatMap((family) => family.machines))];

/** A seller that holds an order, or was sent one, may say any of this. */
const TOLD = {
  review: 'PENDING_APPROVAL',
  ask: 'INPUT_REQUIRED',
  run: 'ACTIVE',
  pause: 'PAUSED',
  complete: 'COMPLETED',
  cancel: 'CANCELED',
  reject: 'REJECTED',
  fail: 'FAILED',
};

/** Where each state leads, written by hand: what cannot happen in it is missing. */
const LIVES: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  campaign: {
    DRAFT: { change: 'DRAFT', execute: 'ACTIVE', archive: 'ARCHIVED', goOn: 'ACTIVE' },
    ACTIVE: {
      change: 'ACTIVE',
      execute: 'ACTIVE',
      refuse: 'DRAFT',
      pause: 'PAUSED',
      complete: 'COMPLETED',
      cancel: 'CANCELED',
      archive: 'ARCHIVED',
    },
    PAUSED: {
      change: 'PAUSED',
      execute: 'PAUSED',
      refuse: 'DRAFT',
      pause: 'PAUSED',
      reactivate: 'ACTIVE',
      complete: 'COMPLETED',
      cancel: 'CANCELED',
      archive: 'ARCHIVED',
    },
    COMPLETED: { execute: 'COMPLETED', cancel: 'COMPLETED', archive: 'ARCHIVED' },
    CANCELED: { execute: 'CANCELED', cancel: 'CANCELED', archive: 'ARCHIVED' },
    ARCHIVED: { execute: 'ARCHIVED', cancel: 'ARCHIVED', archive: 'ARCHIVED' },
  },
  'media buy': {
    DRAFT: { send: 'DRAFT', replace: 'DRAFT', drop: 'ARCHIVED', putAway: 'ARCHIVED', ...TOLD },
    PENDING_APPROVAL: { lapse: 'CANCELED', putAway: 'ARCHIVED', ...TOLD },
    INPUT_REQUIRED: { lapse: 'CANCELED', putAway: 'ARCHIVED', ...TOLD },
    ACTIVE: { putAway: 'ARCHIVED', ...TOLD },
    PAUSED: { putAway: 'ARCHIVED', ...TOLD },
    COMPLETED: { putAway: 'ARCHIVED', goOn: 'ACTIVE' },
    CANCELED: { putAway: 'ARCHIVED', goOn: 'ACTIVE' },
    FAILED: {
      ...{ send: 'DRAFT', replace: 'DRAFT', drop: 'ARCHIVED', putAway: 'ARCHIVED', goOn: 'ACTIVE' },
      find: 'PENDING_APPROVAL',
    },
    REJECTED: { replace: 'DRAFT', drop: 'ARCHIVED', putAway: 'ARCHIVED', goOn: 'ACTIVE' },
    ARCHIVED: { send: 'DRAFT', replace: 'DRAFT', putAway: 'ARCHIVED', goOn: 'ACTIVE' },
  },
  'media buy, as its buyer asks': {
    DRAFT: { update: 'DRAFT', archive: 'ARCHIVED' },
    PENDING_APPROVAL: {
      update: 'PENDING_APPROVAL',
      pause: 'PAUSED',
      cancel: 'CANCELED',
      archive: 'ARCHIVED',
    },
    // Changed, it is looked over again.
    INPUT_REQUIRED: {
      update: 'PENDING_APPROVAL',
      pause: 'PAUSED',
      cancel: 'CANCELED',
      archive: 'ARCHIVED',
    },
    ACTIVE: { update: 'ACTIVE', pause: 'PAUSED', cancel: 'CANCELED', archive: 'ARCHIVED' },
    PAUSED: { update: 'PAUSED', resume: 'ACTIVE', cancel: 'CANCELED', archive: 'ARCHIVED' },
    COMPLETED: {},
    CANCELED: {},
    FAILED: { update: 'FAILED', archive: 'ARCHIVED' },
    REJECTED: { update: 'REJECTED' },
    ARCHIVED: {},
  },
  'inventory source': {
    PENDING: { connect: 'ACTIVE', activate: 'ACTIVE', disable: 'DISABLED', await: 'PENDING' },
    ACTIVE: { activate: 'ACTIVE', disable: 'DISABLED' },
    DISABLED: { activate: 'ACTIVE', disable: 'DISABLED' },
  },
  'webhook subscription': {
    active: { delivered: 'active', missed: 'active', missedForTheLastTime: 'failed' },
    failed: {},
  },
  'discovery session': {
    collecting: { landed: 'collecting', landedLast: 'complete', abandoned: 'complete' },
    complete: { askedAgain: 'collecting' },
  },
  'sponsored buyer': {
    pending: { approve: 'active', suspend: 'suspended' },
    active: { suspend: 'suspended' },
    suspended: { reactivate: 'active' },
  },
  'spend approval': {
    pending: { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn', expire: 'expired' },
    approved: {},
    rejected: {},
    withdrawn: {},
    expired: { withdraw: 'withdrawn' },
  },
  'join request': {
    pending: { approve: 'approved', decline: 'declined', takeOut: 'declined', askAgain: 'pending' },
    approved: { takeOut: 'declined', askAgain: 'pending' },
    declined: { takeOut: 'declined', askAgain: 'pending' },
  },
  'proposal of a storefront': {
    active: {
      open: 'active',
      redeem: 'redeemed',
      change: 'active',
      extend: 'active',
      revoke: 'revoked',
      expire: 'expired',
    },
    redeemed: {},
    expired: { change: 'expired', extend: 'active', revoke: 'revoked' },
    revoked: {},
  },
};

/** Whether something leads to the state from another one. */
function isReached({ states, events }: AnyMachine, state: string): boolean {
  return states.some((from) =>
    Object.values(events).some(({ leads }) => from !== state && Object(leads)[from] === state),
  );
}

/** The states that a change may ask for, each with the machines of its family that know all of these. */
const wished = families.flatMap((family) =>
  family.tools
    .filter(({ effect }) => effect !== 'read')
    .flatMap(({ name, input }) =>
      fieldsOf(jsonSchema(input, 'input')).flatMap(({ path, schema: { enum: words } }) => {
        const states = Array.isArray(words) ? words.map(String) : [];
        const lives = family.machines.filter((machine) =>
          states.every((state) => machine.states.includes(state)),
        );
        return states.length === 0 || lives.length === 0 ? [] : [{ field: `${name}.${path}`, states, lives }];
      }),
    ),
);

/** The file of each machine that is declared. */
const declared = sourceFiles('tools').flatMap((path) =>
  (codeOf(path).match(/^export const \w+: Machine</gm) ?? []).map(() => path),
);

/** States that are offered and led to by nothing, and why. */
const SENT_BACK: Readonly<Record<string, string>> = {
  'inventory_source_update.status=PENDING': 'The contract has it: a source may be sent back as it was read.',
};

describe('a state machine', () => {
  test('leads to each state that a change offers to ask for', () => {
    const idle = wished.flatMap(({ field, states, lives }) =>
      states
        .filter((state) => !lives.some((machine) => isReached(machine, state)))
        .map((state) => `${field}=${state}`),
    );

    expect(wished.map(({ field }) => field)).toContain('inventory_source_update.status');
    expect(idle).toEqual(Object.keys(SENT_BACK));
  });

  test('has its life written here, whatever it is of', () => {
    expect(machines.map(({ of }) => of).sort()).toEqual(Object.keys(LIVES).sort());
  });

  test.each(Object.keys(LIVES))('leads where the life of a %s does, and nowhere else', (of) => {
    const machine = machines.find((one) => one.of === of);
    if (machine === undefined) throw new Error(`No family prints the machine of a ${of}.`);
    const ways = machine.states.map((state) => {
      const events = Object.keys(machine.events).map(
        (event) => [event, next(machine, state, event)] as const,
      );
      return [state, Object.fromEntries(events.filter(([, to]) => to !== undefined))];
    });

    expect(Object.fromEntries(ways)).toEqual(LIVES[of]);
  });

  test('is printed into the reference, each that is declared', () => {
    expect(declared).toHaveLength(machines.length);
  });

  test('stands in the file of its room that is named after them', () => {
    expect(declared.filter((path) => !path.endsWith('/machines.ts'))).toEqual([]);
  });

  test('is one of a kind: no two tell of the same', () => {
    expect(new Set(machines.map(({ of }) => of)).size).toBe(machines.length);
  });
});
