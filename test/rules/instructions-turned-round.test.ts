import { describe, expect, test } from 'vitest';
import { verdictOn } from '../../tools/domain/discovery/asking/verdicts.ts';
import { isUnread, readInstructions } from '../../tools/domain/discovery/instructions.ts';
import type { Product } from '../../tools/domain/discovery/schema.ts';

const product = (name: string, channel: string, cpm: number): Product => ({
  productId: channel,
  name,
  description: '',
  channels: [channel],
  deliveryType: 'guaranteed',
  cpm,
  currency: 'USD',
  pricingOptions: [
    { pricingOptionId: 'cpm', pricingModel: 'cpm', isFixed: true, fixedPrice: cpm, currency: 'USD' },
  ],
  formatIds: [],
  publisherProperties: [],
  salesAgentId: 'agt_1',
  salesAgentName: 'Agent',
  storefrontId: '1',
  storefrontName: 'Corner Media',
  isSandbox: false,
});

const PRODUCTS = [
  product('Sports on screens', 'ctv', 25),
  product('News banners', 'display', 4),
  product('Cooking talk', 'podcast', 8),
];

/** The channels of what stays, in a word; `unread` where nothing of it is held against anything. */
function staying(text: string): string {
  const read = readInstructions(text, 'USD');
  if (read.some(isUnread)) return 'unread';
  return PRODUCTS.filter((one) => verdictOn(one, read, 'USD').missed.length === 0)
    .flatMap(({ channels }) => channels)
    .join(' ');
}

