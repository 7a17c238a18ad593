import { describe, expect, test } from 'vitest';
import { enrichmentOf } from '../../tools/domain/discovery/asking/enrichment.ts';
import { ranked } from '../../tools/domain/discovery/asking/ranking.ts';
import { verdictOn } from '../../tools/domain/discovery/asking/verdicts.ts';
import { type Rule, readInstructions } from '../../tools/domain/discovery/instructions.ts';
import type { Product } from '../../tools/domain/discovery/schema.ts';

const asText = (rule: Rule) =>
  rule.kind === 'max_price'
    ? `max_price ${rule.amount}`
    : `${rule.kind} ${rule.terms.map((term) => [...term.values()].join('+')).join('|')}`;

const rulesOf = (text: string) =>
  readInstructions(text, 'USD').map(({ rules }) => rules.map(asText).join('; '));

const product = (changes: Partial<Product> = {}): Product => ({
  productId: 'one',
  name: 'Kitchen podcast',
  description: 'Recipes for cooks.',
  channels: ['podcast'],
  deliveryType: 'non_guaranteed',
  cpm: 10,
  currency: 'USD',
  pricingOptions: [
    { pricingOptionId: 'cpm', pricingModel: 'cpm', isFixed: true, fixedPrice: 10, currency: 'USD' },
  ],
  formatIds: [],
  publisherProperties: [{ publisherDomain: 'kitchen.example' }],
  salesAgentId: 'agt_1',
  salesAgentName: 'Agent',
  storefrontId: '1',
  storefrontName: 'Kitchen Media',
  isSandbox: false,
  ...changes,
});

const verdict = (text: string, changes: Partial<Product> = {}) =>
  verdictOn(product(changes), readInstructions(text, 'USD'), 'USD');

