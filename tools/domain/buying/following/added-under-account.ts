import type { Services } from '../../../core/context.ts';
import { type Against, isUnheard } from '../../advertisers/held-accounts.ts';
import type { ChangeColumns } from '../changes/change-outcome.ts';
import { errorOfKeptBack } from '../orders/late-orders.ts';
import { accountAgainst } from '../orders/order-accounts.ts';
import type { Changed } from './change-storing.ts';

interface Sending {
  readonly signal: AbortSignal | undefined;
  /** Whether an earlier sending may have reached the seller. */
  readonly inDoubt: boolean;
}

/**
 * Packages that a media buy gets beside those it has are an order: the account that it is ordered under is held
 * against its seller as for any other. What comes of the change where they are kept back for that; undefined where
 * they are not.
 */
export async function keptBackAdded(
  services: Services,
  { buy }: Pick<Changed, 'buy'>,
  { signal, inDoubt }: Sending,
): Promise<ChangeColumns | undefined> {
  const against = await accountAgainst(services, buy, signal);
  if (against === undefined) return undefined;
  return {
    state: inDoubt ? 'unknown' : 'refused',
    owner: null,
    ...errorOfKeptBack({ isSellers: isUnheard(against) }),
    source_message: inWords(against, buy.agent_name, inDoubt),
  };
}

function inWords(against: Against, seller: string, inDoubt: boolean): string {
  const what = `The packages were kept back: ${against.message}`;
  if (inDoubt) return `${what} ${seller} may have them from before: ask there.`;
  return isUnheard(against)
    ? `${what} You: repeat the call later.`
    : `${what} You: ask ${seller} what becomes of the account, which is that of the media buy, and repeat the call then.`;
}
