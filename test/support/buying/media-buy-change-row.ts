import { toJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';

/** A change of a media buy that waits for its seller, for rules that need no database. */
export function mediaBuyChangeRow(changes: Partial<MediaBuyChangeRow> = {}): MediaBuyChangeRow {
  const asked = '2026-11-20T00:00:00.000Z';
  return {
    id: 'mbc_1',
    organization_id: 1,
    customer_id: 1,
    advertiser_id: 1,
    campaign_id: 'cmp_1',
    media_buy_id: 'mb_1',
    action: 'update',
    state: 'waiting',
    payload: '{}',
    proposed: toJson({}),
    committed_minor: 10_000,
    owner: null,
    takeovers: 0,
    adcp_task_id: null,
    error_code: null,
    error_owner: null,
    source_message: null,
    forwarded_at: null,
    requested_by: null,
    reason: null,
    suggestion_id: null,
    gave_way_to: null,
    gave_way_in: null,
    version: 1,
    created_at: asked,
    updated_at: asked,
    ...changes,
  };
}
