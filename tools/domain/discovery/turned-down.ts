import { readInstructions } from './instructions.ts';

/** What a brief and other free words turn down. Pure. */

/** Of texts that are no instructions a long part is more often a way to say something else. */
const TURNED_DOWN_WORDS = 2;

/** What texts such as briefs turn down, as stems that belong together. */
export function turnedDownIn(texts: readonly string[], currency: string): string[][] {
  return texts.flatMap((text) =>
    readInstructions(text, currency).flatMap(({ rules }) =>
      rules.flatMap((rule) =>
        rule.kind === 'exclude'
          ? rule.terms.filter(({ size }) => size <= TURNED_DOWN_WORDS).map((term) => [...term.keys()])
          : [],
      ),
    ),
  );
}
