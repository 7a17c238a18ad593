import type { IncomingMessage } from 'node:http';
import { brokenEscape } from '../../tools/core/errors/refusals.ts';

/**
 * Refuses a query whose escapes are none, or no UTF-8: whoever reads it leniently takes them for text, and a name in
 * another charset would be kept with its escapes.
 */
export function refuseBrokenQuery({ url = '' }: IncomingMessage): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return;
  try {
    decodeURIComponent(url.slice(start));
  } catch (cause) {
    throw brokenEscape('query', { cause });
  }
}
