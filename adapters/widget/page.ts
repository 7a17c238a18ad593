import type { ServerResponse } from 'node:http';
import type { App } from '../http/app.ts';
import { baseOf } from '../people/exchange.ts';
import { html } from '../people/html.ts';
import { titleOf } from '../settings/config.ts';

/**
 * The key-management widget. It holds no secret and knows nobody: a page that frames it, of an origin that the
 * settings name, hands it a token; opened by itself it asks for one as the person who is signed in.
 */
export function sendWidgetPage(app: App, res: ServerResponse): void {
  const origins = app.config.widgetAllowedOrigins;
  const base = baseOf(app);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>API keys · ${titleOf(app.config)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/people.css">
<link rel="stylesheet" href="${base}/people-parts.css">
<script type="module" src="${base}/widgets/api-keys.js"></script>
</head>
<body data-base="${base}" data-parents="${origins.join(' ')}">
<main class="wide">
<h1>API keys</h1>
<p id="state" role="status">Loading…</p>
<div id="made" class="note good" role="alert" hidden><p>Copy the key now. It is not shown again.</p><p><code id="value"></code></p></div>
<section class="sheet" aria-labelledby="keys"><h2 id="keys">Keys</h2><ul class="list" id="list"></ul></section>
<section class="sheet" aria-labelledby="new"><h2 id="new">New key</h2>
<form id="form">
<p><label for="name">Name</label><input id="name" name="name" maxlength="100" required autocomplete="off"></p>
<fieldset><legend>What it opens</legend>
<label class="choice"><input type="checkbox" name="permissions" value="buyer:read" checked> Read</label>
<label class="choice"><input type="checkbox" name="permissions" value="buyer:write"> Make and change</label>
<label class="choice"><input type="checkbox" name="permissions" value="buyer:admin"> Administer</label>
</fieldset>
<button type="submit">Create key</button>
</form></section>
</main>
</body>
</html>
`.text;
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ];
  res.setHeader('Content-Security-Policy', rules.join('; '));
  // It knows no list of origins; where there is one, the rule above alone says who may.
  if (origins.length === 0) res.setHeader('X-Frame-Options', 'DENY');
  else res.removeHeader('X-Frame-Options');
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(page));
  res.end(page);
}
