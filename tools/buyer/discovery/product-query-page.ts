import { type DiscoveryGroupRow, listGroups } from '../../../store/discovery-groups.ts';
import { listProductsAt } from '../../../store/discovery-products.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import type { AdcpSource } from '../../domain/discovery/asking/adcp-source.ts';
import { productIn, sourceIn } from '../../domain/discovery/asking/kept-products.ts';
import type { Product } from '../../domain/discovery/schema.ts';
import { opaqueOf, partsIn } from '../../domain/opaque-texts.ts';

/** Pages of products by the place of the last one: what lands meanwhile moves nothing. */

export interface Cursor {
  readonly sessionId: string;
  readonly sinceRevision: number;
  /** The place of the group, and of the product in it. */
  readonly position: number;
  readonly ordinal: number;
}

function writeCursor({ sessionId, sinceRevision, position, ordinal }: Cursor): string {
  return opaqueOf([sessionId, sinceRevision, position, ordinal]);
}

/** Undefined where it is none that was given. */
export function readCursor(text: string): Cursor | undefined {
  const [sessionId, ...places] = partsIn(text);
  const [sinceRevision = -1, position = -1, ordinal = -1] = places.filter(isPlace);
  if (typeof sessionId !== 'string' || places.length !== 3 || ordinal < 0) return undefined;
  const read = { sessionId, sinceRevision, position, ordinal };
  return writeCursor(read) === text ? read : undefined;
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

export interface Shown {
  readonly product: Product;
  readonly source: AdcpSource;
}

export interface ProductPage {
  readonly products: readonly Shown[];
  /** Present where more follow. */
  readonly cursor?: string;
}

interface Asked {
  readonly sinceRevision: number;
  readonly take: number;
  readonly after?: Cursor | undefined;
}

export async function readPage(
  ctx: Context,
  session: DiscoverySessionRow,
  { sinceRevision, take, after }: Asked,
): Promise<ProductPage> {
  const { id } = session;
  const filter = { sinceRevision, fromPosition: after?.position };
  // Each has a product at least, but the one that the last page ended in.
  const groups = await listGroups(ctx.db, ctx.scope, { id, filter, page: { take: take + 2, skip: 0 } });
  const all = placesIn(groups, { take: take + 1, after });
  const places = all.slice(0, take);
  const rows = await listProductsAt(ctx.db, ctx.scope, { id, places });
  const found = new Map(rows.map((row) => [`${row.ordinal} ${row.group_id}`, row]));
  const products = places.flatMap(({ group_id, ordinal }) => {
    const row = found.get(`${ordinal} ${group_id}`);
    return row === undefined ? [] : [{ product: productIn(row), source: sourceIn(row) }];
  });
  const last = places.at(-1);
  if (all.length <= take || last === undefined) return { products };
  const { position, ordinal } = last;
  return { products, cursor: writeCursor({ sessionId: id, sinceRevision, position, ordinal }) };
}

function placesIn(
  groups: readonly DiscoveryGroupRow[],
  { take, after }: { take: number; after: Cursor | undefined },
) {
  const places: Pick<Cursor & DiscoveryGroupRow, 'group_id' | 'position' | 'ordinal'>[] = [];
  for (const { group_id, position, product_count } of groups) {
    const first = after?.position === position ? after.ordinal + 1 : 0;
    const left = take - places.length;
    for (let ordinal = first; ordinal < Math.min(product_count, first + left); ordinal += 1) {
      places.push({ group_id, position, ordinal });
    }
  }
  return places;
}
