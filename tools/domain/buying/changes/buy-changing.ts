import type { CampaignRow } from '../../../../store/campaigns.ts';
import {
  listOpenChanges,
  type MediaBuyChangeRow,
  type ProposedBuy,
} from '../../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError, Issue } from '../../../core/errors/app-error.ts';
import { contradiction } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { abilitiesOf } from '../../sellers/heard.ts';
import type { BuyingParty } from '../../sellers/port.ts';
import { isUnsent } from '../answers/unsent.ts';
import { wholePackage, wholeParty } from '../choice/whole-lengths.ts';
import { askMachine, isUndecided } from '../machines.ts';
import { orderIn } from '../payloads.ts';
import { overspent } from '../spend/budget-keeping.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { type AskedOf, askedOf } from '../spend/taking.ts';
import { beyondBound } from './beyond-bound.ts';
import { againstProducts } from './change-against-products.ts';
import { termsOnTop } from './change-on-top.ts';
import { changesRefused, reachesSeller } from './change-refusing.ts';
import { type Found, insteadOf, type Planned, stateProblem } from './change-standing.ts';
import { givenUpIssues } from './given-up.ts';
import { undeclaredParts } from './products-of-held.ts';
import { runsLonger } from './running-longer.ts';
import { undeclaredAtSellers } from './undeclared-goals.ts';
import { READ_AGAIN, wayToPackages } from './unknown-package.ts';
import type { Asked, Terms, WantedChange } from './wanted-change.ts';

/** A change that nothing stands against, as `recordChanges` takes it. */
export interface PlannedChange {
  readonly buy: MediaBuyRow;
  readonly wanted: WantedChange;
  /** `here`: no seller is concerned; `held`: the seller has not given the buy an id yet. */
  readonly way: 'here' | 'send' | 'held';
  readonly party: BuyingParty;
  readonly asked: Asked;
  readonly proposed: ProposedBuy;
  /** Earlier changes that it takes the place of. */
  readonly instead: readonly MediaBuyChangeRow[];
}

/** The campaign, as it is to be where the same call changes it. */
type Within = Pick<
  CampaignRow,
  | 'id'
  | 'status'
  | 'budget_minor'
  | 'currency'
  | 'start_at'
  | 'end_at'
  | 'pacing_periods'
  | 'daily_cap_minor'
  | 'constraints'
  | 'discovery_id'
>;

/**
 * Everything that stands against these changes, before anything is changed: one refusal that names every problem.
 * Sellers are asked what they declare, each once; nothing else leaves the house. What would change nothing is left
 * out of what it gives.
 */
export async function checkChanges(
  ctx: Context,
  campaign: Within,
  wanted: readonly WantedChange[],
): Promise<PlannedChange[]> {
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const open = await listOpenChanges(ctx.db, ctx.scope, { campaignId: campaign.id });
  const { found, issues } = findAll(buys, open, wanted);
  const planned = found.map((one) => ({
    ...one,
    terms: termsOnTop(one, { flight: campaign, now: ctx.now }),
  }));
  const problems = [
    ...contradictionsIn(
      [
        ...issues,
        ...planned.flatMap(({ terms }) => terms.issues),
        ...planned.flatMap((one) => (one.terms.issues.length === 0 ? beyondBound(one) : [])),
        ...planned.flatMap(givenUpIssues),
        ...(await againstProducts(ctx, campaign, planned)),
      ],
      [
        ...(issues.some(isOfIds) ? [READ_AGAIN] : []),
        ...planned.flatMap(({ buy, terms }) => (terms.issues.some(isOfIds) ? wayToPackages(buy) : [])),
      ],
    ),
    ...planned.flatMap((one) => [
      ...stateProblem(ctx, campaign, one),
      ...(one.wanted.remade?.problems ?? []),
    ]),
  ];
  // What cannot be in its state is no matter of what its seller declares.
  const sent = planned.filter(
    (one) =>
      wayOf(one.buy, one.wanted.action, one.open) !== 'here' && stateProblem(ctx, campaign, one).length === 0,
  );
  const known = await abilitiesOf(
    ctx,
    sent.filter(({ terms }) => reachesSeller(terms)).map(({ buy }) => buy.agent_id),
  );
  const undeclared = [
    ...planned.flatMap(({ wanted: { remade } }) => remade?.undeclared ?? []),
    ...sent.flatMap(undeclaredParts),
    ...(await undeclaredAtSellers(ctx, campaign, sent)),
  ];
  const refused = changesRefused(
    [...problems, ...budgetProblem(campaign, { buys, open, planned, now: ctx.now })],
    { campaign, planned, sent, known, undeclared },
  );
  if (refused !== undefined) throw refused;
  return planned.filter(({ terms }) => isAnything(terms)).map((one) => asPlanned(one));
}

/** Whether more is spent with any of these changes, or is spent again, or on more days. */
export function spendsMore(planned: readonly PlannedChange[]): boolean {
  return planned.some(
    ({ buy, wanted, proposed }) =>
      wanted.action === 'resume' ||
      wanted.remade !== undefined ||
      runsLonger(buy, proposed) ||
      (proposed.budget_minor ?? 0) > buy.budget_minor,
  );
}

