import { hiddenRuns } from '../../tools/core/schemas/hidden-characters.ts';

/** Markup that is ours. What comes from outside is in it as text, never as markup. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a page may hold: texts are escaped, nothing is left out, lists are put one after the other. */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup with values in it. A value in an attribute stands between quotes: `<a href="${path}">`. */
export function html(markup: TemplateStringsArray, ...values: readonly Piece[]): Html {
  const parts = markup.map((part, index) => (index === 0 ? part : `${written(values[index - 1])}${part}`));
  return new Html(parts.join(''));
}

function written(piece: Piece): string {
  if (piece === false || piece === null || piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (isList(piece)) return piece.map(written).join('');
  return String(piece).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

function isList(piece: Piece): piece is readonly Piece[] {
  return Array.isArray(piece);
}

const FOREIGN_MAX = 100;
/** More marks on one letter than any language puts there would reach over the lines around it. */
const PILED = /(\p{M}{4})\p{M}+/gu;

/** A text that a stranger chose, as it may stand where no markup can: in one line, nothing hidden in it, cut. */
export function plainText(text: string, max = FOREIGN_MAX): string {
  const plain = text.replace(hiddenRuns, '\ufffd').replace(PILED, '$1').trim();
  const letters = [...plain];
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : plain;
}

/**
 * A text that a stranger chose, such as the name of a client or of a person: in one line, without anything
 * hidden in it, cut at a hundred characters, and kept apart from the direction of what is around it.
 */
export function foreign(text: string, max = FOREIGN_MAX): Html {
  return html`<bdi>${plainText(text, max)}</bdi>`;
}

export interface Page {
  /** What the tab says before the brand. */
  readonly title: string;
  /** The title of the installation: `titleOf(config)`. */
  readonly brand: string;
  /** Where the service stands below its host: `/market`, mostly nothing. */
  readonly base?: string;
  readonly body: Html;
  /** At the top right: who is signed in, and where to go. */
  readonly nav?: Html;
  /** For lists and settings; forms with one purpose are narrow. */
  readonly wide?: boolean;
}

/** A whole document. Its only files are the stylesheets; it has no script. */
export function layout({ title, brand, base = '', body, nav, wide = false }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${brand}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/people.css">
<link rel="stylesheet" href="${base}/people-parts.css">
</head>
<body>
<header class="top"><a class="brand" href="${base}/">${brand}</a>${nav === undefined ? '' : html`<nav aria-label="Account">${nav}</nav>`}</header>
<main class="${wide ? 'wide' : 'narrow'}">
${body}
</main>
</body>
</html>
`;
}
