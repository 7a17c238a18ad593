import type { Need, Step } from '../journeys/step.ts';

/** Who holds least of those whom a need lets in, by the names of the table. */
const LEAST: Readonly<Partial<Record<Need, string>>> = {
  'buyer:write': 'a write key',
  'buyer:admin': 'an admin key',
  'browser:write': 'a MEMBER at a browser',
  'browser:admin': 'an ADMIN at a browser',
  'person:admin': 'a program of an ADMIN',
  agreement: 'a program of an ADMIN',
};

export function leastFor({ needs }: Step): string | undefined {
  return LEAST[needs];
}

/** The same of those who belong to the parent. */
const LEAST_BELOW_A_PARENT: typeof LEAST = {
  'buyer:write': 'a MEMBER of the parent',
  'buyer:admin': 'a program of an ADMIN of the parent',
  'browser:write': 'a MEMBER of the parent',
  'browser:admin': 'an ADMIN of the parent',
  'person:admin': 'a program of an ADMIN of it alone',
  agreement: 'a program of an ADMIN of the parent',
};

export function leastBelowAParent({ needs }: Step): string | undefined {
  return LEAST_BELOW_A_PARENT[needs];
}