/** What planned changes are to ask of sellers, as it counts until they have answered. */
export function wishesIn(
  planned: readonly Pick<PlannedChange, 'buy' | 'wanted' | 'proposed' | 'asked'>[],
): AskedOf[] {
  return planned.map(({ buy, wanted, proposed, asked }) => ({
    media_buy_id: buy.id,
    committed_minor: proposed.budget_minor ?? 0,
    action: wanted.action,
    proposed,
    newPackages: asked.newPackages,
  }));
}

/** Buys as they are once what concerns no seller is done, which waits for nobody. */
export function asMadeHere(buys: readonly MediaBuyRow[], planned: readonly PlannedChange[]): MediaBuyRow[] {
  return buys.map((buy) => {
    const plan = planned.find((one) => one.way === 'here' && one.buy.id === buy.id);
    return plan === undefined ? buy : { ...buy, ...columnsProposed(plan.proposed) };
  });
}

/** What would leave a buy as it is, is no change. */
function isAnything({ asked, proposed }: Terms): boolean {
  return Object.keys(asked).length + Object.keys(proposed).length > 0;
}

/** Packages that are added are like those that were ordered, whenever that was. */
function wholeAsked(asked: Terms['asked']): Terms['asked'] {
  const { newPackages } = asked;
  return newPackages === undefined ? asked : { ...asked, newPackages: newPackages.map(wholePackage) };
}

function asPlanned({ buy, wanted, open, terms }: Planned): PlannedChange {
  const isTold = reachesSeller(terms);
  return {
    buy,
    wanted,
    way: isTold ? wayOf(buy, wanted.action, open) : 'here',
    party: wholeParty(orderIn(buy).party),
    asked: wholeAsked(terms.asked),
    proposed: terms.proposed,
    // What no seller is told of, as a name, leaves open what became of what one was told.
    instead: isTold ? insteadOf(wanted, open) : [],
  };
}

/** No seller holds a buy that was refused, or is still a draft, or hears of a pause before the buy runs. */
function wayOf(
  buy: MediaBuyRow,
  action: WantedChange['action'],
  open: readonly MediaBuyChangeRow[],
): PlannedChange['way'] {
  if (isUnsent(buy)) return 'here';
  if (buy.submission === 'unknown') return 'held';
  if (action === 'pause' && isUndecided(buy.status)) return 'held';
  // The pause was told to nobody, and is taken back.
  if (action === 'resume' && open.some((one) => one.action === 'pause' && one.state === 'held'))
    return 'here';
  if (action === 'archive' && next(askMachine, buy.status, 'cancel') === undefined) return 'here';
  return buy.adcp_media_buy_id === null ? 'held' : 'send';
}

function findAll(
  buys: readonly MediaBuyRow[],
  open: readonly MediaBuyChangeRow[],
  wanted: readonly WantedChange[],
): { found: Found[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const found = wanted.flatMap((one, index) => {
    const buy = buys.find(({ id }) => id === one.mediaBuyId);
    const path = one.called('mediaBuyId');
    if (buy === undefined) issues.push({ path, message: 'The campaign has no such media buy.' });
    else if (wanted.findIndex(({ mediaBuyId }) => mediaBuyId === one.mediaBuyId) !== index) {
      issues.push({ path, message: 'The media buy is named twice: say all of it in one entry.' });
    } else {
      const mine = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
      return [{ buy, wanted: one, open: mine }];
    }
    return [];
  });
  return { found, issues };
}

/** Of ids there are ways to the right ones; of anything else the message says what is wrong. */
function contradictionsIn(issues: readonly Issue[], ways: readonly string[]): AppError[] {
  if (issues.length === 0) return [];
  return [contradiction(issues, ways.length > 0 ? { suggestion: [...new Set(ways)].join(' ') } : {})];
}

/** `mediaBuys.0.mediaBuyId`, `media_buy_id`, `packages.3.package_id`, `packageIds.0`. */
function isOfIds({ path }: Issue): boolean {
  return /(?:media_?buy|package)_?ids?(?:\.\d+)?$/i.test(path);
}

/** Raises have to find room in the budget of the campaign, with all that waits for a seller counted. */
function budgetProblem(
  campaign: Within,
  {
    buys,
    open,
    planned,
    now,
  }: {
    buys: readonly MediaBuyRow[];
    open: readonly MediaBuyChangeRow[];
    planned: readonly Planned[];
    now: string;
  },
): AppError[] {
  const wishes = planned.flatMap(({ buy, wanted, terms }) => {
    // What no seller holds takes nothing until it is ordered.
    return wanted.remade === undefined ? [{ buy, wanted, ...terms }] : [];
  });
  const before = { campaign, buys, open: askedOf(open) };
  const after = { ...before, open: [...before.open, ...wishesIn(wishes)] };
  const refused = overspent(before, after, now);
  return refused === undefined ? [] : [refused];
}
