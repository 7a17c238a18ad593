import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { counted } from '../../counted.ts';
import { heldIn } from '../answers/held-packages.ts';
import { nameOf } from '../changes/awaited-words.ts';
import { calledOffIn } from '../changes/called-off.ts';
import { isEnd } from '../changes/change-standing.ts';
import { isOpen } from '../changes/change-states.ts';
import { isOpenStatus } from '../machines.ts';
import { updateIn } from '../payloads.ts';

/** Changes that their seller refused, for as long as nothing has settled what they were about. Pure. */

/** How many are told one by one. */
export const REFUSED_TOLD = 3;

/**
 * Those that are still to be told, the latest first, as `changes` are: of a buy that is over, or that no seller holds,
 * the last change alone.
 */
export function refusedStill(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]): MediaBuyChangeRow[] {
  const [last] = changes;
  return changes.filter(
    (one, index) =>
      one.state === 'refused' &&
      !isDoneSince(buy, one) &&
      (one === last ||
        (isOpenStatus(buy.status) &&
          isOfThisOrder(buy, one) &&
          isLeftIn(buy, one) &&
          !changes.slice(0, index).some((later) => settles(later, one)))),
  );
}

/** Whether a buy came to stand as its seller had refused to let it: nobody has to ask again. */
function isDoneSince(
  buy: Pick<MediaBuyRow, 'status' | 'packages'>,
  { action }: Pick<MediaBuyChangeRow, 'action'>,
): boolean {
  if (action === 'pause') return buy.status === 'PAUSED';
  return action === 'resume' && buy.status === 'ACTIVE' && heldIn(buy).length === 0;
}

/** An order that was sent anew, as after another choice, is not what was to be changed. */
function isOfThisOrder({ forwarded_at }: MediaBuyRow, { updated_at }: MediaBuyChangeRow): boolean {
  return forwarded_at === null || forwarded_at <= updated_at;
}

/** Whether anything that it was about goes on: packages may have been called off since. */
function isLeftIn(buy: MediaBuyRow, change: MediaBuyChangeRow): boolean {
  const gone = calledOffIn(buy);
  const asked = askedIn(change);
  return asked.length === 0 || asked.some(({ of }) => of === undefined || !gone.has(of));
}

/** A field of a buy, or of one of its packages. */
interface AskedFor {
  readonly of?: string;
  readonly field: string;
}

/** All that holds a buy, lets it go on or ends it is about one thing. */
const WHETHER_IT_RUNS = 'runs';
/** What calls a package off is about all of it. */
const CALLED_OFF = 'canceled';

/** What of its seller a change asked for; none of what it changed here alone, as a name. */
function askedIn(change: MediaBuyChangeRow): readonly AskedFor[] {
  if (isOfHold(change) || isEnd(change)) return [{ field: WHETHER_IT_RUNS }];
  const { startTime, endTime, packages = [], newPackages = [] } = updateIn(change);
  return [
    ...(startTime === undefined ? [] : [{ field: 'start' }]),
    ...(endTime === undefined ? [] : [{ field: 'end' }]),
    ...packages.flatMap(({ package_id: of, cancellation_reason: _, ...fields }) =>
      Object.keys(fields).map((field) => ({ of, field })),
    ),
    ...newPackages.map(({ product_id, start_time = '' }) => ({ field: `${product_id} from ${start_time}` })),
  ];
}

/**
 * Whether what was asked for later leaves nothing to be told of what was refused before: it came true or waits, and
 * asks for any of the same, or was refused too, and asks the same of all of it.
 */
function settles(later: MediaBuyChangeRow, refused: MediaBuyChangeRow): boolean {
  const asked = askedIn(later);
  const isOfSame = (one: AskedFor) =>
    asked.some(({ of, field }) => of === one.of && (field === one.field || field === CALLED_OFF));
  if (later.state === 'refused') return isOfSameKind(later, refused) && askedIn(refused).every(isOfSame);
  const counts = later.state === 'confirmed' || isOpen(later.state);
  return counts && (isEnd(later) || askedIn(refused).some(isOfSame));
}

/**
 * Whether the later of two says what is wanted in place of the other: whoever would have it go on wants it held no
 * more, and the other way round; whoever would have it held wants it ended all the same.
 */
function isOfSameKind(one: MediaBuyChangeRow, other: MediaBuyChangeRow): boolean {
  return one.action === other.action || (isEnd(one) && isEnd(other)) || (isOfHold(one) && isOfHold(other));
}

function isOfHold({ action }: MediaBuyChangeRow): boolean {
  return action === 'pause' || action === 'resume';
}

/** What is said of those that are not told one by one; undefined where all are. */
export function moreRefusedInWords(refused: readonly MediaBuyChangeRow[]): string | undefined {
  const more = refused.length - REFUSED_TOLD;
  if (more <= 0) return undefined;
  return `${counted(more, 'change')} before ${more === 1 ? 'was' : 'were'} refused too, see changes with detail full.`;
}

/** What is said of those that are not the one that is told with its message. */
export function refusedBeside(
  refused: readonly MediaBuyChangeRow[],
  told: MediaBuyChangeRow | undefined,
): string | undefined {
  const others = refused.filter((one) => one !== told);
  if (others.length === 0) return undefined;
  const said = others
    .slice(0, REFUSED_TOLD)
    .map((one) => `The ${nameOf(one)} asked for at ${one.created_at} was refused.`);
  return [...said, moreRefusedInWords(others) ?? SEE_MEDIA_BUY].join(' ');
}

const SEE_MEDIA_BUY = 'media_buy_get says who has to do what.';
