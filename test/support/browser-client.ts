import { ask, asObject } from './ask.ts';

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
    submit: async (path, fields, to) => {
      const { text } = await client.get(path);
      return client.post(to ?? new URL(path, url).pathname, { ...hiddenIn(text), ...fields });
    },
  };
  return client;
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
