import { type MediaBuyChangeRow, openChangeStates } from '../../../../store/media-buy-changes.ts';

/** Whether its seller needs something of the buyer first: of what waits that is kept as an owner without an error. */
export function asksBuyer({ state, error_owner }: Pick<MediaBuyChangeRow, 'state' | 'error_owner'>): boolean {
  return state === 'waiting' && error_owner === 'buyer_input';
}

/** Whether what comes of a change is still to be heard. */
export function isOpen(state: MediaBuyChangeRow['state']): boolean {
  return openChangeStates.some((one) => one === state);
}
