import { type MediaBuyChangeRow, openChangeStates } from '../../../store/media-buy-changes.ts';

/** Whether what comes of a change is still to be heard. */
export function isOpen(state: MediaBuyChangeRow['state']): boolean {
  return openChangeStates.some((one) => one === state);
}
