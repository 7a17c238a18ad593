import { routesOf } from '../../adapters/rest/routes.ts';
import operations from '../../docs/contract-operations.json' with { type: 'json' };
import { streams, tools } from '../../tools/registry.ts';

/** Served, and agreed on in words alone: what they take and answer stands in the documents of the interface. */
const IN_WORDS = [
  'GET /api/v2/buyer/discovery/{}/browse-products',
  'POST /api/v2/buyer/discovery/{}/discover-products',
  'GET /health',
];

/** The capabilities that answer the operations that were agreed with the callers of such services, by address. */
export const agreedTools = routesOf(tools, streams).flatMap(({ method, path, target }) => {
  const address = `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
  const isAgreed = address in operations && !IN_WORDS.includes(address);
  return isAgreed && 'tool' in target ? [{ address, tool: target.tool }] : [];
});