describe('what instructions leave of three products', () => {
  test.each([
    // All but something.
    ['Exclude everything except CTV', 'ctv'],
    ['No channels other than CTV', 'ctv'],
    ['Reject everything but CTV', 'ctv'],
    ['Never anything but podcasts', 'podcast'],
    ['Nothing but CTV', 'ctv'],
    ['Show nothing but podcasts', 'podcast'],
    ['Nothing except display', 'display'],
    ['Nothing other than podcasts', 'podcast'],
    ['None but podcasts', 'podcast'],
    ['Exclude all except sports and news', 'ctv display'],
    ['Skip anything other than podcasts', 'podcast'],
    ['Avoid anything outside of display', 'display'],
    ['Block all but display', 'display'],
    ['Accept everything but CTV', 'display podcast'],
    ['Anything but CTV', 'display podcast'],
    ['Everything except podcasts', 'ctv display'],
    ['Accept nothing but podcasts', 'podcast'],
    ['Reject nothing but podcasts', 'ctv display'],
    ['Do not accept anything but display', 'display'],
    ['No products except CTV', 'ctv'],
    ['No sports except football', 'unread'],
    ['Exclude podcasts except cooking', 'unread'],
    ['Never nothing but podcasts', 'unread'],
    ['Exclude everything apart from CTV', 'ctv'],
    ['No channels besides CTV', 'ctv'],
    ['Nothing else than CTV', 'ctv'],
    ['Nobody other than CTV', 'ctv'],
    ['Do not exclude anything except podcasts', 'unread'],
    ['Never exclude anything but podcasts', 'unread'],
    ['No sports, except football', 'unread'],
    ['No formats but video', 'ctv'],
    ['Do not forget podcasts', 'unread'],
    ['Exclude every channel but CTV', 'ctv'],
    ['Exclude all channels but CTV', 'ctv'],
    ['All channels but CTV', 'display podcast'],
    ['Only CTV unless sports', 'unread'],
    // Turned down twice.
    ['Reject products without sports', 'ctv'],
    ['No products without news', 'display'],
    ['Never without sports', 'ctv'],
    ['Never anything that is not about cooking', 'podcast'],
    ['Reject anything that is not about news', 'display'],
    ['Avoid podcasts not in English', 'unread'],
    ['No podcasts without transcripts', 'unread'],
    ['No, never podcasts', 'ctv display'],
    ['Do not reject podcasts', 'ctv display podcast'],
    ['Never exclude podcasts', 'ctv display podcast'],
    // What is not needed is not unwanted.
    ['No need for sports', 'unread'],
    ['I do not mind sports', 'unread'],
    ['No objection to podcasts', 'unread'],
    ['Products need not be about news', 'unread'],
    ['No preference about news', 'unread'],
    ['No restrictions on news', 'unread'],
    ['It is not necessary to have sports', 'unread'],
    ['We want not just news', 'unread'],
    ['No care homes', 'ctv display podcast'],
    ['No need to avoid sports', 'unread'],
    ['Sports are not required', 'ctv display podcast'],
    ['No news, no podcasts', 'ctv'],
    ['Sports but no podcasts', 'ctv display'],
    ['Only sports', 'ctv'],
    // The most that may be paid.
    ['CPM under 10', 'display podcast'],
    ['Reject CPM over 10', 'display podcast'],
    ['CPM must not exceed 10', 'display podcast'],
    ['Do not exceed a CPM of 10', 'display podcast'],
    ['Never exceed 10 USD', 'display podcast'],
    ['Require a CPM of 10 or less', 'display podcast'],
    ['Only CPM 10 or lower', 'display podcast'],
    ['Only at 10 USD or less', 'display podcast'],
    ['No CPM over 10', 'display podcast'],
    ['No more than 5 USD', 'display'],
    ['No higher than a CPM of 5', 'display'],
    ['Maximum CPM 5', 'display'],
    ['CPM ≤ 10', 'display podcast'],
    ['No greater than 10 USD', 'display podcast'],
    ['No more than 10 USD or less', 'display podcast'],
    ['Nothing over 5 USD', 'display'],
    ['No product more expensive than 10 USD', 'display podcast'],
    ['Products cheaper than 5 USD', 'display'],
    ['CPM under 10 and viewability over 70%', 'display podcast'],
    ['CPM under 10 and at most 3 videos', 'display podcast'],
    ['max. 10 USD', 'display podcast'],
    ['CPM max. 5', 'display'],
    ['Max. CPM 5. No podcasts.', 'display'],
    ['5 USD or less', 'display'],
    ['1. No podcasts\n2) CPM under 10', 'display'],
    ['- 10 USD or less\n* no podcasts', 'display'],
    ['No podcasts, CPM under 10', 'display'],
    ['CPM under 10, no podcasts', 'display'],
    // The least, and what is neither.
    ['No CPM under 5', 'unread'],
    ['Exclude CPM below 5', 'unread'],
    ['CPM must be between 3 and 10 USD', 'unread'],
    ['CPM must be at least 5 USD', 'unread'],
    ['CPM must be above 5', 'unread'],
    ['Only products with a CPM over 5', 'unread'],
    ['Only products that cost 5 USD or more', 'unread'],
    ['No podcasts, and a CPM over 5', 'unread'],
    ['Require a CPM of about 8', 'unread'],
    ['At least 5 USD', 'unread'],
    ['Nothing under 5 USD', 'unread'],
    ['CPM min. 5 USD', 'unread'],
    ['Never 5 USD or less', 'unread'],
    ['No product cheaper than 5 USD', 'unread'],
    ['Only 5 USD minimum CPM', 'unread'],
    ['CPM of at most 10 and at least 3', 'unread'],
    // Numbers that are no prices.
    ['Only fixed price and 300x250 banners', 'ctv display podcast'],
    ['Prefer sites with 50 podcasts, CPM under 10', 'display podcast'],
    ['Do not include anything except news', 'display'],
    ['Excl. podcasts', 'ctv display'],
    ['All channels excl. podcasts', 'ctv display'],
    ['Incl. podcasts', 'ctv display podcast'],
    ['No news. Podcasts preferred.', 'ctv podcast'],
    ['Must not be anything but a podcast', 'podcast'],
    ['No podcasts from 2019', 'ctv display podcast'],
  ])('“%s”: %s', (text, left) => {
    expect(staying(text)).toBe(left);
  });
});
