import { z } from 'zod';
import { findAdvertiser } from '../../../store/advertisers.ts';
import type { Context } from '../../core/context.ts';

/** Said wherever something hangs below an advertiser and is changed, ordered or stopped. */
export const sandbox = z.boolean().describe('True: of a sandbox advertiser, so that nothing is spent.');

/** What nobody expects of a sandbox who reads of deliveries: it is said where they are read, and where they begin. */
export const SANDBOX_TIME =
  'In the sandbox an embedded seller delivers an hour of the flight each second from the order on, before the ' +
  'flight begins too.';

/** Whether an advertiser that the caller reached already is of the sandbox. */
export async function isOfSandbox(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  { advertiser_id: id }: { readonly advertiser_id: number },
): Promise<boolean> {
  return (await findAdvertiser(db, scope, id))?.sandbox === 1;
}
