import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withoutSecrets } from '../../tools/core/redaction.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { countryCode, countryCodes } from '../../tools/domain/countries.ts';
import { numericId, prefixedId } from '../../tools/domain/ids.ts';
import { nextPage, pagingFields } from '../../tools/domain/paging.ts';
import {
  boundedText,
  domainName,
  longText,
  sellerId,
  sellerText,
  sellerUrl,
  shortText,
  slugOf,
  webAddress,
} from '../../tools/domain/text.ts';
import { dateTime, endsAfterStart, later } from '../../tools/domain/time.ts';
import { tools } from '../../tools/registry.ts';
import { partsOf } from '../support/house/schema-walk.ts';

const anyText = fc.string({
  unit: fc.constantFrom(
    ...['a', '1', ' ', '\u0000', '\ud83d', '\ude00', '\u202e', '\n', '😀', 'é', '👩🏽', 'न', '्'],
    ...['\u200c', '\u200d', '\ufe0f', '\u20e3', '\u00ad', '\u{e0041}', '\u2028'],
  ),
});

/** Each alone between letters, where it has no place. */
const HIDDEN = [
  ...['\u0000', '\u001b', '\u007f', '\u009b', '\ud800', '\udc00', '\u00ad', '\u034f', '\u061c', '\u115f'],
  ...['\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u202e', '\u2028', '\u2029', '\u2060', '\u2066'],
  ...['\u2800', '\u3164', '\ufe00', '\ufe0f', '\ufeff', '\uffa0', '\ufff9', '\ufffb', '\uffff'],
  ...['\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{e0100}', '\u{e01ef}'],
];

/** What is written with characters that cannot be seen alone: emoji, keycaps, Persian, Hindi. */
const WRITTEN = ['❤️ and ☎︎', '👩‍👩‍👧‍👦', '👩🏽‍🚀', '🏳️‍🌈', '1️⃣ #️⃣', 'می‌خواهم', 'क्‍ष', 'Ünïcode 日本語 😀'];

describe('a text from outside', () => {
  test('is never longer than its bound, nor ill-formed, nor able to steer a display', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 12 }), (text, max) => {
        const bounded = boundedText(text, max);
        expect(bounded.length).toBeLessThanOrEqual(max);
        expect(bounded.isWellFormed()).toBe(true);
        expect(bounded).not.toMatch(/[\p{Cc}\u00ad\u200b\u200e\u2028\u202a-\u202e\u{e0041}]/u);
        expect(boundedText(bounded, max)).toBe(bounded);
      }),
    );
  });

  test('stays as it is when nothing is wrong with it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zé😀<>&"']+( [a-z]+)*$/u), (text) => {
        expect(boundedText(text, 10_000)).toBe(text);
      }),
    );
  });

  test('says what was there when it was no text, and nothing of what is neither', () => {
    expect([null, undefined, 7, true].map((odd) => boundedText(odd, 10))).toEqual(['', '', '7', 'true']);
    expect([{ toString: 1 }, ['a'], {}].map((odd) => boundedText(odd, 10))).toEqual(['', '', '']);
  });

  test.each(HIDDEN)('does not hide %j', (character) => {
    expect(boundedText(`before${character}after`, 100)).toBe('before after');
    expect(sellerId(`before${character}after`)).toBeUndefined();
    expect(shortText(100).safeParse(`before${character}after`).success).toBe(false);
    expect(longText(100).safeParse(`before${character}after`).success).toBe(false);
  });

  test.each(WRITTEN)('keeps what is written so: %s', (text) => {
    expect(boundedText(text, 100)).toBe(text);
    expect(shortText(100).parse(text)).toBe(text);
  });

  test('spells nothing with the variants of an emoji', () => {
    expect(boundedText('😀\ufe0f\ufe0f\ufe0e\u{e0101}\u{e0102}!', 100)).toBe('😀\ufe0f !');
  });

  test('is looked at no further than a reader could see', () => {
    expect(boundedText(`${'\u200b'.repeat(4_000_000)}seen`, 100)).toBe('');
    expect(boundedText(`seen${'\u200b'.repeat(4_000_000)}unseen`, 100)).toBe('seen…');
  });
});

