/** How landing pages are tagged for an advertiser that has set nothing, with the usual name of the service. */
export const defaultTags = [
  { paramKey: 'utm_source', paramValue: 'rialto', source: 'advertiser' },
  { paramKey: 'utm_medium', paramValue: 'agentic', source: 'advertiser' },
  { paramKey: 'utm_campaign', paramValue: '{CAMPAIGN_ID}', source: 'advertiser' },
  { paramKey: 'utm_content', paramValue: '{CREATIVE_ID}', source: 'advertiser' },
  { paramKey: 'utm_media_buy', paramValue: '{MEDIA_BUY_ID}', source: 'advertiser' },
  { paramKey: 'utm_package', paramValue: '{PACKAGE_ID}', source: 'advertiser' },
];