describe('instructions in plain words', () => {
  test.each([
    ['No gambling, no alcohol or tobacco.', ['exclude gambling; exclude alcohol|tobacco']],
    ['Sports but no gambling', ['prefer sports; exclude gambling']],
    ['Only accept news sites', ['require news']],
    ['It must not show weapons', ['exclude weapons']],
    ['Do not accept user-generated video', ['exclude generated+video']],
    ['Never include gaming', ['exclude gaming']],
    ['Reject anything that is not about cooking', ['require cooking']],
    ['Reject products without video', ['require video']],
    ['Do not reject sports', ['prefer sports']],
    ['No, never gambling', ['exclude gambling']],
    ['Avoid auctions', ['exclude auction']],
    ['Must be guaranteed, never non-guaranteed', ['require guaranteed; exclude nonguaranteed']],
    ['CPM under 12 USD. Prefer podcasts', ['max_price 12', 'prefer podcasts']],
    ['Reject CPM over $10', ['max_price 10']],
    ['- price at most 7,50\n* Exclude news.example', ['max_price 7.5', 'exclude news+example']],
  ])('reads “%s”', (text, rules) => {
    expect(rulesOf(text)).toEqual(rules);
  });

  test.each(['It should be for us.', 'CPM at most 9 EUR', 'CPM over 10'])(
    'does not pretend to have read “%s”',
    (text) => {
      const [sentence] = readInstructions(text, 'USD');
      expect(sentence?.text).toBe(text);
      expect(sentence?.rules.some(({ kind }) => kind === 'max_price')).toBe(false);
    },
  );

  test.each([
    ['USD', 'CPM under 10 dollars'],
    ['USD', 'CPM under 10 US dollars'],
    ['USD', 'at most US$ 10'],
    ['USD', 'Under 10 usd'],
    ['USD', 'price at most 10$'],
    ['USD', 'Max CPM: 10 USD'],
    ['CAD', 'CPM up to $10'],
    ['CAD', 'CPM up to 10 Canadian dollars'],
    ['EUR', 'CPM under 10 euros'],
    ['EUR', 'CPM under €10'],
    ['EUR', 'at most 10 Euro'],
    ['GBP', 'no more than 10 pounds sterling'],
    ['GBP', 'price below £ 10'],
    ['JPY', 'price below 10 yen'],
    ['SEK', 'cost at most 10 kr'],
    ['SEK', 'cost at most 10 Swedish kronor'],
    ['CHF', 'CPM under 10 francs'],
    ['PLN', 'CPM under 10 zł'],
  ])('in a session of %s read “%s” as its own', (currency, text) => {
    expect(readInstructions(text, currency)).toEqual([{ text, rules: [{ kind: 'max_price', amount: 10 }] }]);
  });

  test.each([
    ['CPM under 10 euros', 'EUR'],
    ['price at most 10 EUR', 'EUR'],
    ['price at most 10 eur', 'EUR'],
    ['price at most EUR 10', 'EUR'],
    ['Under €10', 'EUR'],
    ['at most 10€', 'EUR'],
    ['At most 10 pounds', 'GBP'],
    ['CPM under £10', 'GBP'],
    ['CPM under 10 yen', 'JPY'],
    ['CPM under 10 kronor', 'SEK'],
    ['CPM under 10 Australian dollars', 'AUD'],
    ['CPM under C$10', 'CAD'],
    ['CPM under A$10', 'AUD'],
    ['CPM under 10 Swiss francs', 'CHF'],
    ['CPM under 10 ₹', 'INR'],
    ['CPM under 10 zlotys', 'PLN'],
    ['Maximum price: 10 euros', 'EUR'],
    ['CPM over 10 EUR', 'EUR'],
    ['price is €10', 'EUR'],
  ])('hold “%s” against nothing in a session of USD, and name its currency', (text, pricedIn) => {
    expect(readInstructions(text, 'USD')).toEqual([{ text, rules: [], pricedIn }]);
  });

  test('are read beside a price in another currency, of which nothing is taken', () => {
    expect(readInstructions('No gambling and CPM under 10 euros', 'USD')).toMatchObject([
      { rules: [{ kind: 'exclude' }], pricedIn: 'EUR' },
    ]);
    expect(rulesOf('No gambling and CPM under 10 euros')).toEqual(['exclude gambling']);
    expect(readInstructions('CPM under 10 dollars or at most 9 euros', 'USD')).toMatchObject([
      { rules: [{ kind: 'max_price', amount: 10 }], pricedIn: 'EUR' },
    ]);
    expect(rulesOf('CPM under 12 dollars or at most 9 USD')).toEqual(['max_price 9']);
  });

  test.each([
    ['CPM under 10 for news', ['max_price 10; prefer news']],
    ['CPM under 10 try cooking', ['max_price 10; prefer try+cooking']],
    ['No more than 3 videos', ['exclude than+videos']],
  ])('take no other word for a currency in “%s”', (text, rules) => {
    expect(rulesOf(text)).toEqual(rules);
  });

  test.each([
    ['Exclude Euro 2028.', ['exclude euro+2028']],
    ['Only Euro 2028 football fans.', ['require euro+2028+football+fans']],
    ['Avoid sites that won 3 awards', ['exclude won+awards']],
    ['Only 50 php tutorials', ['require 50+php+tutorials']],
    ['Only 50 PHP tutorials', ['require 50+php+tutorials']],
    ['No more than 50 php tutorials', ['exclude than+50+php+tutorials']],
    ['Up to 50 PHP tutorials', ['prefer up+50+php+tutorials']],
    ['At least 50 php tutorials', ['prefer least+50+php+tutorials']],
    ['Max Euro 2028 coverage', ['prefer max+euro+2028+coverage']],
    ['Max 3 ads at Euro 28', ['prefer max+euro+28']],
    ['CPM under 10 for Euro 2028 fans', ['max_price 10; prefer euro+2028+fans']],
    ['CPM under 10, avoid sites that won 3 awards', ['max_price 10; exclude won+awards']],
    ['CPM under 10, only 50 php tutorials', ['max_price 10; require 50+php+tutorials']],
    ['CPM under 10 300x250 banners', ['max_price 10; prefer 300x250+banners']],
    ['CPM under top 10', ['max_price 10; prefer top']],
  ])('take words for no currency where no price is spoken of: “%s”', (text, rules) => {
    const read = readInstructions(text, 'USD');
    expect(read.map(({ pricedIn }) => pricedIn)).toEqual([undefined]);
    expect(read.map((one) => one.rules.map(asText).join('; '))).toEqual(rules);
  });

  test.each([
    ['At least 10 euros', 'EUR'],
    ['Only over 10 euros', 'EUR'],
    ['Under 10 eur for news', 'EUR'],
    ['At most 2000 yen', 'JPY'],
    ['CPM under 2000 yen', 'JPY'],
    ['At most 10 dollars or 9 euros', 'EUR'],
    ['No more than 50 PHP', 'PHP'],
    ['Nothing that starts at €900', 'EUR'],
    ['A price of EUR 10 net', 'EUR'],
    ['10 won CPM', 'KRW'],
  ])('name the currency of “%s”', (text, pricedIn) => {
    expect(readInstructions(text, 'USD').map((one) => one.pricedIn)).toEqual([pricedIn]);
  });

  test.each([
    ['1,500', 1_500],
    ['12,345,678', 12_345_678],
    ['1,500.00', 1_500],
    ['1.500,00', 1_500],
    ['1.234.567', 1_234_567],
    ['1.234.567,8', 1_234_567.8],
    ['1 500', 1_500],
    ['1’500.50', 1_500.5],
    ['1,00,000', 100_000],
    ['1,5', 1.5],
    ['1,50', 1.5],
    ['0,125', 0.125],
    ['1.500', 1.5],
    ['2000', 2_000],
  ])('read the ceiling “%s” as a number', (written, amount) => {
    const texts = [`CPM at most ${written}`, `CPM at most ${written} JPY`, `at most ¥${written}`];
    for (const text of texts) {
      expect(readInstructions(text, 'JPY').map(({ rules }) => rules)).toEqual([
        [{ kind: 'max_price', amount }],
      ]);
    }
  });

  test('are read to a hundred sentences, each shown to three hundred characters', () => {
    const many = readInstructions(`No ${'x'.repeat(900)}. ${'No bets. '.repeat(700)}`, 'USD');

    expect(many).toHaveLength(100);
    expect(many[0]?.text).toHaveLength(300);
  });
});

