/** How often one person is to see ads within a time, in the words of AdCP. */
export interface FrequencyLimit {
  readonly max_impressions: number;
  readonly window: { readonly interval: number; readonly unit: string };
}
