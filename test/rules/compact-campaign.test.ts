import { describe, expect, test } from 'vitest';
import { compactCampaign } from '../../tools/buyer/campaigns/compact-campaign.ts';

type Shown = Parameters<typeof compactCampaign>[0];

const US = { geo_countries: ['US'], language: ['en'] };
const US_AGAIN = { language: ['en'], geo_countries: ['US'] };
const DE = { geo_countries: ['DE'] };

/** A campaign of which only this matters: the packages of its buys. */
function campaignWith(buys: readonly (readonly (object | undefined)[])[]): Shown {
  const mediaBuys = buys.map((overlays, buy) => ({
    mediaBuyId: `mb_${buy}`,
    performance: {
      impressions: 5,
      spend: 1,
      clicks: 0,
      views: 2,
      completedViews: 0,
      conversions: 0,
      leads: 0,
    },
    packages: overlays.map((targetingOverlay, part) => ({
      packageId: `${buy}.${part}`,
      budgetCurrency: 'USD',
      targetingOverlay,
    })),
  }));
  return { campaignId: 'cmp_1', mediaBuyRefs: [], mediaBuys } as unknown as Shown;
}

function shownOf(record: Shown) {
  const { targetingOverlay, mediaBuys }: { targetingOverlay?: object; mediaBuys: Shown['mediaBuys'] } =
    compactCampaign(record);
  return {
    shared: targetingOverlay,
    own: mediaBuys.map(({ packages }) => packages.map((part) => part.targetingOverlay)),
  };
}

describe('the short form of a campaign says whom its packages are to reach', () => {
  test.each([
    [
      'once where all say the same, in whatever order',
      { buys: [[US, US_AGAIN], [US]], shared: US, own: [[undefined, undefined], [undefined]] },
    ],
    ['with those that differ', { buys: [[US, DE], [US]], shared: US, own: [[undefined, DE], [undefined]] }],
    [
      'as {} with those that reach nobody in particular',
      { buys: [[US, US, undefined]], shared: US, own: [[undefined, undefined, {}]] },
    ],
    [
      'with each where no two say the same',
      { buys: [[US, DE, undefined]], shared: undefined, own: [[US, DE, undefined]] },
    ],
    ['not at all where none does', { buys: [[undefined], []], shared: undefined, own: [[undefined], []] }],
  ])('%s', (_, { buys, shared, own }) => {
    expect(shownOf(campaignWith(buys))).toEqual({ shared, own });
  });

  test('and counts nothing where there is none, nor names the currency of the buy again', () => {
    const [buy] = compactCampaign(campaignWith([[US]])).mediaBuys;

    expect(buy?.performance).toEqual({ impressions: 5, spend: 1, clicks: 0, views: 2 });
    expect(buy?.packages).toEqual([{ packageId: '0.0', targetingOverlay: US }]);
  });

  test('and names each media buy once', () => {
    expect(JSON.parse(JSON.stringify(compactCampaign(campaignWith([[US]]))))).not.toHaveProperty(
      'mediaBuyRefs',
    );
  });
});
