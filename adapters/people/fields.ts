import { emailOf } from '../../tools/domain/email.ts';
import { shortText } from '../../tools/domain/text.ts';
import { type Html, html } from './html.ts';

/** What is wrong with a form, by the name of the field. */
export type Problems = Readonly<Record<string, string>>;

const NAME_MAX = 100;

/** The e-mail address in a form, as it is kept; undefined for what is none. */
export function emailIn(fields: URLSearchParams): string | undefined {
  return emailOf(fields.get('email') ?? '');
}

/** The name of a person, or what is wrong with it. */
export function nameIn(fields: URLSearchParams): { readonly name: string } | { readonly problem: string } {
  const given = (fields.get('name') ?? '').normalize('NFC').trim();
  if (given === '') return { problem: 'Give your name.' };
  const read = shortText(NAME_MAX).safeParse(given);
  if (read.success) return { name: read.data };
  const [issue] = read.error.issues;
  return {
    problem:
      issue?.code === 'too_big'
        ? `Use at most ${NAME_MAX} characters.`
        : (issue?.message ?? 'Give your name.'),
  };
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string | undefined;
  readonly hint?: string;
  /** What browsers and password managers fill in (HTML, autofill). */
  readonly autocomplete: string;
  readonly problems: Problems;
  readonly autofocus?: boolean;
}

/** A labelled field, with what is wrong with it beside it. */
export function field(shown: Field): Html {
  const { name, label, type = 'text', value, hint, autocomplete, problems, autofocus = false } = shown;
  const problem = problems[name];
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${type === 'email' ? html` inputmode="email" autocapitalize="none" spellcheck="false"` : ''}${value === undefined ? '' : html` value="${value}"`} required${described === '' ? '' : html` aria-describedby="${described}"`}${problem === undefined ? '' : html` aria-invalid="true"`}${autofocus ? html` autofocus` : ''}>
${problem === undefined ? '' : html`<p class="wrong" id="${name}-problem">${problem}</p>`}
</div>`;
}

/** Above a form that was not taken: that it was not, and why where no field is to blame. */
export function summary(problems: Problems): Html {
  const texts = Object.entries(problems);
  const [general] = texts.filter(([name]) => name === '');
  if (texts.length === 0) return html``;
  if (general !== undefined) return html`<div class="note bad" role="alert"><p>${general[1]}</p></div>`;
  const links = texts.map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`);
  return html`<div class="note bad" role="alert"><p>${texts.length === 1 ? 'One thing is missing or wrong:' : 'Some things are missing or wrong:'}</p><ul>${links}</ul></div>`;
}
