import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { refusalFor } from '../../tools/core/boundary.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { badRequest, methodNotAllowed, nothingThere } from '../../tools/core/errors/refusals.ts';
import { once } from '../../tools/core/once.ts';
import { wellKnownPaths } from '../../tools/core/root-addresses.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { agentGuide } from '../agents/guide.ts';
import { agentPaths } from '../agents/reception.ts';
import { agentRoutes } from '../agents/routes.ts';
import { sessionCookie } from '../auth/session.ts';
import { manifest } from '../docs/manifest.ts';
import { openApi } from '../docs/openapi.ts';
import { CARD_TYPE, CATALOG_TYPE, cardCatalog, cardPathOf, serverCard } from '../docs/server-card.ts';
import { llmsTxt, skill } from '../docs/skill.ts';
import type { App } from '../http/app.ts';
import { countRequest } from '../http/counted.ts';
import { failureBody } from '../http/envelope.ts';
import { guidePaths } from '../http/guide-paths.ts';
import { requestIdOf } from '../http/visit.ts';
import { oauthRoutes } from '../oauth/routes.ts';
import { titleOf } from '../settings/config.ts';
import { pageFiles, sendPageFile, web } from './files.ts';
import { asksForPage, sendNothingHere } from './nothing.ts';
import { addPeople } from './people.ts';
import { addWidget } from './widget.ts';

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
    countRequest({ app, req, res });
    next();
  });
  const routes = [...oauthRoutes(app), ...agentRoutes(app)];
  for (const { method, path, answer } of routes) pages[method](path, answer);
  refuseOtherMethods(pages, routes);
  addDocuments(pages, app);
  addWidget(pages, app);
  addPages(pages, app);
  addPeople(pages, app);
  pages.use((req, res) => {
    if (asksForPage(req)) sendNothingHere(app, req, res);
    else sendError(res, nothingThere());
  });
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters.
  pages.use((thrown: unknown, _req: Request, res: Response, _next: NextFunction) => {
    sendError(res, asRefusal(thrown) ?? refusalFor(thrown, app.services.log, { doing: 'page' }));
  });
  return pages;
}

interface Route {
  readonly method: 'get' | 'post' | 'all';
  readonly path: string;
}

/** An address that is there says which methods it takes (RFC 9110, section 15.5.6). */
function refuseOtherMethods(pages: Express, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = routes
      .filter((route) => route.path === path)
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()));
    pages.all(path, (_req, res) => {
      res.set('Allow', allow.join(', '));
      sendError(res, methodNotAllowed(allow));
    });
  }
}

/** A page or a document: read, and nothing else. */
function add(pages: Express, path: string, answer: (req: Request, res: Response) => void): void {
  pages
    .route(path)
    .get(answer)
    .all((_req, res) => {
      res.set('Allow', 'GET, HEAD');
      sendError(res, methodNotAllowed(['GET', 'HEAD']));
    });
}

function addDocuments(pages: Express, app: App): void {
  const { tools, streams, services } = app;
  const { version } = services;
  const description = once(() =>
    JSON.stringify(
      openApi(tools, streams, {
        title: titleOf(app.config),
        version,
        serverUrl: services.publicUrl(),
        cookie: sessionCookie(services.publicUrl(), app.config.brand),
      }),
    ),
  );
  const card = once(() =>
    JSON.stringify(
      manifest(tools, streams, { brand: app.config.brand, version, baseUrl: services.publicUrl() }),
    ),
  );
  add(pages, '/openapi.json', (_req, res) => {
    res.type('json').send(description());
  });
  add(pages, '/mcp-manifest.json', (_req, res) => {
    res.type('json').send(card());
  });
  addCards(pages, app);
  addGuides(pages, app);
}

/** What hosts read before they connect. */
function addCards(pages: Express, { config, services }: App): void {
  const facts = () => ({ brand: config.brand, version: services.version, baseUrl: services.publicUrl() });
  const catalog = once(() => JSON.stringify(cardCatalog(facts())));
  add(pages, wellKnownPaths.aiCatalog, (_req, res) => {
    res.type(CATALOG_TYPE).send(catalog());
  });
  for (const surface of mcpSurfaces) {
    const card = once(() => JSON.stringify(serverCard(surface, facts())));
    for (const path of [cardPathOf(surface), ...surfaces[surface].mcp.olderCards]) {
      add(pages, path, (_req, res) => {
        res.type(CARD_TYPE).send(card());
      });
    }
  }
}

/** What programs that read begin with. */
function addGuides(pages: Express, { tools, config, services }: App): void {
  const facts = () => ({ title: titleOf(config), baseUrl: services.publicUrl() });
  const index = once(() => llmsTxt(facts()));
  pages.get('/llms.txt', (_req, res) => {
    res.type('text/markdown').send(index());
  });
  const agents = once(() => agentGuide({ services, config }));
  pages.get(agentPaths.guide, (_req, res) => {
    res.type('text/markdown').send(agents());
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
  add(pages, '/', (_req, res) => {
    res.type('html').send(home());
  });
  add(pages, '/docs', (req, res) => {
    // Its links are relative, so that they hold behind a proxy with a path of its own.
    if (req.path.endsWith('/')) res.redirect(308, '../docs');
    else res.type('html').send(docs());
  });
  for (const [address, file] of pageFiles) {
    add(pages, address, (req, res) => {
      sendPageFile(req, res, file());
    });
  }
}

function page(file: string, app: App): string {
  const text = readFileSync(join(web, file), 'utf8');
  return text.replaceAll('{{title}}', titleOf(app.config)).replaceAll('{{base}}', app.services.publicUrl());
}

const AS_IT_IS = { suggestion: 'Ask without Range, and without conditions.' };

/** What Express refuses for the caller's sake: a range or a precondition that cannot be met. */
function asRefusal(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError) return undefined;
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
  return status >= 400 && status < 500 ? badRequest('The request cannot be met.', AS_IT_IS) : undefined;
}

function sendError(res: Response, error: AppError): void {
  if (error.retryAfter !== undefined) res.set('Retry-After', String(error.retryAfter));
  res.status(error.status).type('application/json').send(failureBody(error));
}
