import type { Request, Response } from 'express';
import type { App } from '../http/app.ts';
import { baseOf, sendPage } from '../people/exchange.ts';
import { html } from '../people/html.ts';

/** Whether somebody at a browser asks, and no program: a browser wants a page before anything else. */
export function asksForPage(req: Request): boolean {
  return (req.method === 'GET' || req.method === 'HEAD') && req.accepts(['json', 'html']) === 'html';
}

/** Tells a person that nothing is at the address, and from where to go on. */
export function sendNothingHere(app: App, req: Request, res: Response): void {
  sendPage(
    { app, req, res },
    {
      title: 'Nothing here',
      status: 404,
      body: html`<h1>There is nothing at this address</h1>
<p>It may have been mistyped, or cut where it was copied from.</p>
<ul class="links">
<li><a href="${baseOf(app)}/">Go to the first page</a></li>
<li><a href="${baseOf(app)}/sign-in">Sign in</a></li>
</ul>`,
    },
  );
}
