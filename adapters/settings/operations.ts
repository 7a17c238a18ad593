import { z } from 'zod';
import { setting } from './setting.ts';

/** What the operator looks at. */
export const operationsSettings = {
  metricsPort: setting(
    'METRICS_PORT',
    z.coerce.number().int().min(0).max(65_535).optional(),
    'Port on 127.0.0.1 for GET /metrics, /readyz and /healthz, open from the start of the process to its end. Default: none.',
  ),
  operatorToken: setting(
    'OPERATOR_TOKEN',
    z.string().min(32, 'Give 32 characters or more, such as openssl rand -hex 32 prints.').optional(),
    'With it as bearer token, such as openssl rand -hex 32 prints, GET /metrics answers on PORT too. Default: it does not.',
  ),
};
