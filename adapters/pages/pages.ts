import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { refusalFor } from '../../tools/core/boundary.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { badRequest, nothingThere } from '../../tools/core/errors/refusals.ts';
import { once } from '../../tools/core/once.ts';
import { manifest } from '../docs/manifest.ts';
import { openApi } from '../docs/openapi.ts';
import { llmsTxt, skill } from '../docs/skill.ts';
import type { App } from '../http/app.ts';
import { clientIp } from '../http/client-ip.ts';
import { failureBody } from '../http/envelope.ts';
import { guidePaths } from '../http/guide-paths.ts';
import { type Counted, quotaHeaders } from '../http/rate-limit.ts';
import { requestIdOf, setPairs } from '../http/visit.ts';
import { titleOf } from '../settings/config.ts';
import { packageRoot } from '../settings/package-root.ts';

const web = join(packageRoot, 'web');
const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

/** Everything that is not REST or MCP: pages, documents and, below them, the answer that nothing is there. */
export function createPages(app: App): Express {
  const pages = express();
  pages.disable('x-powered-by');
  pages.use(
    helmet({
      contentSecurityPolicy: {
        directives: {
          'font-src': ["'self'"],
          'style-src': ["'self'", "'unsafe-inline'"],
          'upgrade-insecure-requests': null,
        },
      },
    }),
  );
  pages.use((req, res, next) => {
    res.setHeader('X-Request-Id', requestIdOf(req));
    next();
  });
  pages.use((req, res, next) => {
    const counted: Counted = {};
    try {
      app.limits.countIp(clientIp(req, app.trustedProxies), counted);
    } finally {
      if (counted.quota !== undefined) setPairs(res, quotaHeaders(counted.quota));
    }
    next();
  });
  addDocuments(pages, app);
  addPages(pages, app);
  pages.use((_req, res) => {
    sendError(res, nothingThere());
  });
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters.
  pages.use((thrown: unknown, _req: Request, res: Response, _next: NextFunction) => {
    sendError(res, asRefusal(thrown) ?? refusalFor(thrown, app.services.log, { doing: 'page' }));
  });
  return pages;
}

function addDocuments(pages: Express, app: App): void {
  const { tools, streams, services } = app;
  const { version } = services;
  const description = once(() =>
    JSON.stringify(
      openApi(tools, streams, { title: titleOf(app.config), version, serverUrl: services.publicUrl() }),
    ),
  );
  const card = once(() =>
    JSON.stringify(
      manifest(tools, streams, { brand: app.config.brand, version, baseUrl: services.publicUrl() }),
    ),
  );
  pages.get('/openapi.json', (_req, res) => {
    res.type('json').send(description());
  });
  pages.get('/mcp-manifest.json', (_req, res) => {
    res.type('json').send(card());
  });
  addGuides(pages, app);
}

/** What programs that read begin with. */
function addGuides(pages: Express, { tools, config, services }: App): void {
  const facts = () => ({ title: titleOf(config), baseUrl: services.publicUrl() });
  const index = once(() => llmsTxt(facts()));
  pages.get('/llms.txt', (_req, res) => {
    res.type('text/markdown').send(index());
  });
  for (const { surface, path } of guidePaths) {
    const guide = once(() => skill(surface, tools, facts()));
    pages.get(path, (_req, res) => {
      res.type('text/markdown').send(guide());
    });
  }
}

function addPages(pages: Express, app: App): void {
  const home = once(() => page('index.html', app));
  const docs = once(() => page('docs.html', app));
  pages.get('/', (_req, res) => {
    res.type('html').send(home());
  });
  pages.get('/docs', (req, res) => {
    // Its links are relative, so that they hold behind a proxy with a path of its own.
    if (req.path.endsWith('/')) res.redirect(308, '../docs');
    else res.type('html').send(docs());
  });
  pages.get('/style.css', (_req, res) => {
    res.sendFile(join(web, 'style.css'));
  });
  pages.get('/docs/docs.js', (_req, res) => {
    res.sendFile(join(web, 'docs.js'));
  });
  const swagger = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  for (const file of SWAGGER_FILES) {
    pages.get(`/docs/${file}`, (_req, res) => {
      res.sendFile(join(swagger, file), { maxAge: '1d' });
    });
  }
}

function page(file: string, app: App): string {
  const text = readFileSync(join(web, file), 'utf8');
  return text.replaceAll('{{title}}', titleOf(app.config)).replaceAll('{{base}}', app.services.publicUrl());
}

/** What Express refuses for the caller's sake: a range or a precondition that cannot be met. */
function asRefusal(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError) return undefined;
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
  return status >= 400 && status < 500 ? badRequest('The request cannot be met.') : undefined;
}

function sendError(res: Response, error: AppError): void {
  if (error.retryAfter !== undefined) res.set('Retry-After', String(error.retryAfter));
  res.status(error.status).type('application/json').send(failureBody(error));
}
