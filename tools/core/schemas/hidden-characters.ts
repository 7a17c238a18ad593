import type { z } from 'zod';

/** Writing that tells its words apart with joiners: without them it reads as another word. */
const JOINING =
  '(?!\\u061c)[\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}' +
  '\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}]';

/** Invisible characters with a place of their own: inside an emoji, and between letters that they join or part. */
const PLACED = [
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?)\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
].join('|');

/**
 * What a reader does not see although a machine reads it, or what steers a display: controls, halves of pairs,
 * marks of direction, tags, variation selectors, fillers, separators of lines (Unicode, Default_Ignorable_Code_Point
 * and the few that are as good as that).
 */
const UNSEEN =
  '[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2028\\u2029\\u2800\\ufff9-\\ufffb]';

const hidden = new RegExp(`(?!${PLACED})${UNSEEN}`, 'gu');

/** One after the other, as one. */
export const hiddenRuns = new RegExp(`(?:(?!${PLACED})${UNSEEN})+`, 'gu');

/** Said of a bound of length: what breaks it is looked at no further, for a text of megabytes takes its time. */
export const ENOUGH = { abort: true } as const;

/** Refuses what a reader would not see, and names it; a tab or a new line passes where several lines may stand. */
export function nothingHidden({ lines = false } = {}): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const message = hiddenIn([value], { lines });
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  };
}

/** What to say of characters in texts that a reader would not see; undefined where there are none. */
export function hiddenIn(texts: readonly string[], { lines = false } = {}): string | undefined {
  const found = texts.flatMap((text) => text.match(hidden) ?? []);
  const names = [...new Set(found)].filter((character) => !lines || !/[\t\n\r]/.test(character));
  return names.length === 0
    ? undefined
    : `Leave out hidden characters: ${names.slice(0, 5).map(nameOf).join(', ')}.`;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
