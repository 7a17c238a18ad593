/** Writing that tells its words apart with joiners. */
const JOINING =
  '(?!\\u061c)[\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}' +
  '\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}]';

/** Invisible characters in their place: inside an emoji, and between letters that they join or part. */
const PLACED = [
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?)\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
].join('|');

/** What was refused from the day of the first step that needs it: the rule goes its own way from there. */
const UNSEEN =
  '[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2028\\u2029\\u2800\\ufff9-\\ufffb]';

const hiddenRuns = new RegExp(`(?:(?!${PLACED})${UNSEEN})+`, 'gu');

/** A run of hidden characters is a blank; where several lines may stand, their ends are none of them. */
export function plainText(text: string, hasLines: boolean): string {
  const plain = text.replace(hiddenRuns, (run) => (hasLines ? run.replace(/[^\t\n\r]+/g, ' ') : ' '));
  return plain === text ? text : plain.trim();
}
