/** What can be paid for (AdCP, pricing models). */
export const pricingModels = [
  'cpm',
  'vcpm',
  'cpc',
  'cpcv',
  'cpv',
  'cpp',
  'cpa',
  'flat_rate',
  'time',
] as const;
