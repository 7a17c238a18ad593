import type { Caller } from '../../../tools/core/context.ts';
import type { SignedIn } from '../../auth/session.ts';
import type { Exchange } from '../exchange.ts';
import type { Problems } from '../fields.ts';
import type { Html } from '../html.ts';
import type { People } from '../people.ts';

/** A person at a page of the settings. */
export interface SettingsVisit {
  readonly exchange: Exchange;
  readonly people: People;
  readonly signed: SignedIn;
  /** What the person may do where they work now; null for who chose no organization, or has no role there. */
  readonly caller: Caller | null;
  /** The address of the section: where its forms post to. */
  readonly path: string;
  /** What each of its forms carries. */
  readonly field: Html;
}

/** What came of a form: the section is shown anew, with a word of it. */
export type Outcome =
  /** It was done: the browser is led to the section, which says one of its `notices`. */
  | { readonly done: string }
  /** It was not taken; with `retryAfter` it may be after so many seconds. */
  | { readonly problems: Problems; readonly typed?: URLSearchParams; readonly retryAfter?: number }
  /** It was done, and this is shown once. */
  | { readonly once: Html }
  /** The browser is led to another path of ours. */
  | { readonly to: string };

/** What a section is shown with beside what is stored. */
export interface Before {
  readonly problems: Problems;
  readonly typed: URLSearchParams;
}

/** A page of the settings. */
export interface Section {
  /** The last part of its address: `sessions`. */
  readonly name: string;
  readonly title: string;
  readonly notices: Readonly<Record<string, string>>;
  /** Left out of the list, and not there, for whom it is not. */
  isFor?(caller: Caller | null): boolean;
  render(visit: SettingsVisit, before: Before): Promise<Html>;
  /** Forms of a section tell what they are for by a field `do`. */
  post(visit: SettingsVisit, fields: URLSearchParams): Promise<Outcome>;
}
