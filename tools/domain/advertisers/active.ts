import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { conflict } from '../../core/errors/refusals.ts';

/** Nothing is looked for or bought on behalf of an advertiser that was put away. */
export function requireActive({ status }: Pick<AdvertiserRow, 'status'>): void {
  if (status === 'ACTIVE') return;
  throw conflict('The advertiser is archived.', 'Bring it back with advertiser_update and status ACTIVE.');
}
