import { fromFlag } from '../../store/engine/codec.ts';
import type { UnknownOrder } from '../../store/unscoped/unknown-orders.ts';
import type { Settled } from '../../tools/domain/buying/following/order-settling.ts';
import { unknownOrders } from '../../tools/domain/buying/unknown-in-installation.ts';
import { readMoney } from '../../tools/domain/money.ts';
import { type Operator, operatorFor } from '../../tools/domain/organizations/operator.ts';
import { requireOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { readConfig } from '../settings/config.ts';
import { onOneLine } from './audit-lines.ts';
import { idOf } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import type { CommandParts } from './task-runner.ts';
import { isSettled, sellerOf } from './unknown-orders.ts';

/** The operator's commands about orders of which nobody knows whether their sellers took them. */
export function addOrders({ program, run }: CommandParts): void {
  const order = program
    .command('order')
    .description('Orders of which nobody knows whether their sellers took them');
  order
    .command('list')
    .description('List them: each binds its budget and keeps its campaign open')
    .option('--organization <id>', 'of this organization and the accounts below it alone', idOf)
    .action(({ organization }: { organization?: number }) => run((operator) => list(operator, organization)));
  order
    .command('settle')
    .description(
      'Settle one, once you have asked its seller by other means; or anew, while its seller tells nothing of it',
    )
    .argument('<media buy id>', 'the media buy, such as mb_…')
    .option('--not-taken', 'the seller did not take the order: it has failed, and binds nothing any more')
    .option('--taken <id>', 'the seller took it, and calls the media buy so: it waits for news of its seller')
    .option(
      '--ended',
      'the seller has named it, and says by now that it does not have it: it is called off here',
    )
    .addOption(reasonOption('who said so, and when: kept in the log, and shown to the buyer'))
    .action((mediaBuyId: string, options: Options) => run(() => settle(mediaBuyId, options)));
}

interface Options {
  readonly notTaken?: true;
  readonly taken?: string;
  readonly ended?: true;
  readonly reason?: string;
}

async function list({ db }: Operator, organization: number | undefined): Promise<string> {
  if (organization !== undefined) await requireOrganization({ db }, organization);
  const lines: string[] = [];
  for await (const row of unknownOrders(db, organization)) lines.push(lineOf(row));
  return lines.length === 0
    ? 'There are none: of every order it is known what became of it.'
    : lines.join('\n');
}

function lineOf(row: UnknownOrder): string {
  const { id, organization_id, campaign_id, budget_minor, currency, sandbox } = row;
  return [
    id,
    `organization ${organization_id}`,
    campaign_id,
    sellerOf(row),
    readMoney(budget_minor, currency),
    `ordered ${row.created_at}`,
    `last asked ${row.valid_from}`,
    ...(fromFlag(sandbox) ? ['sandbox'] : []),
    ...(isSettled(row)
      ? [`settled as taken as ${row.adcp_media_buy_id}, of which its seller has told nothing`]
      : []),
    ...(row.source_message === null ? [] : [onOneLine(row.source_message)]),
  ].join('\t');
}

/** Settled as the service would: what waited for it is sent to the seller, or ends. */
async function settle(mediaBuyId: string, { notTaken, taken, ended, reason }: Options): Promise<string> {
  if ([notTaken, taken, ended].filter((one) => one !== undefined).length !== 1) {
    throw new Error(
      'Give --not-taken, or --taken with the id that its seller has for the media buy; or --ended, where its seller says by now that it does not have it.',
    );
  }
  if (reason === undefined) {
    throw new Error('Give --reason: who said so, and when. The log keeps it, and the buyer is shown it.');
  }
  if (ended) return end(mediaBuyId, reason);
  const [{ atWork }, { settleOrder }] = await Promise.all([
    import('./command-services.ts'),
    import('../../tools/domain/buying/following/order-settling.ts'),
  ]);
  return atWork(readConfig(), async ({ services }) =>
    said(
      await settleOrder(services, operatorFor(services, 'order settle'), {
        mediaBuyId,
        takenAs: taken,
        reason,
      }),
      taken === undefined ? 'not taken' : `taken as ${taken}`,
    ),
  );
}

async function end(mediaBuyId: string, reason: string): Promise<string> {
  const [{ atWork }, { endUnfound }] = await Promise.all([
    import('./command-services.ts'),
    import('../../tools/domain/buying/following/buy-ending.ts'),
  ]);
  return atWork(readConfig(), async ({ services }) =>
    said(await endUnfound(services, operatorFor(services, 'order settle'), { mediaBuyId, reason }), 'ended'),
  );
}

function said({ buy, campaign }: Settled, how: string): string {
  const of = campaign === undefined ? '' : `; its campaign ${buy.campaign_id} is ${campaign}`;
  return `Settled as ${how}: ${buy.id} is ${buy.status}${of}.`;
}
