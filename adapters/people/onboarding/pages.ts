import type { AppError } from '../../../tools/core/errors/app-error.ts';
import type { SignedIn } from '../../auth/session.ts';
import { accountNav } from '../account-nav.ts';
import { formOf, signedIn } from '../browser.ts';
import { baseOf, type Exchange, leadOn, requireSafePlace, type Shown, sendPage } from '../exchange.ts';
import { type Html, html, type Piece } from '../html.ts';
import { type Answer, type Asked, withReturn } from '../people.ts';

/** Somebody who is signed in, at a page of the way in. */
export interface Step {
  readonly exchange: Exchange;
  readonly signed: SignedIn;
  readonly asked: Asked;
}

/** A page for people who are signed in: whoever is not is asked to, and comes back. */
export function forSignedIn(answer: (step: Step) => Promise<void>): Answer {
  return async (exchange, asked) => {
    requireSafePlace(exchange);
    const signed = await signedIn(exchange);
    if (signed === undefined) leadOn(exchange, withReturn('/sign-in', exchange.req.url));
    else await answer({ exchange, signed, asked });
  };
}

/** The same for what takes a form. */
export function forForm(answer: (step: Step, fields: URLSearchParams) => Promise<void>): Answer {
  return forSignedIn(async (step) => answer(step, await formOf(step.exchange)));
}

export function link({ exchange }: Pick<Step, 'exchange'>, path: string, text: string): Html {
  return html`<a href="${baseOf(exchange.app)}${path}">${text}</a>`;
}

/** Why a form was not taken, above it. */
export function problemNote(error: AppError | undefined): Html {
  if (error === undefined) return html``;
  return html`<div class="note bad" role="alert"><p>${error.message}</p>${error.suggestion === undefined ? '' : html`<p>${error.suggestion}</p>`}</div>`;
}

/** What was typed into a form that was not taken: none of it is lost. */
export interface Again {
  readonly error?: AppError;
  readonly typed?: URLSearchParams;
}

/** A field of a form with one line. */
export function line(
  { name, label, hint }: { name: string; label: string; hint?: string },
  { typed }: Again,
): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="text" maxlength="255" required value="${typed?.get(name) ?? ''}"${hint === undefined ? '' : html` aria-describedby="${name}-hint"`}></div>`;
}

/** Something to tick. */
export function tick(
  { name, value, label }: { name: string; value: string; label: Piece },
  { typed }: Again,
): Html {
  const isTicked = typed?.getAll(name).includes(value) ?? false;
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${isTicked ? html` checked` : ''}> <span>${label}</span></label>`;
}

/** One of several, to choose. */
export function choice(
  { name, label, of }: { name: string; label: string; of: readonly (readonly [string, string])[] },
  { typed }: Again,
): Html {
  const options = of.map(
    ([value, words]) =>
      html`<option value="${value}"${typed?.get(name) === value ? html` selected` : ''}>${words}</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select></div>`;
}

/** Sends a page of the way in, with the way out of it. */
export function sendStep({ exchange, signed }: Step, shown: Omit<Shown, 'nav'>): void {
  sendPage(exchange, { ...shown, nav: accountNav(exchange, signed) });
}
