import { type AuditAction, type AuditLogRow, insertAuditLog } from '../../store/audit-log.ts';
import { toJson } from '../../store/engine/codec.ts';
import type { Db, Store } from '../../store/engine/db.ts';
import { makeTenant, type Tenant } from '../../store/engine/scope.ts';
import { insertInstallationLog } from '../../store/unscoped/installation-log.ts';
import type { Effect } from './define.ts';
import type { Kind } from './kinds.ts';
import { withoutSecrets } from './redaction.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a change touched. What is left out is taken from the act. */
export interface AuditSubject {
  readonly kind?: Kind;
  readonly resourceId?: string | number;
  readonly resourceName?: string;
  readonly advertiserId?: number;
  readonly action?: AuditAction;
  /** Field by field: `{ name: { from, to } }`. */
  readonly changes?: Fields;
  /** Why this one object was changed, where that was said of it alone. */
  readonly reason?: string | null;
  /** Whose log it belongs into, where that is not the author's own; the installation's, where it concerns all. */
  readonly tenant?: Tenancy | 'installation';
}

interface Tenancy {
  readonly organizationId: number;
  /** Null: what concerns the organization as a whole. */
  readonly customerId: number | null;
}

/** The person behind an act, and the key, application or token by its own name. */
interface Names {
  readonly userEmail: string | null;
  readonly userName: string | null;
  readonly credentialName: string | null;
}

/** Who did it: the same in every entry of one act. */
export interface Author extends Tenancy {
  readonly userId: number | null;
  /** The key or token that was used; never its value. */
  readonly credentialId: string | null;
  /** What they are called at this moment: names change, and who is gone has none. */
  readonly names?: Names;
  readonly origin: AuditLogRow['actor_origin'];
  readonly requestId: string;
  readonly ip: string | null;
}

/** One act, which may touch several objects. */
export interface Act {
  readonly author: Author;
  /** The capability, by its name. */
  readonly tool: string;
  readonly surface: string;
  /** In words, for the reader of the log. */
  readonly title: string;
  readonly action: AuditAction;
  readonly kind: Kind;
  /** The object that was named by whoever asked for it. */
  readonly resourceId?: string | number | undefined;
  readonly parameters: Fields | null;
  /** Why, in the words of whoever asked for it. */
  readonly reason?: string | null;
  readonly now: string;
}

interface End {
  readonly outcome: AuditLogRow['outcome'];
  readonly errorCode: string | null;
  readonly description: string;
}

/** How the log names a person. */
export function namesOf({ email, name }: { readonly email: string; readonly name: string }): Names {
  return { userEmail: email, userName: name, credentialName: null };
}

const NOBODYS: Names = { userEmail: null, userName: null, credentialName: null };
const PARAMETERS_MAX = 8_192;
const DESCRIPTION_MAX = 500;

export const actions: Readonly<Record<Exclude<Effect, 'read'>, AuditAction>> = {
  create: 'CREATE',
  update: 'UPDATE',
  delete: 'DELETE',
  act: 'EXECUTE',
};

type Entry = Omit<AuditLogRow, 'id' | 'organization_id'>;

function auditEntry(act: Act, subject: AuditSubject, end: End): Entry {
  const { author } = act;
  const { names = NOBODYS } = author;
  const { customerId } = tenancyOf(subject, author);
  const id = subject.resourceId ?? act.resourceId;
  return {
    customer_id: customerId,
    tool: act.tool,
    surface: act.surface,
    action: subject.action ?? act.action,
    outcome: end.outcome,
    error_code: end.errorCode,
    resource_type: (subject.kind ?? act.kind).type,
    resource_id: id === undefined ? null : String(id),
    resource_name: subject.resourceName ?? null,
    parent_type: null,
    advertiser_id: subject.advertiserId ?? null,
    user_id: author.userId,
    user_email: names.userEmail,
    user_name: names.userName,
    credential_id: author.credentialId,
    credential_name: names.credentialName,
    actor_origin: author.origin,
    parameters: act.parameters === null ? null : toJson(bounded(act.parameters)),
    changes: subject.changes === undefined ? null : toJson(withoutSecrets(subject.changes)),
    description: end.description,
    reason: subject.reason ?? act.reason ?? null,
    request_id: author.requestId,
    ip: author.ip,
    created_at: act.now,
  };
}

