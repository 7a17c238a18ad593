import type { AuditAction } from '../../store/audit-log.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What earlier steps made, by the name they gave it. */
export type Made = (name: string) => string;

/**
 * Who is kept from an object that an id names. Another organization never learns that it exists (404); these
 * differ in what the organization that has it is told elsewhere in itself:
 * `advertiser`: 403 in another account, and for a key whose grants reach another advertiser;
 * `account`: 403 in another account; `hidden`: 404 in another account;
 * `open`: everybody may see it; `filter`: it only narrows a list, to nothing where nobody has it; `new`: the
 * caller chooses it for what is made.
 */
export type Reach = 'advertiser' | 'account' | 'hidden' | 'open' | 'filter' | 'new';

/** What the audit log says of a change. */
export interface Logged {
  readonly type: string;
  /** The name under which steps know the id of the object. */
  readonly id: string;
  /** Where the effect of the tool does not tell. */
  readonly action?: AuditAction;
  /** What the object is called. */
  readonly called?: string;
  /** True for what belongs to the advertiser of the journey. */
  readonly ofAdvertiser?: true;
}

/** One call of one capability at a moment at which it succeeds. */
export interface Step {
  /** The name of the tool, or of the stream. */
  readonly tool: string;
  readonly by: 'buyer' | 'seller';
  /** Every field that has a second name is among them. */
  args?(made: Made): Fields;
  /** Names for later steps, each with the field of the answer it is found in, at whatever depth. */
  readonly gives?: Readonly<Record<string, string>>;
  /** Tools that have to be called before, where no name tells. */
  readonly after?: readonly string[];
  /** Ends something that other steps may need: comes when they are through. */
  readonly last?: true;
  /** What a key needs, where it is neither `buyer:read` to read nor `buyer:write` to change. */
  readonly needs?: 'buyer:admin' | 'nothing';
  /** Every field that takes the id of an object, with who is kept from that object. */
  readonly names?: Readonly<Record<string, Reach>>;
  /** For a change: what the audit log says of it. */
  readonly logged?: Logged;
  /** For a change that writes of further objects: their kinds, an entry each. */
  readonly alsoLogged?: readonly string[];
  /** For a list: everybody sees the same rows, whoever made them. */
  readonly ofEverybody?: true;
  /** For a list that pages: the tool that makes a row of it. */
  readonly rowsBy?: string;
}
