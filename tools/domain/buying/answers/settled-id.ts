import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { findSeller } from '../../../../store/unscoped/market.ts';
import type { Services } from '../../../core/context.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { withinSellerTimeout } from '../../sellers/deadline.ts';
import { SellerError } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { orderIn } from '../payloads.ts';
import { namedSoBefore } from './named-twice.ts';

/** Whether an id is what a seller calls an order that the operator settles: as far as the seller can be asked. */

/** What a seller says of an id; undefined where it cannot be asked, or not about that. */
type Word = { readonly isKnown: true } | { readonly isKnown: false; readonly said: string } | undefined;

/** Refuses an id of which its seller says that it has no such media buy. */
export async function requireKnownAtSeller(
  services: Services,
  buy: MediaBuyRow,
  adcpId: string,
): Promise<void> {
  const word = await wordOf(services, buy, adcpId);
  if (word === undefined || word.isKnown) return;
  throw conflict(
    `${buy.agent_name} was asked for ${adcpId}, and says: ${word.said}`,
    'Nothing was settled. Ask the seller what it calls the media buy, and give that; or --not-taken, where it has none.',
  );
}

/** Refuses to settle an order anew that its seller knows by the id that it was settled with. */
export async function requireStranger(services: Services, buy: MediaBuyRow): Promise<void> {
  const { id, agent_name, adcp_media_buy_id: adcpId } = buy;
  if (adcpId === null || !(await wordOf(services, buy, adcpId))?.isKnown) return;
  throw conflict(
    `${agent_name} knows ${id} as ${adcpId}: it is known what became of its order, and nothing is to be settled.`,
    'The service asks the seller where it stands, and the buyer can call it off.',
  );
}

/** Refuses to end a media buy where its seller does not say itself that it has none. */
export async function requireNotThere(services: Services, buy: MediaBuyRow): Promise<void> {
  const { id, agent_name, adcp_media_buy_id: adcpId } = buy;
  const word = adcpId === null ? undefined : await wordOf(services, buy, adcpId);
  if (word?.isKnown === false) return;
  throw word === undefined
    ? conflict(
        `${agent_name} does not say now that it does not have ${id}: nothing was ended.`,
        'Call again once it answers; a seller that is gone for good is not believed to have nothing.',
      )
    : conflict(`${agent_name} has ${id} as ${adcpId}: nothing was ended.`, 'The buyer can call it off.');
}

async function wordOf(services: Services, buy: MediaBuyRow, adcpId: string): Promise<Word> {
  const scope = scopeOfRow(buy);
  const row = await findSeller(services.store.db, scope, buy.agent_id);
  if (row === undefined) return undefined;
  const { party } = orderIn(buy);
  const reference = { party, mediaBuyId: adcpId, taskId: null };
  try {
    await withinSellerTimeout(services, services.closing, (signal) =>
      services.ports.sellers.getMediaBuy(asSeller(row), reference, signal),
    );
    return { isKnown: true };
  } catch (error) {
    if (!(error instanceof SellerError)) throw error;
    return error.isNotThere ? { isKnown: false, said: error.message } : undefined;
  }
}

/** Refuses an id by which its seller calls another media buy. */
export async function requireUnusedId(tx: Db, buy: MediaBuyRow, adcpId: string): Promise<void> {
  const other = await namedSoBefore(tx, buy, adcpId);
  if (other === undefined) return;
  throw conflict(
    `${buy.agent_name} calls another media buy ${adcpId}: ${other.id} of organization ${other.organization_id}.`,
    'Ask the seller for the id of this one, and give that.',
  );
}
