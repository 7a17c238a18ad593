import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../../tools/core/define.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { type Route, routesOf } from '../rest/routes.ts';
import { packageRoot } from '../settings/package-root.ts';
import { endpoints } from '../signup/endpoints.ts';
import { NOTICE, table } from './markdown-parts.ts';
import { whyNotServed } from './not-served.ts';

/** Every operation of the contract, with the statuses of its success. */
type Operations = Readonly<Record<string, readonly number[]>>;

/** The operations that were agreed with the callers of such services, as they are kept in the tree. */
export function contractOperations(): Operations {
  return JSON.parse(readFileSync(join(packageRoot, 'docs/contract-operations.json'), 'utf8'));
}

/** A row an operation: what serves it and what it does not do of it, or where it stands. */
export function contractTable(
  operations: Operations,
  tools: readonly Tool[],
  streams: readonly Stream[],
): string {
  const routes = new Map(routesOf(tools, streams).map((route) => [addressOf(route), route]));
  const signups = new Map(endpoints.map((endpoint) => [addressOf(endpoint), endpoint.name]));
  const rows = Object.entries(operations).map(([address, statuses]) => {
    const route = routes.get(address);
    const signup = signups.get(address);
    if (signup !== undefined) return [`\`${address}\``, `\`${signup}\``, ''];
    return [
      `\`${address}\``,
      route === undefined ? 'no' : `\`${definitionOf(route).name}\``,
      route === undefined ? whyNotServed(address) : openIn(route, statuses),
    ];
  });
  const served = rows.filter(([, by]) => by !== 'no').length;
  return [
    NOTICE,
    '# The contract, operation by operation',
    `Of the ${rows.length} operations that were agreed, ${served} are served. A field that is named as not built ` +
      'is answered with 501 `NOT_IMPLEMENTED` before anything changes; what is not served is answered with 404. ' +
      'The addresses of our own stand in [the reference](reference.md).',
    table(['Operation', 'Served by', 'What is open'], rows),
    '',
  ].join('\n\n');
}

/** The address of a route as the table of operations writes it, whatever its parameters are called. */
function addressOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
}

function definitionOf({ target }: Route): Tool | Stream {
  return 'tool' in target ? target.tool : target.stream;
}

function openIn({ target }: Route, agreed: readonly number[]): string {
  if ('stream' in target) return '';
  const { notBuilt = [], rest } = target.tool;
  const status = rest.status ?? 200;
  return [
    ...(agreed.includes(status) ? [] : [`Answers ${status}, where ${agreed.join(' or ')} was agreed.`]),
    ...(notBuilt.length === 0 ? [] : [`Not built: ${notBuilt.map((name) => `\`${name}\``).join(', ')}.`]),
  ].join(' ');
}
