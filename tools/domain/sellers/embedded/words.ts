/** Words that say nothing about what is wanted: those of every sentence, and those of every advertisement. */
const FILLERS = new Set(
  (
    'a about after all an and any are as at avoid be before but by can could day during every everybody everyone except find for ' +
    'from get has have i if in into is it its me month more most my need never new no not nothing of on only or our over people run ' +
    'show some that the their them these they this those to us want we week when where which while who will with ' +
    'within without would year ' +
    'ad ads advert adverts advertise advertised advertiser advertisers advertisement advertisements advertising ' +
    'audience audiences awareness brand brands branding budget budgets buy buying campaign campaigns channel ' +
    'channels content customer customers digital format formats impression impressions inventory marketing media ' +
    'medium online placement placements premium product products promote promotion publisher publishers reach ' +
    'reaching service services target targeted targeting user users viewer viewers'
  ).split(' '),
);

/** A sentence that says what is allowed tells of advertising, not of those who are to see it. */
const RULE =
  /\b(?:rules?|polic(?:y|ies)|guidelines?|restrict(?:ed|ions?)|prohibited|forbidden|must|(?:not|never|only) (?:allowed|accepted|permitted|sold)|no (?:ads?|adverts?|advertising)|excludes?|excluding|approval)\b/i;

/** The words that count, each under its stem. */
export function stemmedWordsOf(text: string): Map<string, string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return new Map(words.filter((word) => !FILLERS.has(word)).map((word) => [stem(word), word]));
}

/** Cuts English endings, so that `runners` finds `running`. */
function stem(word: string): string {
  const cut = word.replace(/(?:ings?|ers?|es|s)$/, '');
  return cut.length < 3 ? word : cut.replace(/([^aeiouls])\1$/, '$1');
}

/** What a text says is not there. */
const DENIED =
  /\b(?:no|not|without|never|free (?:of|from))\s+[\p{L}-]+(?:\s*(?:,|or|nor|and)\s+[\p{L}-]+)*|\p{L}+-free\b/giu;

/** What a text says of what is there. */
export function withoutDenied(text: string): string {
  return text.replace(DENIED, ' ');
}

/** What a text says beside rules. */
export function withoutRules(text: string): string {
  return text
    .split(/(?<=[.;!?])\s+|\n+/)
    .filter((sentence) => !RULE.test(sentence))
    .join(' ');
}