function bounded(parameters: Fields): Fields {
  const plain = withoutSecrets(parameters);
  return JSON.stringify(plain).length <= PARAMETERS_MAX ? plain : { omitted: 'larger than 8 KiB' };
}

/** What a change touched: several objects with an entry each; undefined when it turned out that there was nothing. */
export type Subjects<T> = AuditSubject | ((result: T) => AuditSubject | readonly AuditSubject[] | undefined);

interface Write<T> {
  readonly work: (tx: Db) => Promise<T>;
  readonly subject: Subjects<T>;
  /** What else belongs into the transaction of a change. */
  readonly wrote?: ((tx: Db, subject: AuditSubject) => Promise<void>) | undefined;
}

/** What a transaction touched beside what its act is about, by the transaction. */
const beside = new WeakMap<object, AuditSubject[]>();

/**
 * Notes an object that came to be another by what is done here, deep below whoever did it: the act that this is part
 * of writes its entry, in the same transaction.
 */
export function alsoTouched(tx: Db, subject: AuditSubject): void {
  beside.set(tx, [...(beside.get(tx) ?? []), subject]);
}

function noted(tx: Db): readonly AuditSubject[] {
  const subjects = beside.get(tx) ?? [];
  beside.delete(tx);
  return subjects;
}

/** Runs the work in one transaction and writes its entry inside it: one is not there without the other. */
export function writeAudited<T>(store: Pick<Store, 'transaction'>, act: Act, write: Write<T>): Promise<T> {
  return store.transaction((tx) => writeAuditedIn(tx, act, write));
}

/** The same inside a transaction that is open. */
export async function writeAuditedIn<T>(tx: Db, act: Act, { work, subject, wrote }: Write<T>): Promise<T> {
  const result = await work(tx);
  const abouts = [typeof subject === 'function' ? subject(result) : subject].flat();
  for (const about of abouts) {
    if (about === undefined) continue;
    await writeEntry(tx, act, about);
    if (wrote !== undefined) await wrote(tx, about);
  }
  for (const about of noted(tx)) await writeEntry(tx, act, about);
  return result;
}

async function writeEntry(tx: Db, act: Act, about: AuditSubject): Promise<void> {
  const end = { outcome: 'succeeded', errorCode: null, description: act.title } as const;
  const entry = auditEntry(act, about, end);
  if (about.tenant === 'installation') await insertInstallationLog(tx, installationEntry(entry));
  else await insertAuditLog(tx, tenantOf(about.tenant ?? act.author), entry);
}

/** Of an entry what there is to say where there is no account. */
function installationEntry(entry: Entry) {
  const { tool, action, resource_type, resource_id, changes, description, reason, request_id, created_at } =
    entry;
  return { tool, action, resource_type, resource_id, changes, description, reason, request_id, created_at };
}

function tenancyOf({ tenant }: AuditSubject, author: Author): Tenancy {
  return tenant === undefined || tenant === 'installation' ? author : tenant;
}

interface Refused {
  readonly error: { readonly status: number; readonly code: string; readonly message: string };
  /** Whose it would have been, where that is known. */
  readonly advertiserId?: number | undefined;
}

/** The entry of an act that was refused, or that failed. */
export function writeRefused(db: Db, act: Act, { error, advertiserId }: Refused): Promise<void> {
  const end = {
    outcome: error.status >= 500 ? 'failed' : 'denied',
    errorCode: error.code,
    description: `${act.title}: ${error.message}`.slice(0, DESCRIPTION_MAX),
  } as const;
  return insertAuditLog(
    db,
    tenantOf(act.author),
    auditEntry(act, advertiserId === undefined ? {} : { advertiserId }, end),
  );
}

function tenantOf({ organizationId }: Tenancy): Tenant {
  return makeTenant(organizationId);
}
