import { fromJson } from '../../../store/engine/codec.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { isFields } from '../../core/schemas/checks.ts';
import type { Chosen } from '../../domain/discovery/choosing/choose.ts';
import { marketId } from '../../domain/discovery/market-ids.ts';

/** Products in the refusals of a batch: it calls them as the query did, and everybody else as their sellers do. */

type Row = Pick<Chosen, 'session_id' | 'agent_id' | 'product_id' | 'product'>;

/** The refusal of what is done with these products, each by the id that the query gave it. */
export async function asQueried<T>(rows: readonly Row[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof AppError ? inQuery(thrown, rows) : thrown;
  }
}

function inQuery(refusal: AppError, rows: readonly Row[]): AppError {
  const { productId, unsupported } = refusal.details ?? {};
  if (productId === undefined && !Array.isArray(unsupported)) return refusal;
  return refusal.with({
    ...(productId === undefined ? {} : { productId: calledIn(rows, { productId }) }),
    ...(Array.isArray(unsupported)
      ? {
          unsupported: unsupported.map((one: unknown) =>
            isFields(one) && 'productId' in one ? { ...one, productId: calledIn(rows, one) } : one,
          ),
        }
      : {}),
  });
}

/** The id of the query; that of the seller where two of them sell one under it and nobody says which is meant. */
function calledIn(
  rows: readonly Row[],
  { productId, salesAgentId }: Readonly<Record<string, unknown>>,
): unknown {
  const [row, another] = rows.filter(
    (one) => one.product_id === productId && (salesAgentId === undefined || one.agent_id === salesAgentId),
  );
  if (row === undefined || another !== undefined) return productId;
  const { session_id: sessionId, agent_id: agentId, product_id: sourceId, product } = row;
  return marketId('product', { storefrontId: fromJson(product).storefrontId, sessionId, agentId, sourceId });
}
