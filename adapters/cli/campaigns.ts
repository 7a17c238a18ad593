import type { Command } from 'commander';
import { fromFlag } from '../../store/engine/codec.ts';
import type { LivingCampaign } from '../../store/unscoped/living-campaigns.ts';
import { unconfined } from '../../tools/core/access.ts';
import { call } from '../../tools/core/call.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { next } from '../../tools/core/machines.ts';
import { campaignIn, livingCampaigns } from '../../tools/domain/buying/living-in-organizations.ts';
import { campaignMachine } from '../../tools/domain/buying/machines.ts';
import { unknownOrders } from '../../tools/domain/buying/unknown-in-installation.ts';
import { counted } from '../../tools/domain/counted.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { requireOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { readConfig } from '../settings/config.ts';
import { onOneLine } from './audit-lines.ts';
import { reasonOption } from './reason-option.ts';
import { notStopped } from './refused-stops.ts';
import type { Run } from './task-runner.ts';

interface Parts {
  readonly program: Command;
  readonly run: Run;
  /** Reads the id of an object. */
  whole(text: string): number;
}

interface Chosen {
  readonly organization: number;
  readonly campaign?: string;
  readonly all?: true;
  readonly reason?: string;
}

/** What is done to a campaign, and the capability that does it. */
const STOPS = {
  pause: { tool: 'campaign_pause', description: 'Have the sellers hold what runs', done: 'paused' },
  cancel: {
    tool: 'campaign_cancel',
    description: 'Have the sellers call off what lives, for good',
    done: 'canceled',
  },
} as const;

type Stop = keyof typeof STOPS;

/** The operator's commands about what lives at sellers: also that of organizations that may not call any more. */
export function addCampaigns({ program, run, whole }: Parts): void {
  const campaign = program.command('campaign').description('What organizations have at sellers');
  campaign
    .command('list')
    .description('List the campaigns of an organization, and the accounts below it, that live at sellers')
    .requiredOption('--organization <id>', 'the organization', whole)
    .action(({ organization }: Chosen) => run((operator) => list(operator, organization)));
  for (const stop of ['pause', 'cancel'] as const) {
    campaign
      .command(stop)
      .description(STOPS[stop].description)
      .requiredOption('--organization <id>', 'the organization, with the accounts below it', whole)
      .option('--campaign <id>', 'this campaign alone')
      .option('--all', 'every campaign that lives')
      .addOption(reasonOption('why: kept in the log, and told to the sellers'))
      .action((chosen: Chosen) => run((operator) => stopAll(operator, stop, chosen)));
  }
}

async function list({ db }: Operator, organization: number): Promise<string> {
  await requireOrganization({ db }, organization);
  const lines: string[] = [];
  for await (const row of livingCampaigns(db, organization)) lines.push(lineOf(row));
  return lines.length === 0 ? 'Nothing lives at sellers.' : lines.join('\n');
}

function lineOf(row: LivingCampaign): string {
  const { id, organization_id: organization, name, status, living, running, sandbox } = row;
  const costs = fromFlag(sandbox) ? ['sandbox'] : [];
  const said = [id, `organization ${organization}`, name, status, `${living} live, ${running} run`, ...costs];
  return said.join('\t');
}

/** Stops one after the other; what one of them refuses hides nothing of the others. */
async function stopAll(operator: Operator, stop: Stop, chosen: Chosen): Promise<string> {
  if ((chosen.campaign === undefined) === (chosen.all === undefined))
    throw new Error('Give --campaign or --all.');
  await requireOrganization(operator, chosen.organization);
  const nothing = await nothingToStop(operator, stop, chosen);
  const { atWork } = await import('./command-services.ts');
  const told: Told[] = [];
  try {
    await atWork(readConfig(), async ({ services, sayAlive }) => {
      for await (const row of livingCampaigns(services.store.db, chosen.organization)) {
        if (!isMeant(row, stop, chosen)) continue;
        await sayAlive();
        told.push(await stopOne(services, row, { stop, reason: chosen.reason }));
      }
    });
  } catch (error) {
    print(linesOf(told, true));
    throw error;
  }
  const left = linesOf(told, false);
  if (left !== '') {
    print(linesOf(told, true));
    throw new Error(left);
  }
  return told.length === 0 ? nothing : linesOf(told, true);
}

