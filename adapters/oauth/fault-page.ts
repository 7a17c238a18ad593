import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { isRefusalStatus } from '../../tools/core/errors/catalogue.ts';
import type { App } from '../http/app.ts';
import { sendPage } from '../people/exchange.ts';
import { html } from '../people/html.ts';

const WORDS: Readonly<Record<string, string>> = {
  invalid_client: 'The program that sent you here is not known to this service. It has to register again.',
  invalid_redirect_uri:
    'The program that sent you here asked to be called back at an address that it did not register.',
  invalid_client_metadata: 'What the program that sent you here says of itself cannot be used.',
};

/** What a person is shown where it would be wrong to lead on to the program that asked. */
export function renderFault(app: App, ctx: KoaContextWithOIDC, out: ErrorOut): void {
  ctx.respond = false;
  const description = typeof out.error_description === 'string' ? out.error_description : '';
  sendPage(
    { app, req: ctx.req, res: ctx.res },
    {
      title: 'Not connected',
      status: isRefusalStatus(ctx.status) ? ctx.status : 400,
      body: html`<h1>This program cannot be connected</h1>
<div class="note bad"><p>${WORDS[out.error] ?? 'The request of the program that sent you here cannot be answered.'}</p></div>
<p>Go back to the program and connect it again. If it sends you here once more, tell whoever runs it: <code>${out.error}</code>${description === '' ? '' : html` (${description})`}.</p>`,
    },
  );
}