describe('a product held against instructions', () => {
  test.each([
    ['No cooks', 'reject'],
    ['No cars', 'accept'],
    ['Only recipes or gardening', 'accept'],
    ['Only cars', 'refine'],
    ['CPM under 10', 'accept'],
    ['CPM under 9', 'refine'],
    ['CPM under 9. No cooks.', 'reject'],
    ['Prefer cars', 'accept'],
    ['No kitchen.example', 'reject'],
    ['Only guaranteed', 'refine'],
    ['No auctions', 'accept'],
  ])('comes to %s: %s', (text, decision) => {
    expect(verdict(text).decision).toBe(decision);
  });

  test('is not excluded for what it says it is without', () => {
    const without = {
      description: 'News without gambling or weapons. Alcohol-free. No adverts for tobacco.',
    };

    expect(verdict('No gambling, weapons, alcohol or tobacco.', without).decision).toBe('accept');
  });

  test('cannot say of itself what its fields deny', () => {
    expect(verdict('Must be guaranteed.', { description: 'Guaranteed the best.' }).decision).toBe('refine');
  });

  test('is judged by what it says: an unknown price is open, and makes the verdict less sure', () => {
    const { decision, confidence, reasons } = verdict('CPM under 9. No cars.', { currency: 'EUR' });

    expect({ decision, confidence }).toEqual({ decision: 'accept', confidence: 0.5 });
    expect(reasons).toEqual(['Its price in the currency of the session is not known.']);
  });

  test('has as much quality as it has of what is wished, and none where nothing is', () => {
    expect(verdict('Prefer recipes, boats.').quality).toBe(0.75);
    expect(verdict('Prefer boats.').quality).toBe(0);
    expect(verdict('No boats.').quality).toBeUndefined();
  });

  test('is enriched with what its fields tell, in words that are not its seller’s', () => {
    const sold = product({
      notBuyable: 'Sold in EUR; the advertiser pays in USD.',
      pricingOptions: [
        { pricingOptionId: 'a', pricingModel: 'cpm', isFixed: false, currency: 'USD', minSpend: 900 },
      ],
    });
    const said = verdictOn(sold, readInstructions('Prefer recipes. Prefer boats.', 'USD'), 'USD');

    expect(enrichmentOf(sold, said, { currency: 'USD', budget: 500 })).toEqual({
      summary: 'Keeps 1 of 2 rules of the instructions; from 10 USD a thousand.',
      strengths: ['Speaks of recipes.'],
      concerns: [
        'Says nothing of: Prefer boats.',
        'Sold in EUR; the advertiser pays in USD.',
        'It is sold by auction: a bid is needed.',
        'It starts at 900 USD; the budget is 500.',
      ],
      labels: ['podcast', 'non_guaranteed'],
    });
  });

  test('stands before those of its group that have less of what is wished', () => {
    const accepted: Product['evaluation'] = {
      disposition: 'accept',
      evaluated: true,
      confidence: 1,
      reasons: [],
    };
    const boats = product({ productId: 'two', description: 'Boats.', evaluation: accepted });
    const group = { groupId: 'g', groupName: 'g', publisherDomain: 'g' };
    const [only] = ranked(
      [{ ...group, products: [product({ evaluation: accepted }), boats] }],
      readInstructions('Prefer boats.', 'USD'),
      'USD',
    );

    expect(only?.products.map(({ productId, evaluation }) => [productId, evaluation?.ranking])).toEqual([
      ['two', { rank: 1, score: 1, rationale: 'Holds what is preferred: boats.', provisional: false }],
      ['one', { rank: 2, score: 0, rationale: 'Nothing of it was asked for.', provisional: false }],
    ]);
  });
});
