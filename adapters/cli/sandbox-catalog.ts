/** What the two storefronts of the sandbox sell: invented publishers, varied in every respect. */

export interface CatalogProduct {
  readonly name: string;
  readonly description: string;
  readonly publisherDomain: string;
  readonly channels: readonly string[];
  readonly countries: readonly string[];
  readonly guaranteed: boolean;
  /** Dollars a thousand impressions: fixed, or the floor of an auction. */
  readonly cpm: { readonly fixed: number } | { readonly floor: number };
  readonly minSpend: number;
  readonly formats: readonly string[];
  readonly exposures: number;
}

type Line = readonly [
  name: string,
  description: string,
  price: CatalogProduct['cpm'],
  minSpend: number,
  exposures: number,
];

interface Shelf {
  readonly publisherDomain: string;
  readonly channels: readonly string[];
  readonly countries: readonly string[];
  readonly guaranteed: boolean;
  readonly formats: readonly string[];
  readonly lines: readonly Line[];
}

const display = ['display_300x250', 'display_728x90', 'display_320x50'];
const video = ['video_15s', 'video_30s'];
const audio = ['audio_15s', 'audio_30s'];

const laguna: readonly Shelf[] = [
  {
    publisherDomain: 'morning-quay.example',
    channels: ['display'],
    countries: ['US', 'CA'],
    guaranteed: false,
    formats: display,
    lines: [
      ['Morning Quay run of site', 'Every page of a daily news site for commuters and early readers.', { fixed: 4.5 }, 250, 38_000_000],
      ['Morning Quay business desk', 'Markets, start-ups and personal finance, read by decision makers at work.', { fixed: 11 }, 500, 5_200_000],
      ['Morning Quay homepage takeover', 'The whole homepage for a day: launches, films and big announcements.', { fixed: 24 }, 5_000, 2_400_000],
      ['Morning Quay newsletter readers', 'Banners beside the archive of the morning letter, loyal daily readers.', { fixed: 8 }, 250, 1_900_000],
      ['Morning Quay politics and elections', 'Long reads and live blogs on politics; brand safety list applied.', { floor: 3.2 }, 250, 9_000_000],
    ],
  },
  {
    publisherDomain: 'trail-and-tide.example',
    channels: ['display', 'olv'],
    countries: ['US', 'GB', 'DE'],
    guaranteed: false,
    formats: [...display, ...video],
    lines: [
      ['Trail & Tide hiking guides', 'Route guides and gear tests for hikers, climbers and outdoor families.', { fixed: 9.5 }, 300, 4_400_000],
      ['Trail & Tide running club', 'Training plans and shoe reviews for runners, from first 5K to marathon.', { fixed: 10.5 }, 300, 3_100_000],
      ['Trail & Tide surf report video', 'Pre-roll before the daily surf report: young, coastal, outdoor.', { fixed: 17 }, 500, 1_200_000],
      ['Trail & Tide summer camping', 'Seasonal section on tents, stoves and national parks.', { floor: 5 }, 250, 2_700_000],
    ],
  },
  {
    publisherDomain: 'plated.example',
    channels: ['display', 'olv'],
    countries: ['US', 'GB'],
    guaranteed: false,
    formats: [...display, ...video],
    lines: [
      ['Plated weeknight recipes', 'Quick family dinners, searched on the way home: grocery and food brands.', { fixed: 7 }, 250, 14_000_000],
      ['Plated vegan kitchen', 'Plant-based recipes with a young, health-minded audience.', { fixed: 9 }, 250, 3_600_000],
      ['Plated cooking school video', 'In-stream video in step-by-step lessons, high completion.', { fixed: 19 }, 750, 1_500_000],
      ['Plated holiday baking', 'Cookies, cakes and gifts in November and December.', { fixed: 10 }, 500, 6_800_000],
    ],
  },
  {
    publisherDomain: 'nightjar-tv.example',
    channels: ['ctv'],
    countries: ['US'],
    guaranteed: true,
    formats: video,
    lines: [
      ['Nightjar drama premieres', 'Living-room premieres of crime and period drama, unskippable.', { fixed: 38 }, 10_000, 2_600_000],
      ['Nightjar live sports', 'League matches and studio shows on the big screen, fans of every team.', { fixed: 46 }, 15_000, 3_900_000],
      ['Nightjar kids and family', 'Co-viewing on Saturday mornings; advertising rules for children apply.', { fixed: 29 }, 7_500, 1_700_000],
      ['Nightjar documentary', 'Nature, science and history for curious, affluent households.', { fixed: 31 }, 5_000, 1_100_000],
      ['Nightjar run of network', 'All series and channels, evenly over the day.', { fixed: 22 }, 2_500, 11_000_000],
    ],
  },
  {
    publisherDomain: 'parkbench.example',
    channels: ['social'],
    countries: ['US', 'CA', 'GB', 'AU'],
    guaranteed: false,
    formats: ['native_feed', 'video_15s'],
    lines: [
      ['Parkbench neighbourhood feed', 'Native posts between messages of neighbours, by city and district.', { floor: 2.8 }, 100, 52_000_000],
      ['Parkbench parents', 'Groups on schools, babies and weekends with children.', { floor: 4.1 }, 100, 8_300_000],
      ['Parkbench pet owners', 'Dogs, cats and the people who walk them.', { floor: 3.6 }, 100, 6_100_000],
    ],
  },
];

