import type { Express, Request } from 'express';
import type { App } from '../http/app.ts';
import { answerWidget } from '../widget/backend.ts';
import { sendWidgetPage } from '../widget/page.ts';

const PAGE = '/widgets/api-keys';

/**
 * The widget and what it calls. Where keys are kept elsewhere there is none here: the service that keeps them has
 * its own, and the tokens are for that.
 */
export function addWidget(pages: Express, app: App): void {
  if (app.config.credentialProviderUrl !== undefined) return;
  pages.get(PAGE, (_req, res) => sendWidgetPage(app, res));
  pages
    .route(`${PAGE}/keys`)
    .get((req, res) => answerWidget({ app, req, res }, 'org_api_key_list'))
    .post((req, res) => answerWidget({ app, req, res }, 'org_api_key_create'));
  pages.delete(`${PAGE}/keys/:id`, (req: Request<{ id: string }>, res) =>
    answerWidget({ app, req, res }, 'org_api_key_delete', { key_id: req.params.id }),
  );
}
