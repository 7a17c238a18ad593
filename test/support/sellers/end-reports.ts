interface Kept {
  readonly media_buy_id: string;
  readonly status: string;
}

const OVER: ReadonlySet<string> = new Set(['completed', 'canceled']);

/**
 * Answers a question for deliveries: once a media buy is over, that nothing was delivered of it, for good; before,
 * nothing.
 */
export function reportsAtTheEnd(kept: ReadonlyMap<string, Kept>) {
  return ({ media_buy_ids: ids }: { readonly media_buy_ids?: unknown }) => ({
    notification_type: 'final',
    media_buy_deliveries: [ids].flat().flatMap((id) => {
      const { media_buy_id, status = '' } = kept.get(String(id)) ?? {};
      return OVER.has(status) ? [{ media_buy_id, totals: { impressions: 0, spend: 0, clicks: 0 } }] : [];
    }),
  });
}
