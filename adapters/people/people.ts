import type { UserRow } from '../../store/unscoped/users.ts';
import { rememberBrowser } from './attempts.ts';
import { startSession } from './browser.ts';
import { type Exchange, leadOn, returnPath } from './exchange.ts';
import { type Html, html } from './html.ts';
import type { Passwords } from './passwords.ts';
import type { Providers } from './providers.ts';

/** What the pages of people share in a process. */
export interface People {
  readonly passwords: Passwords;
  readonly providers: Providers;
}

/** Answers a request of a browser. */
export type Answer = (exchange: Exchange, asked: Asked) => Promise<void>;

export interface Asked {
  readonly people: People;
  /** What stands behind the `?` of the address. */
  readonly query: URLSearchParams;
  /** What stands in the places of its path, by their names. */
  readonly params: Readonly<Record<string, string>>;
}

/** A page of people: what shows it, and what takes its form. */
export interface PageRoute {
  readonly path: string;
  readonly get?: Answer;
  readonly post?: Answer;
}

/** Where people are once they are signed in and wanted nothing else. */
const HOME = '/settings';

/** Signs a person in and leads on to what was wanted before. */
export async function letIn(exchange: Exchange, user: UserRow, wanted?: string | null): Promise<void> {
  await startSession(exchange, user);
  rememberBrowser(exchange, user.email);
  leadOn(exchange, returnPath(wanted) ?? HOME);
}

/** Passes on where somebody wanted to go. */
export function returnField(wanted: string | null | undefined): Html {
  const path = returnPath(wanted);
  return path === undefined ? html`` : html`<input type="hidden" name="return_to" value="${path}">`;
}

/** An address of ours that remembers where somebody wanted to go. */
export function withReturn(path: string, wanted: string | null | undefined): string {
  const to = returnPath(wanted);
  return to === undefined ? path : `${path}?${new URLSearchParams({ return_to: to })}`;
}
