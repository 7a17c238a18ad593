import { describe, expect, test } from 'vitest';
import { type Permission, permissions } from '../../store/api-keys.ts';
import {
  type Access,
  type Bearer,
  type Bound,
  hasPermission,
  needs,
  open,
  refusal,
  unconfined,
} from '../../tools/core/access.ts';
import { type Surface, surfaceNames } from '../../tools/core/surfaces.ts';

const kinds = [
  'api_key',
  'user',
  'm2m',
  'service_token',
  'legacy_key',
  'agent',
  'anonymous_agent',
  'person at a browser',
] as const;
/** By hand: whose account a surface works in. The compiler asks for each. */
const SIDE_OF: Readonly<Record<Surface, 'buyer' | 'seller' | 'organization'>> = {
  buyer: 'buyer',
  storefront: 'seller',
  platform: 'organization',
};
const WORDS_OF = { buyer: 'buyer account', seller: 'storefront account' } as const;
const effects = ['read', 'create', 'update', 'delete', 'act'] as const;

/** Every set of permissions, the empty one too. */
const sets = Array.from({ length: 2 ** permissions.length }, (_, number) =>
  permissions.filter((_permission, bit) => (number & (2 ** bit)) !== 0),
);

/** Every combination of what an organization has an account for. */
const accounts = [
  { buyer: 1, seller: 2 },
  { buyer: 1, seller: null },
  { buyer: null, seller: 2 },
  { buyer: null, seller: null },
];

const flags = [false, true].flatMap((human) =>
  [false, true].flatMap((unclaimedAgents) =>
    [false, true].map((beforeTerms) => ({
      ...(human ? { human: true as const } : {}),
      ...(unclaimedAgents ? { unclaimedAgents: true as const } : {}),
      ...(beforeTerms ? { beforeTerms: true as const } : {}),
    })),
  ),
);

const accesses: readonly Access[] = permissions.flatMap((permission) =>
  flags.map((flag) => needs(permission, flag)),
);

/** Which permissions let a call in that needs one (decisions, section 6). */
const LETS_IN: Readonly<Record<Permission, readonly Permission[]>> = {
  'buyer:read': ['buyer:read', 'buyer:write', 'buyer:admin'],
  'buyer:write': ['buyer:write', 'buyer:admin'],
  'buyer:admin': ['buyer:admin'],
  'account:admin': ['account:admin'],
};

const questions = accesses.flatMap((access) =>
  effects.flatMap((effect) => surfaceNames.map((surface) => ({ access, effect, surface }))),
);
const bearers: readonly Bearer[] = kinds.flatMap((kind) =>
  sets.flatMap((set) =>
    accounts.map((held) => ({
      ...(kind === 'person at a browser' ? { kind: 'user', interactive: true } : { kind }),
      permissions: new Set(set),
      accounts: held,
      confined: unconfined,
    })),
  ),
);

type Question = (typeof questions)[number];

type Gate = (question: Question, bearer: Bearer) => string | false;

/** The table, gate by gate in their order: each gives words of its refusal, or lets go on. */
const GATES: readonly Gate[] = [
  ({ access, effect }, { kind }) =>
    kind === 'anonymous_agent' && !('unclaimedAgents' in access && effect === 'read') && 'claimed',
  ({ access }, { interactive }) => 'human' in access && !interactive && 'interactive',
  ({ access }, { permissions: held }) =>
    access.kind === 'permission' &&
    !LETS_IN[access.permission].some((one) => held.has(one)) &&
    access.permission,
  ({ surface }, { accounts: held }) => {
    const side = SIDE_OF[surface];
    return side !== 'organization' && held[side] === null && WORDS_OF[side];
  },
];

/** Words of the first refusal; undefined for who may. */
function expected(question: Question, bearer: Bearer): string | undefined {
  for (const gate of GATES) {
    const words = gate(question, bearer);
    if (words !== false) return words;
  }
  return undefined;
}

/** What the decision says, where it is not what the table says. */
function wrongAmong(asked: readonly Question[], callers: readonly Bearer[]): unknown[] {
  const wrong: unknown[] = [];
  for (const question of asked) {
    for (const bearer of callers) {
      const words = expected(question, bearer);
      const error = refusal(question, bearer);
      const isRight =
        words === undefined
          ? error === undefined
          : error?.code === 'FORBIDDEN' && error.status === 403 && error.message.includes(words);
      if (!isRight) wrong.push({ question, bearer, said: error?.message, expected: words });
    }
  }
  return wrong;
}

