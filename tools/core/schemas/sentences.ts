/** Words as a sentence begins. */
export function capitalised(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** A text that ends as a sentence does. */
export function withFullStop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
