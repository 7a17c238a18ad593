/** A text as a part of a LIKE pattern that means it letter by letter, where the escape is a backslash. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