describe('the decision about access', () => {
  test('is asked everything there is: each access, effect and surface, of each bearer', () => {
    expect(questions).toHaveLength(4 * 8 * 5 * surfaceNames.length);
    expect(bearers).toHaveLength(8 * 16 * 4);
  });

  test.each(kinds)('for a bearer of kind %s is as the table says', (kind) => {
    const ofKind = bearers.filter((bearer) =>
      kind === 'person at a browser' ? bearer.interactive : bearer.kind === kind && !bearer.interactive,
    );

    expect(wrongAmong(questions, ofKind)).toEqual([]);
    const ends = new Set(questions.flatMap((question) => ofKind.map((bearer) => expected(question, bearer))));
    expect(ends.size).toBeGreaterThan(2);
  });

  test('asks who it is before anything else', () => {
    for (const question of questions) {
      expect(refusal(question, null)).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    }
  });

  test('lets everybody in where a capability is open, known or not', () => {
    for (const effect of effects) {
      for (const surface of surfaceNames) {
        for (const bearer of [null, ...bearers]) {
          expect(refusal({ access: open, effect, surface }, bearer)).toBeUndefined();
        }
      }
    }
  });

  test('names what would be enough', () => {
    const nothing: Bearer = {
      kind: 'api_key',
      permissions: new Set(),
      accounts: { buyer: 1, seller: 1 },
      confined: unconfined,
    };
    for (const permission of permissions) {
      const error = refusal({ access: needs(permission), effect: 'read', surface: 'buyer' }, nothing);
      for (const held of LETS_IN[permission]) expect(error?.suggestion).toContain(held);
    }
  });

  test.each(permissions)('about %s alone is the same', (permission) => {
    for (const set of sets) {
      const held = { permissions: new Set(set) };
      const letIn = LETS_IN[permission].some((one) => held.permissions.has(one));
      expect(hasPermission(held, permission)).toBe(letIn);
    }
  });
});

const BOUNDS: readonly (readonly Bound[])[] = [[], ['grants'], ['sandbox'], ['grants', 'sandbox']];
const SAYS: Readonly<Record<Bound, RegExp>> = { grants: /narrowed, by grants/, sandbox: /test key/ };

/** Every confinement there is, of each side and of what the organization shares. */
const confinements = BOUNDS.flatMap((buyer) =>
  BOUNDS.flatMap((seller) => BOUNDS.map((organization) => ({ buyer, seller, organization }))),
);

function confinedBearer(confined: Bearer['confined'], held: readonly Permission[] = permissions): Bearer {
  return { kind: 'api_key', permissions: new Set(held), accounts: { buyer: 1, seller: 2 }, confined };
}

const CHANGING = effects.filter((effect) => effect !== 'read');

function firstBeyond(confined: Bearer['confined'], surface: Surface, within: readonly Bound[]) {
  return confined[SIDE_OF[surface]].find((bound) => !within.includes(bound));
}

/** Which bound the refusal speaks of; undefined where there is none. */
function saidOf(asked: {
  confined: Bearer['confined'];
  within: readonly Bound[];
  effect: (typeof effects)[number];
  surface: Surface;
}): Bound | undefined {
  const { confined, within, effect, surface } = asked;
  const error = refusal(
    { access: needs('buyer:write', { within }), effect, surface },
    confinedBearer(confined),
  );
  if (error === undefined) return undefined;
  expect(error).toMatchObject({ code: 'FORBIDDEN', status: 403 });
  expect(error.suggestion).toMatch(/^Use a /);
  return (['grants', 'sandbox'] as const).find((bound) => SAYS[bound].test(error.message));
}

describe('the decision about what a confined credential may change', () => {
  test.each(surfaceNames)(
    'on the surface %s is no, for each of its bounds that the capability does not keep',
    (surface) => {
      const asked = confinements.flatMap((confined) =>
        BOUNDS.flatMap((within) => CHANGING.map((effect) => ({ confined, within, effect, surface }))),
      );
      const refused = asked.filter(
        ({ confined, within }) => firstBeyond(confined, surface, within) !== undefined,
      );

      expect(refused.length).toBeGreaterThan(100);
      for (const one of asked) expect(saidOf(one)).toBe(firstBeyond(one.confined, surface, one.within));
    },
  );

  test('is no where a capability says nothing: closed by default', () => {
    for (const bound of ['grants', 'sandbox'] as const) {
      const bearer = confinedBearer({ ...unconfined, buyer: [bound] });
      const question = { access: needs('buyer:write'), effect: 'create', surface: 'buyer' } as const;
      expect(refusal(question, bearer)?.code).toBe('FORBIDDEN');
    }
  });

  test('is not asked of reads', () => {
    for (const confined of confinements) {
      for (const surface of surfaceNames) {
        const question = { access: needs('buyer:read'), effect: 'read', surface } as const;
        expect(refusal(question, confinedBearer(confined))).toBeUndefined();
      }
    }
  });

  test('comes after the permission', () => {
    const bearer = confinedBearer({ ...unconfined, buyer: ['grants'] }, ['buyer:read']);
    const question = { access: needs('buyer:write'), effect: 'create', surface: 'buyer' } as const;

    expect(refusal(question, bearer)?.message).toContain('buyer:write');
  });
});
