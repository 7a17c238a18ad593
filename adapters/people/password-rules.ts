const MIN_CHARACTERS = 12;
const MAX_BYTES = 1_000;
/** A text of at most so many characters, again and again, is as easy as the text. */
const UNIT_MAX = 5;
/** So much has to be left when what everybody uses is taken away. */
const OWN_MIN = 5;

/** Words that people put their passwords together from, in plain letters. */
const COMMON =
  `password passwort passphrase passw0rd secret letmein welcome administrator admin changeme changeit default
  iloveyou sunshine princess dragon monkey football baseball basketball superman batman starwars whatever trustno
  qwertyuiop qwertzuiop qwerty qwertz azerty asdfghjkl asdfgh zxcvbnm qazwsxedc qazwsx google facebook master
  shadow hello login access computer internet summer winter spring autumn january february march april june july
  august september october november december monday tuesday wednesday thursday friday saturday sunday correct horse
  battery staple rialto marketplace advertising company business america london paris berlin test testing user
  abcdefghijklmnopqrstuvwxyz abcdefgh abcdef abcd abc`
    .split(/\s+/)
    .sort((one, other) => other.length - one.length);

const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * What is wrong with a password that somebody wants to have; undefined for a good one. Length is what counts
 * (NIST SP 800-63B, section 5.1.1.2): no rule asks for kinds of characters.
 */
export function passwordProblem(password: string, known: readonly string[]): string | undefined {
  const plain = password.normalize('NFC');
  if (plain === '') return 'Choose a password.';
  if ([...plain].length < MIN_CHARACTERS)
    return `Use at least ${MIN_CHARACTERS} characters. A few words do well.`;
  if (Buffer.byteLength(plain) > MAX_BYTES) return `Use at most ${MAX_BYTES} bytes.`;
  return isGuessable(plain.toLowerCase(), known)
    ? 'This is one of the first that somebody would try. Choose something less common.'
    : undefined;
}

function isGuessable(password: string, known: readonly string[]): boolean {
  return isRepeated(password) || [password, undisguised(password)].some((text) => isPutTogether(text, known));
}

function isRepeated(password: string): boolean {
  return new RegExp(`^(.{1,${UNIT_MAX}})\\1+.{0,${UNIT_MAX - 1}}$`, 'su').test(password);
}

function undisguised(password: string): string {
  return password.replace(/[013457@$!]/g, (character) => DISGUISES[character] ?? character);
}

/** Made of nothing but what everybody uses, what is known of this person, and digits in a row. */
function isPutTogether(password: string, known: readonly string[]): boolean {
  const parts = known
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter(({ length }) => length > 2);
  const rest = [...parts, ...COMMON].reduce((text, part) => text.split(part).join(' '), password);
  const own = rest
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\d+/g, (digits) => (isInRow(digits) ? '' : digits));
  return new Set(own.replaceAll(' ', '')).size < OWN_MIN;
}

/** One digit again and again, digits in their order, or a year. */
function isInRow(digits: string): boolean {
  const rows = '01234567890123456789';
  const back = [...rows].reverse().join('');
  const isYear = /^(?:19|20)\d\d$/.test(digits);
  return (
    digits.length <= 2 || isYear || rows.includes(digits) || back.includes(digits) || /^(\d)\1*$/.test(digits)
  );
}
