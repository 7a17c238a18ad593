import type { Context } from '../../core/context.ts';
import { invalid } from '../../core/errors/refusals.ts';
import { plainUrl } from '../../domain/far-address.ts';

/** The address of an agent as it is kept and called, refused where the settings close it to its organization. */
export function agentAddress(ctx: Context, url: string): string {
  const plain = plainUrl(url);
  if (ctx.services.ports.sellerAddresses.mayReach(plain, ctx.scope.organizationId)) return plain;
  throw invalid(
    'endpointUrl',
    'Give a public https address: this one is reached only when the operator opens its range to you (SELLER_ALLOWED_CIDRS, SELLER_ALLOWED_ORGANIZATIONS).',
  );
}