describe('what a seller gave', () => {
  test('is a text when something of it can be seen', () => {
    expect(sellerText('  A\u202ename\u0007 ', 100)).toBe('A name');
    expect(sellerText('x'.repeat(200), 10)).toBe(`${'x'.repeat(9)}…`);
    for (const odd of ['', ' \u200b ', null, undefined, 7, {}, ['a']])
      expect(sellerText(odd, 10)).toBeUndefined();
  });

  test('is an id as it is, or none', () => {
    for (const id of ['a', 'mb_1', 'deal 7/ü', '😀', 'x'.repeat(255)]) expect(sellerId(id)).toBe(id);
    for (const odd of ['', ' a', 'a ', 'a\nb', 'x'.repeat(256), 7, null, undefined, {}, ['a']]) {
      expect(sellerId(odd)).toBeUndefined();
    }
  });

  test('is an address on the web, or none', () => {
    for (const url of ['https://creative.example', 'http://a.example:8080/x?y=z'])
      expect(sellerUrl(url)).toBe(url);
    const odd = [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.example',
      'creative',
      'https://a\n.example',
      '',
    ];
    for (const url of [...odd, `https://a.example/${'x'.repeat(2_048)}`, null, 7]) {
      expect(sellerUrl(url)).toBeUndefined();
    }
  });
});

describe('a slug', () => {
  test('holds lowercase letters, digits and hyphens, 2 to 80 of them, or is the fallback', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
        const slug = slugOf(name, 'shop-1');
        expect(slug).toMatch(/^[a-z0-9][a-z0-9-]{0,78}[a-z0-9]$/);
      }),
    );
    expect(slugOf('  Café & Bär 24 ', 'x')).toBe('cafe-bar-24');
    expect(slugOf('日本', 'shop-1')).toBe('shop-1');
  });
});

describe('a domain', () => {
  test.each([
    ['Acme.Example', 'acme.example'],
    [' acme.example ', 'acme.example'],
    ['https://www.acme.example/shoes?x=1#top', 'www.acme.example'],
    ['HTTP://user:pass@acme.example:8080/', 'acme.example'],
  ])('is read from %s', (given, domain) => {
    expect(domainName.parse(given)).toBe(domain);
  });

  test.each([
    '',
    'acme',
    '.example',
    'acme..example',
    '-acme.example',
    'acme_x.example',
    'ftp://acme.example',
    'http://',
    `${'a'.repeat(64)}.example`,
  ])('is not %j', (given) => {
    expect(domainName.safeParse(given).success).toBe(false);
  });

  test('once read, reads as itself', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        const read = domainName.safeParse(domain);
        if (read.success) expect(domainName.parse(read.data)).toBe(read.data);
      }),
    );
  });
});

describe('a short text', () => {
  test('has no blanks around it and 1 to so many characters', () => {
    expect(shortText(3).parse('  abc ')).toBe('abc');
    expect(shortText(3).safeParse('   ').success).toBe(false);
    expect(shortText(3).safeParse('abcd').success).toBe(false);
  });

  test('has one line, and a long one as many as it likes', () => {
    expect(shortText(9).safeParse('a\nb').success).toBe(false);
    expect(longText(9).parse(' a\r\n\tb ')).toBe('a\r\n\tb');
  });

  test('names what is hidden in it', () => {
    const message = (text: string) =>
      shortText(99)
        .safeParse(text)
        .error?.issues.map((issue) => issue.message);
    expect(message('a\u202eb\u{e0041}\u202ec')).toEqual(['Leave out hidden characters: U+202E, U+E0041.']);
  });
});

describe('an address on the web', () => {
  test('is taken with what it leads to in it, http or https', () => {
    for (const url of ['https://acme.example', 'http://acme.example:8080/page?x=y#part'])
      expect(webAddress.parse(` ${url} `)).toBe(url);
  });

  test.each([
    'javascript:alert(1)',
    'JavaScript://acme.example/%0aalert(1)',
    'data:text/html,x',
    'ftp://acme.example',
    'file:///etc/passwd',
    'acme.example',
    'https://acme.example/\u202epage',
    `https://acme.example/${'x'.repeat(2_048)}`,
  ])('is not %j', (given) => {
    expect(webAddress.safeParse(given).success).toBe(false);
  });
});

