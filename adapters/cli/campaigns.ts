import { fromFlag } from '../../store/engine/codec.ts';
import type { LivingCampaign } from '../../store/unscoped/living-campaigns.ts';
import { campaignIn, livingCampaigns } from '../../tools/domain/buying/living-in-organizations.ts';
import { type Stop, type Stopped, stopLiving } from '../../tools/domain/buying/operator-stops.ts';
import { counted } from '../../tools/domain/counted.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { requireOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { readConfig } from '../settings/config.ts';
import { onOneLine } from './audit-lines.ts';
import { idOf } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import { notStopped } from './refused-stops.ts';
import type { CommandParts } from './task-runner.ts';

interface Chosen {
  readonly organization: number;
  readonly campaign?: string;
  readonly all?: true;
  readonly reason?: string;
}

/** How what is done to a campaign is told. */
const STOPS = {
  pause: { description: 'Have the sellers hold what runs', done: 'paused' },
  cancel: { description: 'Have the sellers call off what lives, for good', done: 'canceled' },
} as const satisfies Readonly<Record<Stop, object>>;

/** The operator's commands about what lives at sellers: also that of organizations that may not call any more. */
export function addCampaigns({ program, run }: CommandParts): void {
  const campaign = program.command('campaign').description('What organizations have at sellers');
  campaign
    .command('list')
    .description('List the campaigns of an organization, and the accounts below it, that live at sellers')
    .requiredOption('--organization <id>', 'the organization', idOf)
    .action(({ organization }: Chosen) => run((operator) => list(operator, organization)));
  for (const stop of ['pause', 'cancel'] as const) {
    campaign
      .command(stop)
      .description(STOPS[stop].description)
      .requiredOption('--organization <id>', 'the organization, with the accounts below it', idOf)
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

async function stopAll(operator: Operator, stop: Stop, chosen: Chosen): Promise<string> {
  if ((chosen.campaign === undefined) === (chosen.all === undefined))
    throw new Error('Give --campaign or --all.');
  await requireOrganization(operator, chosen.organization);
  const nothing = await nothingToStop(operator, stop, chosen);
  const { atWork } = await import('./command-services.ts');
  const told: Told[] = [];
  try {
    await atWork(readConfig(), async ({ services, sayAlive }) => {
      for await (const stopped of stopLiving(services, { ...chosen, stop })) {
        told.push(toldOf(stopped, stop));
        await sayAlive();
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

/** Why nothing of what is over can be stopped. */
function whyOver({ status }: LivingCampaign): string {
  return status === 'CANCELED'
    ? 'its cancellation waits for its seller; campaign cancel asks again'
    : `it is ${status}, and what its seller has of it is followed up by the service`;
}

interface Told {
  readonly isDone: boolean;
  readonly line: string;
}

function toldOf(stopped: Stopped, stop: Stop): Told {
  const { row } = stopped;
  const { done } = STOPS[stop];
  if (stopped.kind === 'over') return { isDone: true, line: told(row, `passed over: ${whyOver(row)}`) };
  const { unknown } = stopped;
  if (stopped.kind === 'refused') {
    // Its suggestion is for whoever calls capabilities.
    const [way = 'Run this again.'] = askElsewhere(unknown);
    return { isDone: false, line: told(row, `not ${done}: ${stopped.error.message} ${way}`) };
  }
  const { successCount, failureCount, mediaBuyResults } = stopped.output;
  const counts = `${counted(Number(successCount), 'media buy')} done or asked for, ${failureCount} not`;
  if (failureCount === 0) return { isDone: true, line: told(row, `${done}, ${counts}`) };
  const { advice, lines } = notStopped(mediaBuyResults, unknown);
  const ways = [...advice, ...askElsewhere(unknown)].join('; ');
  const line = told(row, `not ${done} at every seller, ${counts}: ${ways}`);
  return { isDone: false, line: [line, ...lines].join('\n') };
}

/** Where nobody knows whether an order was taken, running this again tells nobody either. */
function askElsewhere(unknown: readonly string[]): string[] {
  if (unknown.length === 0) return [];
  return [`ask the seller of ${unknown.join(', ')} by other means, then settle with order settle.`];
}

function told({ id, organization_id: organization, name }: LivingCampaign, what: string): string {
  return [id, `organization ${organization}`, name, what].join('\t');
}
