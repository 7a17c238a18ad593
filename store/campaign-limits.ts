/** What the media buys of a campaign keep to, by the names of its columns. */
export interface CampaignLimits {
  readonly budget_minor?: number;
  readonly daily_cap_minor?: number | null;
  readonly start_at?: string;
  readonly end_at?: string;
}
