import type { Shelf } from './shelf.ts';

const display = ['display_300x250', 'display_728x90', 'display_320x50'];
const video = ['video_15s', 'video_30s'];

/** News, food, outdoors, television and neighbourhoods. */
export const laguna: readonly Shelf[] = [
  {
    publisherDomain: 'morning-quay.example',
    channels: ['display'],
    countries: ['US', 'CA'],
    guaranteed: false,
    formats: display,
    lines: [
      [
        'Morning Quay run of site',
        'Every page of a daily news site for commuters and early readers.',
        { fixed: 4.5 },
        250,
        38_000_000,
      ],
      [
        'Morning Quay business desk',
        'Markets, start-ups and personal finance, read by decision makers at work.',
        { fixed: 11 },
        500,
        5_200_000,
      ],
      [
        'Morning Quay homepage takeover',
        'The whole homepage for a day: launches, films and big announcements.',
        { fixed: 24 },
        5_000,
        2_400_000,
      ],
      [
        'Morning Quay newsletter readers',
        'Banners beside the archive of the morning letter, loyal daily readers.',
        { fixed: 8 },
        250,
        1_900_000,
      ],
      [
        'Morning Quay politics and elections',
        'Long reads and live blogs on politics; brand safety list applied.',
        { floor: 3.2 },
        250,
        9_000_000,
      ],
    ],
  },
  {
    publisherDomain: 'trail-and-tide.example',
    channels: ['display', 'olv'],
    countries: ['US', 'GB', 'DE'],
    guaranteed: false,
    formats: [...display, ...video],
    lines: [
      [
        'Trail & Tide hiking guides',
        'Route guides and gear tests for hikers, climbers and outdoor families.',
        { fixed: 9.5 },
        300,
        4_400_000,
      ],
      [
        'Trail & Tide running club',
        'Training plans and shoe reviews for runners, from first 5K to marathon.',
        { fixed: 10.5 },
        300,
        3_100_000,
      ],
      [
        'Trail & Tide surf report video',
        'Pre-roll before the daily surf report: young, coastal, outdoor.',
        { fixed: 17 },
        500,
        1_200_000,
      ],
      [
        'Trail & Tide summer camping',
        'Seasonal section on tents, stoves and national parks.',
        { floor: 5 },
        250,
        2_700_000,
      ],
    ],
  },
  {
    publisherDomain: 'plated.example',
    channels: ['display', 'olv'],
    countries: ['US', 'GB'],
    guaranteed: false,
    formats: [...display, ...video],
    lines: [
      [
        'Plated weeknight recipes',
        'Quick family dinners, searched on the way home: grocery and food brands.',
        { fixed: 7 },
        250,
        14_000_000,
      ],
      [
        'Plated vegan kitchen',
        'Plant-based recipes with a young, health-minded audience.',
        { fixed: 9 },
        250,
        3_600_000,
      ],
      [
        'Plated cooking school video',
        'In-stream video in step-by-step lessons, high completion.',
        { fixed: 19 },
        750,
        1_500_000,
      ],
      [
        'Plated holiday baking',
        'Cookies, cakes and gifts in November and December.',
        { fixed: 10 },
        500,
        6_800_000,
      ],
    ],
  },
  {
    publisherDomain: 'nightjar-tv.example',
    channels: ['ctv'],
    countries: ['US'],
    guaranteed: true,
    formats: video,
    lines: [
      [
        'Nightjar drama premieres',
        'Living-room premieres of crime and period drama, unskippable.',
        { fixed: 38 },
        10_000,
        2_600_000,
      ],
      [
        'Nightjar live sports',
        'League matches and studio shows on the big screen, fans of every team.',
        { fixed: 46 },
        15_000,
        3_900_000,
      ],
      [
        'Nightjar kids and family',
        'Co-viewing on Saturday mornings; advertising rules for children apply.',
        { fixed: 29 },
        7_500,
        1_700_000,
      ],
      [
        'Nightjar documentary',
        'Nature, science and history for curious, affluent households.',
        { fixed: 31 },
        5_000,
        1_100_000,
      ],
      [
        'Nightjar run of network',
        'All series and channels, evenly over the day.',
        { fixed: 22 },
        2_500,
        11_000_000,
      ],
    ],
  },
  {
    publisherDomain: 'parkbench.example',
    channels: ['social'],
    countries: ['US', 'CA', 'GB', 'AU'],
    guaranteed: false,
    formats: ['native_feed', 'video_15s'],
    lines: [
      [
        'Parkbench neighbourhood feed',
        'Native posts between messages of neighbours, by city and district.',
        { floor: 2.8 },
        100,
        52_000_000,
      ],
      [
        'Parkbench parents',
        'Groups on schools, babies and weekends with children.',
        { floor: 4.1 },
        100,
        8_300_000,
      ],
      ['Parkbench pet owners', 'Dogs, cats and the people who walk them.', { floor: 3.6 }, 100, 6_100_000],
    ],
  },
];
