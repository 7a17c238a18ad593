import { type Html, html } from './html.ts';

/** A stored moment as pages show it, to the minute. */
export function shownTime(moment: string): Html {
  return html`<time datetime="${moment}">${moment.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
