import type { Generated, Insertable, Selectable } from 'kysely';
import type { Flag, JsonText } from '../engine/codec.ts';
import { toFlag } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';

/** What the operator opens and closes by itself. */
export const admissionNames = ['buyers', 'storefront_accounts', 'plans'] as const;
export type AdmissionName = (typeof admissionNames)[number];

export interface AdmissionSettingTable {
  name: AdmissionName;
  is_open: Flag;
  updated_at: string;
}

export interface PilotMarketTable {
  /** ISO 3166-1 alpha-2. */
  country: string;
  channel: string;
  created_at: string;
}

const previewRoutes = ['solutions_review', 'launch_list'] as const;
export type PreviewRoute = (typeof previewRoutes)[number];

export const previewIntents = [
  'self_service',
  'assisted_pilot',
  'evaluate',
  'integration_partnership',
  'campaign_management',
  'agent_connection',
] as const;

export const previewSources = ['agentic-signup', 'agentic-login', 'marketing-site'] as const;

export interface PreviewRequestTable {
  id: Generated<number>;
  /** Who was signed in; null for nobody. */
  user_id: number | null;
  email: string;
  first_name: string;
  last_name: string;
  company: string;
  org_type: 'brand' | 'agency' | null;
  countries: JsonText<string[]>;
  channels: JsonText<string[]>;
  pilot_budget: string | null;
  pilot_timing: 'ready_now' | 'one_to_three_months' | 'later' | null;
  self_service_experience: Flag | null;
  prelaunch_willing: Flag | null;
  use_case: string | null;
  intent: (typeof previewIntents)[number] | null;
  agent_name: string | null;
  /** Null for those from before it was kept. */
  source: (typeof previewSources)[number] | null;
  route: PreviewRoute;
  /** The countries under which it waits on the launch list. */
  launch_countries: JsonText<string[]>;
  /** Whose domain the address is of. It makes nobody a member. */
  matched_organization_id: number | null;
  created_at: string;
}

export type PreviewRequestRow = Selectable<PreviewRequestTable>;
export type PilotMarketRow = Selectable<PilotMarketTable>;

declare module '../engine/database.ts' {
  interface Database {
    admission_settings: AdmissionSettingTable;
    pilot_markets: PilotMarketTable;
    preview_requests: PreviewRequestTable;
  }
}

/** What is open. A name without a row is closed. */
export async function readAdmission(db: Db): Promise<Readonly<Record<AdmissionName, boolean>>> {
  const rows = await db.selectFrom('admission_settings').select(['name', 'is_open']).execute();
  const isOpen = (name: AdmissionName) => rows.some((row) => row.name === name && row.is_open === 1);
  return {
    buyers: isOpen('buyers'),
    storefront_accounts: isOpen('storefront_accounts'),
    plans: isOpen('plans'),
  };
}

export async function setAdmission(
  db: Db,
  { name, isOpen, now }: { readonly name: AdmissionName; readonly isOpen: boolean; readonly now: string },
): Promise<void> {
  const set = { is_open: toFlag(isOpen), updated_at: now };
  await db
    .insertInto('admission_settings')
    .values({ name, ...set })
    .onConflict((key) => key.column('name').doUpdateSet(set))
    .execute();
}

/** Where pilots are live, by country and channel. */
export function listPilotMarkets(db: Db): Promise<PilotMarketRow[]> {
  return db.selectFrom('pilot_markets').selectAll().orderBy('country').orderBy('channel').execute();
}

/** False: one is open there already. */
export async function openPilotMarket(db: Db, market: Insertable<PilotMarketTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('pilot_markets')
    .values(market)
    .onConflict((key) => key.columns(['country', 'channel']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** False: no pilot was open there. */
export async function closePilotMarket(
  db: Db,
  { country, channel }: Pick<PilotMarketRow, 'country' | 'channel'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pilot_markets')
    .where('country', '=', country)
    .where('channel', '=', channel)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export function insertPreviewRequest(
  db: Db,
  request: Insertable<PreviewRequestTable>,
): Promise<PreviewRequestRow> {
  return db.insertInto('preview_requests').values(request).returningAll().executeTakeFirstOrThrow();
}

/** The newest preview requests, for the operator. */
export function listPreviewRequests(db: Db, limit: number): Promise<PreviewRequestRow[]> {
  return db.selectFrom('preview_requests').selectAll().orderBy('id', 'desc').limit(limit).execute();
}
