import type { Need } from '../journeys/step.ts';

/**
 * How a call may end before its input is read. `ok`: the caller is let in. `401`: nobody knows it. `403`: it may not.
 * `ask`: its person holds what it was not given, so that its program is told for which scope to ask (403).
 */
export type Word = 'ok' | '401' | '403' | 'ask';

/**
 * What else bounds a caller: `unclaimed`, an anonymous agent; `grants` and `sandbox`, what narrows a key; `elsewhere`,
 * it belongs to an organization that has none of the objects; `above`, to the parent, from where it may go down;
 * `other side`, to one that has no account on this side either; `terms`, its organization accepted none.
 */
export type Bound = 'unclaimed' | 'grants' | 'sandbox' | 'elsewhere' | 'above' | 'other side' | 'terms';

export interface Row {
  readonly who: string;
  readonly ends: Readonly<Record<Need, Word>>;
  readonly bound: Bound | undefined;
}

/** The columns of the tables, in this order. */
const NEEDS: readonly Need[] = [
  'nothing',
  'buyer:read',
  'buyer:write',
  'buyer:admin',
  'browser:read',
  'browser:write',
  'browser:admin',
  'person:admin',
  'agreement',
];

const BOUNDS: readonly Bound[] = [
  'unclaimed',
  'grants',
  'sandbox',
  'elsewhere',
  'above',
  'other side',
  'terms',
];

/** What an agent may read that nobody claimed (interface, Authentication rule 7): these two, and no more. */
export const OPEN_TO_UNCLAIMED: readonly string[] = ['advertiser_list', 'advertiser_get'];

/** What may be changed before the terms are accepted: that, and in which of its accounts a session works. */
export const OPEN_WITHOUT_TERMS: readonly string[] = ['accept_tos', 'account_switch'];

/** What is done to an organization from the one above it. */
export const REACHING_BELOW: readonly string[] = [
  'account_switch',
  'account_domain_update',
  'account_membership_get',
  'account_membership_update',
  'account_delete',
];

/** What is read of an organization below, where a role that grants narrow is none. */
export const READING_BELOW: readonly string[] = ['account_membership_get'];

/**
 * Who may do what, written by hand from interface.md (Authentication, and the sections of the credentials) and from
 * decisions.md, section 6; never from the code that decides it. Where both are silent, section 6 settles it:
 * a role or a permission opens what it is named for, and nothing else;
 * a token of a program, whatever its person holds, is no interactive session (rule 4 speaks of keys and M2M);
 * a service token, a legacy key and a claimed agent act for a person, and are none; the affairs of the account are
 * lent to no service token; agents make no credentials and manage no people, whoever claimed them;
 * a person at a browser is the same person over MCP, for the gates are alike there;
 * the audit log is the affair of administrators.
 */
export const TABLE = rows(`
                                           | nothing | buyer:           | browser:         | person: | agree- | bound
                                           |         | read write admin | read write admin | admin   | ment   |
nobody                                     | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
a key that nobody made                     | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
a revoked key                              | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
an expired key                             | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
an anonymous agent                         | ok      | 403  403   403   | 403  403   403   | 403     | 403    | unclaimed
a claimed agent                            | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
a read key                                 | ok      | ok   403   403   | 403  403   403   | 403     | 403    |
a write key                                | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
an admin key                               | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    |
an account-admin key                       | ok      | 403  403   403   | 403  403   403   | 403     | 403    |
a read and account-admin key               | ok      | ok   403   403   | 403  403   403   | 403     | 403    |
a write and account-admin key              | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
an admin and account-admin key             | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    |
a narrowed key                             | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | grants
a test key                                 | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | sandbox
an application that reads                  | ok      | ok   403   403   | 403  403   403   | 403     | 403    |
an application that writes                 | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
an application that administers            | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    |
a service token READ                       | ok      | ok   403   403   | 403  403   403   | 403     | 403    |
a service token READ_WRITE                 | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
a service token ADMIN                      | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    |
a legacy key of the account                | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
a legacy key of an ADMIN                   | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    |
a SUPER_ADMIN at a browser                 | ok      | ok   ok    ok    | ok   ok    ok    | ok      | ok     |
an ADMIN at a browser                      | ok      | ok   ok    ok    | ok   ok    ok    | ok      | ok     |
a MEMBER at a browser                      | ok      | ok   ok    403   | ok   ok    403   | 403     | 403    |
a READ_ONLY at a browser                   | ok      | ok   403   403   | ok   403   403   | 403     | 403    |
a narrowed ADMIN at a browser              | ok      | ok   ok    ok    | ok   ok    ok    | ok      | ok     | grants
a program of a SUPER_ADMIN                 | ok      | ok   ok    ok    | 403  403   403   | ok      | ok     |
a program of an ADMIN                      | ok      | ok   ok    ok    | 403  403   403   | ok      | ok     |
a program of a MEMBER                      | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
a program of a READ_ONLY                   | ok      | ok   403   403   | 403  403   403   | 403     | 403    |
a program that an ADMIN lets read          | ok      | ok   ask   ask   | 403  403   403   | ask     | ask    |
a program of an ADMIN with buyer:read      | ok      | ok   ask   ask   | 403  403   403   | ask     | ask    |
a program of an ADMIN with buyer:write     | ok      | ok   ok    ask   | 403  403   403   | ask     | ask    |
a program of a narrowed ADMIN              | ok      | ok   ok    ok    | 403  403   403   | ok      | ok     | grants
an ADMIN of another organization           | ok      | ok   ok    ok    | ok   ok    ok    | ok      | ok     | elsewhere
a program of an ADMIN of another           | ok      | ok   ok    ok    | 403  403   403   | ok      | ok     | elsewhere
an admin key of another organization       | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | elsewhere
an ADMIN of the other side                 | ok      | ok   ok    ok    | ok   ok    ok    | ok      | ok     | other side
an admin key of the other side             | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | other side
a key of a suspended organization          | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
an ADMIN of a suspended organization       | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
a program of a suspended organization      | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
an application of a suspended organization | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
a service token of a suspended one         | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
a legacy key of a suspended one            | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
an agent of a suspended organization       | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
a key below a suspended organization       | ok      | 401  401   401   | 401  401   401   | 401     | 401    |
an admin key without terms                 | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | terms
an application without terms               | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | terms
a service token without terms              | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | terms
a legacy key without terms                 | ok      | ok   ok    403   | 403  403   403   | 403     | 403    | terms
an agent without terms                     | ok      | ok   ok    403   | 403  403   403   | 403     | 403    | terms
an ADMIN without terms                     | ok      | ok   ok    ok    | ok   ok    ok    | ok      | ok     | terms
a program of an ADMIN without terms        | ok      | ok   ok    ok    | 403  403   403   | ok      | ok     | terms
`);

