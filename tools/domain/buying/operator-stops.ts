import type { LivingCampaign } from '../../../store/unscoped/living-campaigns.ts';
import { unconfined } from '../../core/access.ts';
import { call } from '../../core/call.ts';
import type { Answer } from '../../core/call-context.ts';
import type { Caller, Services } from '../../core/context.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { next } from '../../core/machines.ts';
import { OPERATOR } from '../organizations/operator.ts';
import { livingCampaigns } from './living-in-organizations.ts';
import { campaignMachine } from './machines.ts';
import { unknownOrders } from './unknown-in-installation.ts';

/** What the operator stops of all that organizations have at sellers, through the gates of any call. */

const TOOLS = { pause: 'campaign_pause', cancel: 'campaign_cancel' } as const;

export type Stop = keyof typeof TOOLS;

interface Wanted {
  readonly stop: Stop;
  /** Also of the accounts below it. */
  readonly organization: number;
  /** This campaign alone; without it, each that lives. */
  readonly campaign?: string | undefined;
  readonly reason?: string | undefined;
}

/** What came of one campaign. */
export type Stopped = { readonly row: LivingCampaign } & (
  | { readonly kind: 'over' }
  | { readonly kind: 'answered'; readonly output: Answer['output']; readonly unknown: readonly string[] }
  | { readonly kind: 'refused'; readonly error: AppError; readonly unknown: readonly string[] }
);

/** Stops one after the other; what one of them refuses hides nothing of the others. */
export async function* stopLiving(services: Services, wanted: Wanted): AsyncIterable<Stopped> {
  for await (const row of livingCampaigns(services.store.db, wanted.organization)) {
    if (isMeant(row, wanted)) yield await stopOne(services, row, wanted);
  }
}

/** What is paused and of which nothing runs is as it should be. */
function isMeant({ id, status, running }: LivingCampaign, { stop, campaign }: Wanted): boolean {
  if (campaign !== undefined && campaign !== id) return false;
  return stop === 'cancel' || status === 'ACTIVE' || running > 0;
}

async function stopOne(services: Services, row: LivingCampaign, { stop, reason }: Wanted): Promise<Stopped> {
  // Of what is over nothing can be stopped any more, although sellers still have it.
  if (next(campaignMachine, row.status, stop) === undefined) return { row, kind: 'over' };
  const name = TOOLS[stop];
  const tool = services.registry.tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  const from = {
    caller: operatorIn(row),
    requestId: services.ports.ids.make('op'),
    ip: null,
    signal: services.closing,
  };
  const input = { campaignId: row.id, ...(reason === undefined ? {} : { reason }) };
  try {
    const { output } = await call(services, tool, { from, read: () => input });
    const unknown = output['failureCount'] === 0 ? [] : await unknownIn(services, row);
    return { row, kind: 'answered', output, unknown };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { row, kind: 'refused', error, unknown: await unknownIn(services, row) };
  }
}

/** The orders of a campaign of which nobody knows whether they were taken. */
async function unknownIn({ store }: Services, row: LivingCampaign): Promise<string[]> {
  const unknown: string[] = [];
  for await (const { id, campaign_id } of unknownOrders(store.db, row.organization_id)) {
    if (campaign_id === row.id) unknown.push(id);
  }
  return unknown;
}

/** The operator in the account of a campaign: as far as its own people, and whatever stops them. */
function operatorIn({ organization_id: organizationId, customer_id: buyer }: LivingCampaign): Caller {
  return {
    kind: 'operator',
    principal: OPERATOR,
    name: OPERATOR,
    organizationId,
    permissions: new Set(['buyer:read', 'buyer:write', 'buyer:admin']),
    accounts: { buyer, seller: null },
    confined: unconfined,
    advertiserIds: null,
    userId: null,
    tier: 'premium',
    alpha: true,
  };
}
