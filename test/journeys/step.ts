import type { AuditAction } from '../../store/audit-log.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What earlier steps made, by the name they gave it. */
export type Made = (name: string) => string;

/**
 * Who is kept from an object that an id names. Another organization never learns that it exists (404); these
 * differ in what the organization that has it is told elsewhere in itself:
 * `advertiser`: 403 in another account, and for a key whose grants reach another advertiser;
 * `account`: 403 in another account; `hidden`: 404 in another account; `organization`: whichever account;
 * `open`: everybody may see it; `filter`: it only narrows a list, to nothing where nobody has it; `part`: it
 * names a part of what another field names, and nothing by itself; `new`: the caller chooses it for what is made.
 */
export type Reach = 'advertiser' | 'account' | 'hidden' | 'organization' | 'open' | NoObject;

/** What is no object of its own. */
export type NoObject = 'filter' | 'part' | 'new';

export function isObject(reach: Reach | undefined): reach is Exclude<Reach, NoObject> {
  return reach !== undefined && reach !== 'filter' && reach !== 'part' && reach !== 'new';
}

/**
 * What somebody needs to make a call.
 * `nothing`: anybody may; `buyer:read` to read, `buyer:write` to make and change, `buyer:admin` for deletes,
 * settings of the organization and people, whatever kind of credential holds it. No key is enough for the others.
 * `browser:…`: somebody signed in at a browser who holds `buyer:…`; `person:admin`: an administrator of the very
 * organization, by a token of that person as well; `agreement`: the same of the organization that owns the agreement.
 */
export type Need =
  | 'nothing'
  | 'buyer:read'
  | 'buyer:write'
  | 'buyer:admin'
  | 'browser:read'
  | 'browser:write'
  | 'browser:admin'
  | 'person:admin'
  | 'agreement';

/** Whether no key is enough for a step, so that somebody at a browser makes it. */
export function isForPeople({ needs }: Pick<Step, 'needs'>): boolean {
  return needs !== 'nothing' && !needs.startsWith('buyer:');
}

/** What the audit log says of a change. */
export interface Logged {
  readonly type: string;
  /** The name under which steps know the id of the object. */
  readonly id: string;
  /** Where the effect of the tool does not tell. */
  readonly action?: AuditAction;
  /** What the object is called; a pattern where it has another name in each walk. */
  readonly called?: string | RegExp;
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
  /** Who may make it, by the words of interface and decisions: never copied from the access of the definition. */
  readonly needs: Need;
  /** Scripts and people may, and it is no tool: an agent manages neither people nor what pages may call. */
  readonly overRestAlone?: true;
  /** For a change: the confined credentials that may make it, where it keeps within what confines them. */
  readonly within?: readonly ('grants' | 'sandbox')[];
  /** Every field that takes the id of an object, with who is kept from that object. */
  readonly names?: Readonly<Record<string, Reach>>;
  /** For a read of one object: a key that grants narrow sees what it made itself, and no other. */
  readonly ofMaker?: true;
  /** For a change: what the audit log says of it. */
  readonly logged?: Logged;
  /** For a change that writes of further objects: their kinds, an entry each. */
  readonly alsoLogged?: readonly string[];
  /** For a list: everybody sees the same rows, whoever made them. */
  readonly ofEverybody?: true;
  /** For a list: the organization's, whichever account one works in. */
  readonly ofOrganization?: true;
  /** For a list that pages: the tool that makes a row of it. */
  readonly rowsBy?: string;
}
