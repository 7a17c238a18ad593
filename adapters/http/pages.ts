import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { AppError, asAppError } from '../../tools/errors.ts';
import type { App } from '../app.ts';
import { failureBody } from './envelope.ts';

/** Everything that is not REST or MCP: pages, documents and, below them, the answer that nothing is there. */
export function createPages(app: App): Express {
  const pages = express();
  pages.disable('x-powered-by');
  pages.use((_req, res) => {
    const error = new AppError('NOT_FOUND', 'There is nothing at this address.', {
      suggestion: 'GET /openapi.json lists every address.',
    });
    send(res, error);
  });
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters.
  pages.use((thrown: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const error = asAppError(thrown);
    app.services.log.error({ err: error.cause }, 'page failed');
    send(res, error);
  });
  return pages;
}

function send(res: Response, error: AppError): void {
  res.status(error.status).type('application/json').send(failureBody(error));
}
