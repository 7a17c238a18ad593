import type { Seller } from '../../tools/domain/sellers/port.ts';
import type { SellerCalls } from './seller-calls.ts';
import { type ToolList, takesOf } from './tool-lists.ts';

interface Asking {
  readonly seller: Seller;
  readonly signal: AbortSignal;
}

/**
 * The list of a seller that would take what comes twice under one key for two; undefined where it keeps keys. It is
 * read anew then, which also tells whether the connection still holds: the request goes over it once.
 */
export async function keylessList(
  { tools }: SellerCalls,
  { seller, signal }: Asking,
  tool: string,
): Promise<ToolList | undefined> {
  if (!isKeyless(await tools(seller, signal), tool)) return undefined;
  const list = await tools(seller, signal, true);
  return isKeyless(list, tool) ? list : undefined;
}

function isKeyless(list: ToolList, tool: string): boolean {
  const { fields } = takesOf(list, tool);
  return fields !== undefined && !fields.has('idempotency_key');
}
