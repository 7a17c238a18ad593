import type { Db } from '../../../store/engine/db.ts';
import { tellOnceStored } from '../../../store/engine/once-stored.ts';
import { type Scope, scopeOfRow } from '../../../store/engine/scope.ts';
import { type AccountEventType, insertEvent } from '../../../store/events.ts';
import { insertDeliveries } from '../../../store/webhook-due.ts';
import { changesBetween } from '../../core/changes.ts';
import { beginningOf } from '../../core/text-beginning.ts';
import type { AccountEvent } from './catalogue.ts';

/** What those who follow the events of an account listen to. */
export function eventsTopic({ organizationId, customerId }: Scope): string {
  return `events:${organizationId}:${customerId}`;
}

/** What an event is of: the object at one version, whose it is, and when. */
export interface Subject {
  readonly organization_id: number;
  readonly customer_id: number;
  readonly advertiser_id: number;
  readonly id: string;
  readonly version: number;
}

export interface Told {
  readonly event: AccountEventType;
  readonly fields: Omit<AccountEvent, 'event' | 'id' | 'schemaVersion' | 'timestamp' | 'advertiserId'>;
}

/**
 * Stores events inside the transaction of what they tell of, with a delivery for each webhook that is due one. The
 * payload is made once: the stream and every webhook send these bytes.
 */
export async function tellEvents(
  db: Db,
  of: Subject,
  { told, now }: { readonly told: readonly Told[]; readonly now: string },
): Promise<void> {
  if (told.length === 0) return;
  const scope = scopeOfRow(of);
  const { advertiser_id } = of;
  for (const { event, fields } of told) {
    // An object has each version once, so that the same event can never have two ids.
    const id = `evt_${of.id}.${of.version}.${event}`;
    const payload: AccountEvent = {
      event,
      id,
      schemaVersion: 1,
      timestamp: now,
      advertiserId: String(advertiser_id),
      ...fields,
    };
    const stored = { id, advertiser_id, event_type: event, created_at: now };
    const sequence = await insertEvent(db, scope, { ...stored, payload: JSON.stringify(payload) });
    const source = { event_type: event, session_id: '', revision: 0, event: sequence, told: id };
    await insertDeliveries(db, scope, { ...source, advertiser_id, created_at: now });
  }
  tellOnceStored(db, 'webhooks', eventsTopic(scope));
}

/** A value of an event: what is made of parts as JSON text. */
type Value = string | number | null;

const TEXT_MAX = 200;

/** What changed between two states, field by field; undefined where nothing did. What is longer is cut. */
export function changed(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): AccountEvent['changes'] | undefined {
  const fields = Object.entries(changesBetween(before, after));
  if (fields.length === 0) return undefined;
  return Object.fromEntries(
    fields.map(([field, { from, to }]) => [field, { from: told(from), to: told(to) }]),
  );
}

function told(value: unknown): Value {
  if (value === null || typeof value === 'number') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= TEXT_MAX ? text : `${beginningOf(text, TEXT_MAX - 1)}…`;
}
