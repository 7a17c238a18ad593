import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { SellerAbilities } from '../../sellers/abilities.ts';
import type { Known } from '../../sellers/heard.ts';
import type { Asked, WantedChange } from './wanted-change.ts';

/** A wanted change that the seller of the buy does not declare (contract: details.unsupported). */
export interface Unsupported {
  readonly mediaBuyId: string;
  readonly salesAgentId: string;
  /** Of which of its products, where that is not said by the field. */
  readonly productId?: string;
  readonly field: string;
  readonly reason: string;
}

/** What of a change the seller does not declare, each with the field that the caller gave. */
export function unsupportedIn(
  buy: MediaBuyRow,
  { wanted, asked, known }: { wanted: WantedChange; asked: Asked; known: Known<SellerAbilities> },
): Unsupported[] {
  const say = (field: string, reason: string): Unsupported => ({
    mediaBuyId: buy.id,
    salesAgentId: buy.agent_id,
    field: wanted.called(field),
    reason,
  });
  if (known === 'gone') return [say('mediaBuyId', 'The seller has left the marketplace.')];
  if (known === 'unknown') return [];
  if (!known.updates)
    return [say('mediaBuyId', 'The seller has no way to change a media buy (update_media_buy).')];
  return [
    ...undeclared(wanted, asked, known).map(({ field, name }) =>
      say(field, `The seller declares no “${name}” for changes of a media buy.`),
    ),
    ...forbidden(buy, wanted, asked).map((field) =>
      say(
        field,
        `The seller allows only this of the buy now: ${fromJson(buy.valid_actions ?? EMPTY).join(', ') || 'nothing'}.`,
      ),
    ),
  ];
}

const EMPTY = '[]' as NonNullable<MediaBuyRow['valid_actions']>;

interface Field {
  /** As an entry of mediaBuys[] has it. */
  readonly field: string;
  /** As the seller would get it. */
  readonly name: string;
}

function undeclared(
  wanted: WantedChange,
  asked: Asked,
  { updateFields, packageFields }: SellerAbilities,
): Field[] {
  const inPackages = (asked.packages ?? []).flatMap((part) => Object.keys(part));
  return [
    ...fieldsOf(wanted, asked).filter(({ name }) => updateFields !== undefined && !updateFields.has(name)),
    ...[...new Set(inPackages)]
      .filter(
        (name) => packageFields !== undefined && !packageFields.has(name) && name !== 'cancellation_reason',
      )
      .map((name) => ({ field: packageField(wanted, name), name: `packages.${name}` })),
  ];
}

function fieldsOf(wanted: WantedChange, asked: Asked): Field[] {
  const { paused, canceled, startTime, endTime, packages, newPackages } = asked;
  return [
    ...(paused === undefined ? [] : [{ field: 'action', name: 'paused' }]),
    ...(canceled === undefined ? [] : [{ field: 'action', name: 'canceled' }]),
    ...(startTime === undefined ? [] : [{ field: 'start_time', name: 'start_time' }]),
    ...(endTime === undefined ? [] : [{ field: 'end_time', name: 'end_time' }]),
    ...(packages === undefined ? [] : [{ field: partsOf(wanted), name: 'packages' }]),
    ...(newPackages === undefined ? [] : [{ field: 'pacingPeriods', name: 'new_packages' }]),
  ];
}

/** What was given of a change that sellers are told package by package. */
function partsOf({ action, packages, packageIds }: WantedChange) {
  if (action === 'resume') return 'action';
  if (packages !== undefined) return 'packages';
  return packageIds === undefined ? 'optimization_goals' : 'packageIds';
}

const CALLED = {
  package_id: 'packageId',
  budget: 'budget',
  pacing: 'pacing',
  bid_price: 'bidPrice',
  start_time: 'startTime',
  end_time: 'endTime',
  targeting_overlay: 'targetingOverlay',
} as const;

/** The first place that a field of packages was given at. */
function packageField(wanted: WantedChange, name: string): string {
  const given = Object.entries(CALLED).find(([told]) => told === name)?.[1];
  const index = given && wanted.packages?.findIndex((part) => part[given] !== undefined);
  if (given !== undefined && index !== undefined && index !== -1) return `packages.${index}.${given}`;
  return name === 'optimization_goals' ? name : partsOf(wanted);
}

/** By its last report, what the seller lets nobody do with this buy. It speaks of packages and dates in many words. */
function forbidden({ valid_actions }: MediaBuyRow, wanted: WantedChange, asked: Asked): string[] {
  if (valid_actions === null) return [];
  const allowed = fromJson(valid_actions);
  const allows = (part: RegExp) => allowed.some((action) => part.test(action));
  const wants = [
    { isWanted: asked.paused === true, by: /pause/, field: 'action' },
    { isWanted: asked.paused === false, by: /resume/, field: 'action' },
    { isWanted: asked.canceled === true, by: /cancel/, field: 'action' },
    { isWanted: asked.startTime !== undefined, by: /date|flight|start|extend/, field: 'start_time' },
    { isWanted: asked.endTime !== undefined, by: /date|flight|end|extend/, field: 'end_time' },
    { isWanted: asked.newPackages !== undefined, by: /add_packages/, field: 'pacingPeriods' },
    {
      isWanted: asked.packages !== undefined,
      by: wanted.action === 'resume' ? /package|resume/ : /package|budget|cancel|target/,
      field: partsOf(wanted),
    },
  ];
  return wants.filter(({ isWanted, by }) => isWanted && !allows(by)).map(({ field }) => field);
}