describe('a country', () => {
  test.each(['ZZ', 'UK', 'USA', 'U', '', 'U1'])('is not %j', (given) => {
    expect(countryCode.safeParse(given).success).toBe(false);
  });

  test('is one of ISO 3166, in any case, and counts once in a list', () => {
    expect(countryCodes({ max: 3 }).parse(['us', 'DE', ' de '])).toEqual(['US', 'DE']);
    expect(countryCodes({ max: 3 }).safeParse(['US', 'DE', 'FR', 'GB']).success).toBe(false);
    expect(countryCodes({ max: 3, min: 1 }).safeParse([]).success).toBe(false);
  });
});

describe('an id that is a number', () => {
  const id = numericId('a thing', 'storefront');

  test('is taken as a number and as its decimal string', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e15 }), (number) => {
        expect(id.parse(number)).toBe(number);
        expect(id.parse(String(number))).toBe(number);
      }),
    );
  });

  test.each([0, -1, 1.5, '0', '01', '1.0', '1e3', ' 1', '', null, true, [1], '99999999999999999', 2 ** 53])(
    'is not %j',
    (given) => {
      expect(id.safeParse(given).success).toBe(false);
    },
  );

  test('with a prefix is a text of 1 to 128 characters', () => {
    const prefixed = prefixedId('a thing', 'cmp_');
    expect(prefixed.safeParse('').success).toBe(false);
    expect(prefixed.safeParse('x'.repeat(129)).success).toBe(false);
    expect(prefixed.safeParse(7).success).toBe(false);
    expect(prefixed.parse('x_1')).toBe('x_1');
  });

  test('of another kind is told apart', () => {
    const [numeric, prefixed] = [id.safeParse('cmp_1'), prefixedId('a thing', 'mb_').safeParse('cmp_1')];

    expect(numeric.error?.issues[0]?.message).toBe('cmp_1 is a campaign: give the id of a thing, a number.');
    expect(prefixed.error?.issues[0]?.message).toBe(
      'cmp_1 is a campaign: give the id of a thing, such as mb_….',
    );
  });
});

describe('a page', () => {
  const fields = z.strictObject(pagingFields({ byDefault: 20, max: 50 }));

  test('has its defaults, and its cap in the complaint', () => {
    expect(fields.parse({})).toEqual({ take: 20, skip: 0 });
    expect(fields.parse({ take: 50, skip: 1_000_000 })).toEqual({ take: 50, skip: 1_000_000 });
    for (const wrong of [{ take: 51 }, { take: 0 }, { skip: -1 }, { take: 1.5 }, { skip: 1_000_001 }]) {
      expect(fields.safeParse(wrong).success).toBe(false);
    }
    expect(fields.safeParse({ take: 51 }).error?.issues[0]).toMatchObject({ code: 'too_big', maximum: 50 });
  });

  test('leads through every row once and to no row beyond', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: 1, max: 50 }), (total, take) => {
        let seen = 0;
        let skip: number | null = 0;
        while (skip !== null) {
          const shown: number = Math.min(take, total - skip);
          const next: ReturnType<typeof nextPage> = nextPage({ take, skip }, shown, total);
          expect(next.hasMore).toBe(next.nextOffset !== null);
          seen += shown;
          skip = next.nextOffset;
        }
        expect(seen).toBe(total);
      }),
    );
    expect(nextPage({ take: 10, skip: 100 }, 0, 5)).toEqual({ total: 5, hasMore: false, nextOffset: null });
  });
});

