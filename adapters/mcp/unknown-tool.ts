import type { AppError } from '../../tools/core/errors/app-error.ts';
import { noSuchTool } from '../../tools/core/errors/refusals.ts';
import { nearestNames } from '../../tools/core/schemas/nearest-names.ts';
import type { Catalog } from './catalog.ts';

const SHOWN_MAX = 64;
const SEARCH = 'capability_search';

/** What is said to whoever calls a tool that is not there, at every address and in both eras. */
export function unknownTool(name: string, { tools, list }: Catalog): AppError {
  const near = nearestNames(name, tools.keys());
  const meant = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  const next = list.some((shown) => shown.name === SEARCH)
    ? `Find others with ${SEARCH}.`
    : 'Call tools/list to see the tools.';
  return noSuchTool(printable(name), `${meant}${next}`);
}

/** A name that is no name stays out of the answer. */
function printable(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '?').slice(0, SHOWN_MAX);
}