/** What is said where nothing is to be stopped. A campaign that is not there is no such case: it is refused. */
async function nothingToStop(
  { db }: Operator,
  stop: Stop,
  { organization, campaign }: Chosen,
): Promise<string> {
  if (campaign === undefined) return 'Nothing to do: nothing of that lives at sellers.';
  const named = await campaignIn(db, organization, campaign);
  if (named === undefined) {
    throw new Error(
      `Organization ${organization}, with the accounts below it, has no campaign ${onOneLine(campaign)}: nothing was ` +
        `stopped. campaign list --organization ${organization} shows those that live at sellers.`,
    );
  }
  const what = stop === 'pause' ? 'runs' : 'lives';
  return `Nothing to do: ${named.id} is ${named.status}, and nothing of it ${what} at sellers.`;
}

/** What was done, or what was not. */
function linesOf(told: readonly Told[], isDone: boolean): string {
  return told
    .filter((one) => one.isDone === isDone)
    .map(({ line }) => line)
    .join('\n');
}

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}

/** What is paused and of which nothing runs is as it should be. */
function isMeant({ id, status, running }: LivingCampaign, stop: Stop, { campaign }: Chosen): boolean {
  if (campaign !== undefined && campaign !== id) return false;
  return stop === 'cancel' || status === 'ACTIVE' || running > 0;
}

/** Of what is over nothing can be stopped any more, although sellers still have it; undefined for anything else. */
function overBy(status: LivingCampaign['status'], stop: Stop): string | undefined {
  if (next(campaignMachine, status, stop) !== undefined) return undefined;
  return status === 'CANCELED'
    ? 'its cancellation waits for its seller; campaign cancel asks again'
    : `it is ${status}, and what its seller has of it is followed up by the service`;
}

interface Told {
  readonly isDone: boolean;
  readonly line: string;
}

async function stopOne(
  services: Services,
  row: LivingCampaign,
  { stop, reason }: { readonly stop: Stop; readonly reason: string | undefined },
): Promise<Told> {
  const { tool: name, done } = STOPS[stop];
  const way = overBy(row.status, stop);
  if (way !== undefined) return { isDone: true, line: told(row, `passed over: ${way}`) };
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
    const { successCount, failureCount, mediaBuyResults } = output;
    const counts = `${counted(Number(successCount), 'media buy')} done or asked for, ${failureCount} not`;
    if (failureCount === 0) return { isDone: true, line: told(row, `${done}, ${counts}`) };
    const unknown = await unknownIn(services, row);
    const { advice, lines } = notStopped(mediaBuyResults, unknown);
    const ways = [...advice, ...askElsewhere(unknown)].join('; ');
    const line = told(row, `not ${done} at every seller, ${counts}: ${ways}`);
    return { isDone: false, line: [line, ...lines].join('\n') };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Its suggestion is for whoever calls capabilities.
    const [way = 'Run this again.'] = askElsewhere(await unknownIn(services, row));
    return { isDone: false, line: told(row, `not ${done}: ${error.message} ${way}`) };
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

/** Where nobody knows whether an order was taken, running this again tells nobody either. */
function askElsewhere(unknown: readonly string[]): string[] {
  if (unknown.length === 0) return [];
  return [`ask the seller of ${unknown.join(', ')} by other means, then settle with order settle.`];
}

function told({ id, organization_id: organization, name }: LivingCampaign, what: string): string {
  return [id, `organization ${organization}`, name, what].join('\t');
}

/** The operator in the account of a campaign: as far as its own people, and whatever stops them. */
function operatorIn({ organization_id: organizationId, customer_id: buyer }: LivingCampaign): Caller {
  return {
    kind: 'operator',
    principal: 'operator',
    name: 'operator',
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
