import { type Flag, fromFlag } from '../../../../store/engine/codec.ts';
import type { Declared } from '../../sellers/declarations.ts';
import type { Undeclared } from '../../targeting/declared.ts';
import { fewNames } from '../choice/closed-sellers.ts';

/**
 * Sellers that declare no sandbox accounts (AdCP, get_adcp_capabilities, account.sandbox): what is asked there for a
 * sandbox advertiser may be taken for real, and cost real money.
 */

/** What is not declared, as refusals name it. */
const SANDBOX_FIELD = 'account.sandbox';

export const NO_SANDBOX = `The seller declares no sandbox accounts (${SANDBOX_FIELD}): an order for a sandbox advertiser could be a real one there.`;

/** Of an order for an advertiser at a seller; nothing where the seller refused to say: it is asked again. Pure. */
export function undeclaredSandbox(
  advertiser: { readonly sandbox: Flag },
  { sandbox }: Pick<Declared, 'sandbox'>,
): Undeclared[] {
  return fromFlag(advertiser.sandbox) && sandbox === false
    ? [{ field: SANDBOX_FIELD, reason: NO_SANDBOX }]
    : [];
}

export function isSandboxMissing(missing: Undeclared | undefined): boolean {
  return missing?.field === SANDBOX_FIELD;
}

/** That they keep none, in words. */
export function noSandbox(names: readonly string[]): string {
  return `${fewNames(names)} ${names.length === 1 ? 'declares' : 'declare'} no sandbox accounts (${SANDBOX_FIELD}).`;
}