const murano: readonly Shelf[] = [
  {
    publisherDomain: 'longwave-audio.example',
    channels: ['podcast'],
    countries: ['US', 'GB', 'CA'],
    guaranteed: true,
    formats: audio,
    lines: [
      ['Longwave true crime', 'Host-read spots in serial investigations, engaged listeners.', { fixed: 27 }, 1_500, 2_900_000],
      ['Longwave business mornings', 'Daily briefings for founders, managers and investors.', { fixed: 32 }, 1_500, 1_400_000],
      ['Longwave running stories', 'Portraits and training talk for runners on long runs.', { fixed: 25 }, 750, 640_000],
      ['Longwave comedy evenings', 'Panel shows and stand-up, young listeners on the way home.', { fixed: 21 }, 750, 2_200_000],
      ['Longwave science hour', 'Interviews with researchers, educated audience.', { fixed: 24 }, 750, 900_000],
    ],
  },
  {
    publisherDomain: 'tidal-radio.example',
    channels: ['streaming_audio', 'radio'],
    countries: ['US'],
    guaranteed: false,
    formats: audio,
    lines: [
      ['Tidal drive time', 'Live radio and its stream on the way to work and back.', { fixed: 12 }, 500, 16_000_000],
      ['Tidal focus playlists', 'Instrumental streams for work and study, long sessions.', { fixed: 8.5 }, 250, 9_500_000],
      ['Tidal gym and workout', 'High-tempo playlists for fitness, sport and running.', { fixed: 9.5 }, 250, 7_200_000],
      ['Tidal classical', 'Concert streams with an affluent, older audience.', { floor: 6 }, 250, 2_100_000],
    ],
  },
  {
    publisherDomain: 'campanile-screens.example',
    channels: ['dooh'],
    countries: ['US'],
    guaranteed: true,
    formats: ['dooh_1080x1920', 'dooh_1920x1080'],
    lines: [
      ['Campanile airport lounges', 'Portrait screens in departure lounges of twelve airports: travel, finance.', { fixed: 18 }, 5_000, 4_800_000],
      ['Campanile grocery entrances', 'Screens at supermarket doors, minutes before the purchase.', { fixed: 9 }, 1_000, 21_000_000],
      ['Campanile downtown billboards', 'Large digital billboards on twenty city squares.', { fixed: 14 }, 7_500, 12_000_000],
      ['Campanile gyms', 'Screens above treadmills and weights: sport, health, running.', { fixed: 11 }, 750, 3_300_000],
      ['Campanile transit platforms', 'Subway and tram platforms, commuters with time to look.', { fixed: 10 }, 1_000, 26_000_000],
    ],
  },
  {
    publisherDomain: 'harbour-letters.example',
    channels: ['email'],
    countries: ['US', 'GB'],
    guaranteed: false,
    formats: ['email_banner_600x200'],
    lines: [
      ['Harbour Letters travel deals', 'A weekly letter on short trips, opened by people about to book.', { fixed: 22 }, 400, 480_000],
      ['Harbour Letters tech digest', 'A morning digest for engineers and product people.', { fixed: 35 }, 600, 310_000],
      ['Harbour Letters home and garden', 'Renovation and planting through the year.', { fixed: 19 }, 300, 520_000],
    ],
  },
  {
    publisherDomain: 'arcade-lane.example',
    channels: ['gaming'],
    countries: [],
    guaranteed: false,
    formats: ['video_15s', 'rewarded_video_30s'],
    lines: [
      ['Arcade Lane puzzle players', 'Rewarded video in casual puzzle games, all ages.', { floor: 7 }, 200, 18_000_000],
      ['Arcade Lane racing billboards', 'Billboards inside racing games, worldwide.', { floor: 5.5 }, 200, 13_000_000],
      ['Arcade Lane sports managers', 'Players who follow football, basketball and running all week.', { floor: 8 }, 300, 4_600_000],
    ],
  },
];

function stock(shelves: readonly Shelf[]): CatalogProduct[] {
  return shelves.flatMap(({ lines, ...shelf }) =>
    lines.map(([name, description, cpm, minSpend, exposures]) => ({
      ...shelf,
      name,
      description,
      cpm,
      minSpend,
      exposures,
    })),
  );
}

export interface CatalogStorefront {
  readonly name: string;
  readonly platformId: string;
  readonly domain: string;
  readonly description: string;
  readonly channels: readonly ('display' | 'olv' | 'ctv' | 'social' | 'audio' | 'dooh')[];
  readonly products: readonly CatalogProduct[];
}

export const sandboxStorefronts: readonly CatalogStorefront[] = [
  {
    name: 'Laguna Media',
    platformId: 'laguna-media',
    domain: 'laguna-media.example',
    description: 'News, food, outdoors, television and neighbourhoods: five publishers under one roof.',
    channels: ['display', 'olv', 'ctv', 'social'],
    products: stock(laguna),
  },
  {
    name: 'Murano Audio & Outdoor',
    platformId: 'murano-audio-outdoor',
    domain: 'murano-audio.example',
    description: 'Podcasts, streams, screens, letters and games.',
    channels: ['audio', 'dooh'],
    products: stock(murano),
  },
];
