/** Two of everything that is handed on to sellers: no field has the same value in both. */

const ring = (lng: number) => [
  [lng, 52.4],
  [lng + 0.2, 52.4],
  [lng + 0.2, 52.6],
  [lng, 52.4],
];

const places = [
  {
    geo_countries: ['US'],
    geo_countries_exclude: ['MX'],
    geo_regions: ['US-CA'],
    geo_regions_exclude: ['US-NY'],
    geo_metros: [{ system: 'nielsen_dma', values: ['501'] }],
    geo_metros_exclude: [{ system: 'nielsen_dma', values: ['803'] }],
    geo_postal_areas: [{ country: 'US', system: 'zip', values: ['90210'] }],
    geo_postal_areas_exclude: [{ country: 'US', system: 'zip', values: ['10001'] }],
    language: ['en'],
    device_platform: ['ios'],
    device_type: ['mobile'],
    device_type_exclude: ['ctv'],
  },
  {
    geo_countries: ['GB'],
    geo_countries_exclude: ['IE'],
    geo_regions: ['GB-ENG'],
    geo_regions_exclude: ['GB-WLS'],
    geo_metros: [{ system: 'uk_itl1', values: ['UKC'] }],
    geo_metros_exclude: [{ system: 'uk_itl1', values: ['UKD'] }],
    geo_postal_areas: [{ country: 'GB', system: 'outward', values: ['SW1A'] }],
    geo_postal_areas_exclude: [{ country: 'GB', system: 'outward', values: ['EC1A'] }],
    language: ['cy'],
    device_platform: ['android'],
    device_type: ['tablet'],
    device_type_exclude: ['desktop'],
  },
] as const;

const [inUs, inGb] = places;

/** Where a campaign has to stay. */
export const constraints = [
  { ...inUs, channels: ['display'] },
  { ...inGb, channels: ['ctv'] },
] as const;

/** Whom a product or a package is to reach. */
export const overlays = [
  {
    ...inUs,
    age_restriction: { min: 18, verification_required: true, accepted_methods: ['id_document'] },
    daypart_targets: [{ days: ['monday'], start_hour: 6, end_hour: 10, label: 'Breakfast' }],
    geo_proximity: [
      {
        lat: 52.5,
        lng: 13.4,
        radius: { value: 5, unit: 'km' },
        label: 'Shop',
        ext: { shop: 'one' },
      },
      { lat: 52.5, lng: 13.4, travel_time: { value: 20, unit: 'min' }, transport_mode: 'walking' },
      { geometry: { type: 'Polygon', coordinates: [ring(13)] } },
    ],
    keyword_targets: [{ keyword: 'winter boots', match_type: 'exact', bid_price: 1.5 }],
    negative_keywords: [{ keyword: 'free', match_type: 'broad' }],
    frequency_cap: {
      max_impressions: 3,
      per: 'devices',
      window: { interval: 1, unit: 'days' },
      suppress: { interval: 2, unit: 'hours' },
    },
  },
  {
    ...inGb,
    age_restriction: { min: 21, verification_required: false, accepted_methods: ['digital_id'] },
    daypart_targets: [{ days: ['friday'], start_hour: 17, end_hour: 20, label: 'Evening' }],
    geo_proximity: [
      {
        lat: 51.5,
        lng: -0.1,
        radius: { value: 3, unit: 'mi' },
        label: 'Stall',
        ext: { shop: 'two' },
      },
      { lat: 51.5, lng: -0.1, travel_time: { value: 1, unit: 'hr' }, transport_mode: 'cycling' },
      { geometry: { type: 'MultiPolygon', coordinates: [[ring(0)]] } },
    ],
    keyword_targets: [{ keyword: 'rain coats', match_type: 'phrase', bid_price: 2.5 }],
    negative_keywords: [{ keyword: 'cheap', match_type: 'exact' }],
    frequency_cap: {
      max_impressions: 5,
      per: 'households',
      window: { interval: 7, unit: 'hours' },
      suppress: { interval: 3, unit: 'days' },
    },
  },
] as const;

/** What a seller has to declare, or it is asked for none of that. */
export const everyTargeting = {
  daypart_targets: true,
  keyword_targets: { supported_match_types: ['exact', 'phrase', 'broad'] },
  negative_keywords: { supported_match_types: ['exact', 'phrase', 'broad'] },
  geo_proximity: {
    radius: true,
    travel_time: true,
    geometry: true,
    transport_modes: ['walking', 'cycling'],
  },
  geo_countries: true,
  geo_regions: true,
  geo_metros: { nielsen_dma: true, uk_itl1: true },
  geo_postal_areas: { us_zip: true, gb_outward: true },
  language: true,
  device_platform: true,
  device_type: true,
  age_restriction: { supported: true, verification_methods: ['id_document', 'digital_id'] },
};

