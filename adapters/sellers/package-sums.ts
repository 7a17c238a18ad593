import type { UnreadReport } from '../../tools/domain/sellers/delivery.ts';
import { currencyIn, type Fields, readId } from './adcp-reading.ts';

/** What a delivery comes to by its packages, for a seller that names no spend of the whole (AdCP, by_package). */

/** All that is counted of packages as of the whole. */
const SUMMED = ['spend', 'impressions', 'clicks', 'views', 'completed_views', 'conversions', 'leads'];

/**
 * The totals of a report as it names them, or where it leaves the spend out, with what its packages come to; why they
 * come to nothing, and undefined where neither tells anything.
 */
export function totalsBy(
  told: Fields | undefined,
  parts: readonly Fields[],
): { readonly totals: Fields } | UnreadReport | undefined {
  const isTold = (told?.['spend'] ?? null) !== null;
  if (isTold || parts.length === 0) return told && { totals: told };
  const ids = parts.map((part) => readId(part['package_id']));
  if (ids.includes(undefined)) return without('names packages without an id');
  if (new Set(ids).size < ids.length) return without('reports on a package more than once');
  const [currency, ...others] = new Set(parts.map(currencyIn));
  if (others.length > 0) return without('names packages in several currencies');
  const sums = Object.fromEntries(SUMMED.map((name) => [name, sumOf(parts.map((part) => part[name]))]));
  const known = Object.entries(told ?? {}).filter(([, value]) => value !== null);
  const totals = { ...sums, ...(currency === undefined ? {} : { currency }), ...Object.fromEntries(known) };
  return { totals };
}

function without(what: string): UnreadReport {
  return { unread: `The seller names no spend in all, and ${what}` };
}

/** What is no figure stays as it is, and is told as that of the whole. */
function sumOf(values: readonly unknown[]): unknown {
  const [wrong] = values.filter((value) => !isFigure(value ?? 0));
  return wrong ?? values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0);
}

function isFigure(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
