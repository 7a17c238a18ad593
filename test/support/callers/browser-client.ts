import { ask, asObject } from '../server/ask.ts';

/** A browser without a screen: it keeps cookies, reads forms and sends them, and follows nothing by itself. */
export interface BrowserClient {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Opens the page at a path and sends its form back to another, or the same, with these fields in it. */
  submit(path: string, fields: Readonly<Record<string, string>>, to?: string): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The path that it leads to. */
  readonly location: string;
}

export function browserClient(url: string): BrowserClient {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await ask(new URL(path, url), {
      ...init,
      headers: { ...asObject(init.headers), cookie },
    });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    return {
      status: response.status,
      headers: response.headers,
      text: response.text,
      location: response.headers.get('location') ?? '',
    };
  };
  const client: BrowserClient = {
    cookies,
    get: (path, headers = {}) => send(path, { headers: { ...headers } }),
    post: (path, fields, headers = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    submit: async (path, fields, to) => (await filledIn(client, { path, fields, to }))(),
  };
  return client;
}

interface FilledIn {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly to?: string | undefined;
}

/**
 * Browsers that send a form at the same moment: every page is open before the first is sent, so that none finds what
 * another has used up already, and answers without a form.
 */
export async function submitAtOnce(
  url: string,
  forms: readonly FilledIn[],
): Promise<(Answer & { readonly browser: BrowserClient })[]> {
  const filled = await Promise.all(
    forms.map(async (form) => {
      const browser = browserClient(url);
      return { browser, send: await filledIn(browser, form) };
    }),
  );
  return Promise.all(filled.map(async ({ browser, send }) => ({ ...(await send()), browser })));
}

/** The form of an open page, ready to be sent. */
async function filledIn(
  browser: BrowserClient,
  { path, fields, to = path.split('?', 1)[0] ?? path }: FilledIn,
): Promise<() => Promise<Answer>> {
  const { text } = await browser.get(path);
  return () => browser.post(to, { ...hiddenIn(text), ...fields });
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const [name = '', value = ''] = pair.split('=', 2);
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, value);
}

/** The hidden fields of the main form of a page. */
export function hiddenIn(text: string): Record<string, string> {
  const main = text.slice(text.indexOf('<main'));
  const form = /<form[^>]*>([\s\S]*?)<\/form>/.exec(main)?.[1] ?? '';
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name ?? '',
      unescaped(value ?? ''),
    ]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