/**
 * The same where the organization has a parent. A role in the parent is a role in what hangs below it; who belongs to
 * both has the nearer one. The agreement is the parent's: who has no role of an administrator there cannot accept it
 * (rule 8). A secret that is made in a chat is the affair of an administrator of the organization itself, too
 * (auth-and-fax, service tokens). Who works in the parent sees none of what the organization has, until the session
 * goes there (`account_switch`).
 */
export const TABLE_BELOW_A_PARENT = rows(`
                                           | nothing | buyer:           | browser:         | person: | agree- | bound
                                           |         | read write admin | read write admin | admin   | ment   |
an ADMIN of the parent                     | ok      | ok   ok    ok    | ok   ok    ok    | 403     | ok     |
a MEMBER of the parent                     | ok      | ok   ok    403   | ok   ok    403   | 403     | 403    |
a READ_ONLY of the parent                  | ok      | ok   403   403   | ok   403   403   | 403     | 403    |
a program of an ADMIN of the parent        | ok      | ok   ok    ok    | 403  403   403   | 403     | ok     |
a program of a MEMBER of the parent        | ok      | ok   ok    403   | 403  403   403   | 403     | 403    |
an ADMIN of it alone                       | ok      | ok   ok    ok    | ok   ok    ok    | ok      | 403    |
a program of an ADMIN of it alone          | ok      | ok   ok    ok    | 403  403   403   | ok      | 403    |
a READ_ONLY of it, ADMIN of the parent     | ok      | ok   403   403   | ok   403   403   | 403     | 403    |
an ADMIN at work in the parent             | ok      | ok   ok    ok    | ok   ok    ok    | ok      | ok     | above
an admin key of the parent                 | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | above
an admin key where the parent owes terms   | ok      | ok   ok    ok    | 403  403   403   | 403     | 403    | terms
`);

/** Reads a table: two lines of heads, and a row a caller. */
function rows(text: string): readonly Row[] {
  const [, , , ...lines] = text.split('\n').filter((_, index, all) => index < all.length - 1);
  return lines.map((line) => {
    const [who = '', ...cells] = line.split('|').map((cell) => cell.trim());
    const words = cells.slice(0, -1).flatMap((cell) => cell.split(/\s+/));
    if (words.length !== NEEDS.length || !words.every(isWord)) throw new Error(`This is no row: ${line}`);
    const ends = Object.fromEntries(NEEDS.map((need, index) => [need, words[index] ?? '403']));
    return { who, ends: ends as Record<Need, Word>, bound: boundOf(cells.at(-1)) };
  });
}

function isWord(text: string): text is Word {
  return ['ok', '401', '403', 'ask'].includes(text);
}

function boundOf(text = ''): Bound | undefined {
  const found = BOUNDS.find((bound) => bound === text);
  if (found === undefined && text !== '') throw new Error(`Nothing bounds a caller that is called ${text}.`);
  return found;
}