describe('a moment', () => {
  test('is kept as UTC with milliseconds, whatever offset it came with', () => {
    const year = { min: new Date('1970-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z') };
    fc.assert(
      fc.property(
        fc.date({ ...year, noInvalidDate: true }),
        fc.integer({ min: -1_439, max: 1_439 }),
        (date, minutes) => {
          const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
          const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
          const two = (part: number) => String(part).padStart(2, '0');
          const given = `${local}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
          expect(dateTime.parse(given)).toBe(date.toISOString());
        },
      ),
    );
  });

  test.each([
    '2026-12-01',
    '2026-12-01T00:00:00',
    '2026-02-30T00:00:00Z',
    'tomorrow',
    '',
    1,
    '2026-13-01T00:00:00Z',
  ])('is not %j', (given) => {
    expect(dateTime.safeParse(given).success).toBe(false);
  });

  test.each(['9999-12-31T23:59:59-05:00', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00+05:00'])(
    'is not %j, which is no moment of our time',
    (given) => {
      expect(dateTime.safeParse(given).error?.issues.map(({ message }) => message)).toEqual([
        'Give a moment between the years 1970 and 9999, in UTC.',
      ]);
    },
  );

  test('is at the edge of its years still one', () => {
    expect(dateTime.parse('9999-12-31T23:59:59Z')).toBe('9999-12-31T23:59:59.000Z');
    expect(dateTime.parse('1970-01-01T00:00:00Z')).toBe('1970-01-01T00:00:00.000Z');
  });

  test('is later or not', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.date({ noInvalidDate: true }), (one, other) => {
        fc.pre(one.getUTCFullYear() < 10_000 && other.getUTCFullYear() < 10_000);
        fc.pre(one.getUTCFullYear() >= 0 && other.getUTCFullYear() >= 0);
        const last = new Date(Math.max(one.getTime(), other.getTime())).toISOString();
        expect(later(one.toISOString(), other.toISOString())).toBe(last);
      }),
    );
  });

  test('starts a flight before another ends it, offsets and all', () => {
    const flight = endsAfterStart(z.strictObject({ startDate: dateTime, endDate: dateTime }));
    const problems = (startDate: unknown, endDate: unknown) =>
      flight.safeParse({ startDate, endDate }).error?.issues.map(({ path }) => path.join('.')) ?? [];

    expect(problems('2026-12-01T00:00:00Z', '2026-12-01T00:00:00.001Z')).toEqual([]);
    expect(problems('2026-12-01T01:00:00+02:00', '2026-12-01T00:00:00Z')).toEqual([]);
    expect(problems('2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z')).toEqual(['endDate']);
    expect(problems('2026-12-01T00:00:00Z', '2026-12-01T01:00:00+02:00')).toEqual(['endDate']);
    expect(problems('soon', '2026-12-01T00:00:00Z')).toEqual(['startDate']);
  });
});

describe('fields for the log', () => {
  test('hold no secret, however deep it stands', () => {
    const auth = { type: 'bearer', token: 'hush' };
    const shown = withoutSecrets({ name: 'x', auth, list: [{ inner: { secret: 'hush', url: 'y' } }] });

    expect(shown).toEqual({
      name: 'x',
      auth: '[secret]',
      list: [{ inner: { secret: '[secret]', url: 'y' } }],
    });
  });

  test('end at a depth, however deep the fields go', () => {
    let deep: Record<string, unknown> = { secret: 'hush' };
    for (let level = 0; level < 1_000; level += 1) deep = { deep };

    expect(JSON.stringify(withoutSecrets(deep))).not.toContain('hush');
  });
});

describe('a change of a media buy', () => {
  /** What bounds each field, below this place of the input. */
  const boundsOf = (name: string, below: string): ReadonlyMap<string, object> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const within = partsOf(jsonSchema(tool.input, 'input')).filter(({ path }) => path.startsWith(below));
    return new Map(
      within.map(({ path, schema }) => {
        const { minLength, maxLength, minimum, maximum, exclusiveMinimum, maxItems } = schema;
        return [
          path.slice(below.length),
          { minLength, maxLength, minimum, maximum, exclusiveMinimum, maxItems },
        ];
      }),
    );
  };

  test('takes as much of each field by itself as in the update of its campaign', () => {
    const byItself = boundsOf('media_buy_update', '');
    const inCampaign = boundsOf('campaign_update', 'mediaBuys[].');
    const shared = [...byItself.keys()].filter((field) => field !== 'reason' && inCampaign.has(field));

    expect(shared).toEqual(expect.arrayContaining(['suggestion_id', 'packages[].budget', 'name']));
    for (const field of shared) {
      expect({ field, ...byItself.get(field) }).toEqual({ field, ...inCampaign.get(field) });
    }
  });
});
