import { findSeller } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import type { SellerAbilities, SellerDeclaration } from './abilities.ts';
import { withinSellerTimeout } from './deadline.ts';
import { keepDeclared } from './declarations.ts';
import { type Seller, SellerError } from './port.ts';
import { asSeller } from './seller.ts';

/** What sellers say of themselves when they are asked, in no transaction: orders and changes are judged by it. */

/** What is known of a seller: what it said, that it has left, or nothing, because it did not answer. */
export type Known<Said> = Said | 'gone' | 'unknown';

/** The major version of AdCP that is spoken here. */
const MAJOR = '3';

/** What each of these sellers can do, as far as that is known. */
export function abilitiesOf(
  ctx: Context,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, Known<SellerAbilities>>> {
  const { sellers } = ctx.services.ports;
  return heardOf(ctx, agentIds, (seller, signal) => sellers.abilities(seller, signal));
}

/** What each of them declares of itself: as far as that is known, or as it is `now`. */
export function declarationsOf(
  ctx: Context,
  agentIds: readonly string[],
  now = false,
): Promise<ReadonlyMap<string, Known<SellerDeclaration>>> {
  const { sellers } = ctx.services.ports;
  return heardOf(ctx, agentIds, (seller, signal) => sellers.declaration(seller, signal, now));
}

type Ask<Said> = (seller: Seller, signal: AbortSignal) => Promise<Said>;

/** Each is asked once, and all at the same time. */
async function heardOf<Said extends SellerDeclaration>(
  ctx: Context,
  agentIds: readonly string[],
  ask: Ask<Said>,
): Promise<ReadonlyMap<string, Known<Said>>> {
  const each = [...new Set(agentIds)].map(async (id) => [id, await heardOfOne(ctx, id, ask)] as const);
  return new Map(await Promise.all(each));
}

async function heardOfOne<Said extends SellerDeclaration>(
  { services, db, scope, signal }: Context,
  agentId: string,
  ask: Ask<Said>,
): Promise<Known<Said>> {
  // Whoever waits for a seller would keep every other change of the database waiting, and its own first.
  if (db.isTransaction) throw new Error(`Seller ${agentId} is asked in a transaction.`);
  const row = await findSeller(db, scope, agentId);
  if (row === undefined) return 'gone';
  try {
    const said = await withinSellerTimeout(services, signal, (own) => ask(asSeller(row), own));
    await keepDeclared(services, row.source, said);
    return said;
  } catch (error) {
    // Who cannot say what it declares is not refused for it: the order or the change is tried.
    if (error instanceof SellerError) return 'unknown';
    throw error;
  }
}

/** Whether a seller speaks another major version alone. Smaller differences are made up for when it is asked. */
export function speaksAnother(known: Known<Pick<SellerDeclaration, 'versions'>>): boolean {
  if (known === 'gone' || known === 'unknown' || known.versions === undefined) return false;
  return !known.versions.some((version) => version.split('.')[0] === MAJOR);
}