/** Caps and tags, as an advertiser and a campaign have them. */
export const caps = [
  [{ max_impressions: 3, window: { interval: 1, unit: 'days' } }],
  [{ max_impressions: 9, window: { interval: 12, unit: 'hours' } }],
] as const;

export const tags = [
  [{ paramKey: 'utm_source', paramValue: 'one' }],
  [{ paramKey: 'utm_medium', paramValue: 'other' }],
] as const;

/** Goals of a campaign. */
export const goals = [
  [{ kind: 'metric', metric: 'clicks', target: { kind: 'cost_per', value: 2 }, priority: 1 }],
  [
    {
      kind: 'metric',
      metric: 'completed_views',
      viewDurationSeconds: 5,
      target: { kind: 'threshold_rate', value: 0.5 },
      priority: 2,
    },
  ],
] as const;

export const pacing = [
  { mode: 'weight', periods: [{ label: 'first', start: '2026-12-12', end: '2026-12-14', weight: 2 }] },
  { mode: 'budget', periods: [{ label: 'other', start: '2026-12-16', end: '2026-12-18', budget: 200 }] },
] as const;

const vendors = [
  {
    domain: 'gauge.example',
    brand_id: 'sight',
    industries: ['media'],
    data_subject_contestation: {
      url: 'https://gauge.example/object',
      email: 'object@gauge.example',
      languages: ['en'],
    },
    brand_kit_override: {
      logo: {
        asset_type: 'image',
        url: 'https://gauge.example/l.png',
        width: 9,
        height: 8,
        format: 'png',
        alt_text: 'A gauge',
        provenance: { declared_at: 'then' },
      },
      colors: { primary: '#00ff00', secondary: '#00ff01', accent: '#00ff02' },
      voice: 'Calm',
      tagline: 'Seen.',
    },
  },
  {
    domain: 'meter.example',
    brand_id: 'sound',
    industries: ['audio'],
    data_subject_contestation: {
      url: 'https://meter.example/object',
      email: 'object@meter.example',
      languages: ['de'],
    },
    brand_kit_override: {
      logo: {
        asset_type: 'image',
        url: 'https://meter.example/l.jpg',
        width: 19,
        height: 18,
        format: 'jpg',
        alt_text: 'A meter',
        provenance: { declared_at: 'now' },
      },
      colors: { primary: '#ff0000', secondary: '#ff0001', accent: '#ff0002' },
      voice: 'Loud',
      tagline: 'Heard.',
    },
  },
] as const;

/** Goals of a media buy, in the words of sellers. */
export const buyGoals = [
  [
    {
      kind: 'metric',
      metric: 'reach',
      reach_unit: 'households',
      target_frequency: { min: 1, max: 3, window: { interval: 1, unit: 'days' } },
      priority: 1,
    },
    {
      kind: 'vendor_metric',
      vendor: vendors[0],
      metric_id: 'attention',
      target: { kind: 'threshold_rate', value: 70 },
    },
  ],
  [
    {
      kind: 'vendor_metric',
      vendor: vendors[1],
      metric_id: 'volume',
      target: { kind: 'cost_per', value: 7 },
    },
    { kind: 'metric', metric: 'completed_views', view_duration_seconds: 2, priority: 2 },
    {
      kind: 'metric',
      metric: 'reach',
      reach_unit: 'devices',
      target_frequency: { min: 2, max: 5, window: { interval: 3, unit: 'hours' } },
      priority: 3,
    },
  ],
] as const;

/** What a product declares so that it can be optimized for these. */
export const optimizable = {
  metric_optimization: {
    supported_metrics: ['clicks', 'completed_views', 'reach'],
    supported_view_durations: [2],
    supported_reach_units: ['households', 'devices'],
    supported_targets: ['cost_per', 'threshold_rate'],
  },
  vendor_metric_optimization: {
    supported_metrics: [
      {
        vendor: { domain: 'gauge.example', brand_id: 'sight' },
        metric_id: 'attention',
        supported_targets: ['threshold_rate'],
      },
      {
        vendor: { domain: 'meter.example', brand_id: 'sound' },
        metric_id: 'volume',
        supported_targets: ['cost_per'],
      },
    ],
  },
};
