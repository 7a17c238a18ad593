import { z } from 'zod';
import type { Context } from '../core/context.ts';

/**
 * Names of a call in the words of W3C Trace Context: what logs are searched for (contract: DiscoveryTraceDiagnostics).
 */
export const trace = z
  .object({
    traceId: z.string().describe('32 hexadecimal digits, made of the id of the request.'),
    spanId: z.string().describe('16 hexadecimal digits: this call.'),
    traceparent: z.string().describe('Both, as a traceparent header has them.'),
  })
  .describe('Under which name the call stands in the log.');

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

/** The id of the request where it can be one of a trace, as UUIDs can; otherwise one that is made of it. */
export function traceOf({ requestId, services }: Context): z.input<typeof trace> {
  const { digest } = services.ports;
  const plain = requestId.replaceAll('-', '').toLowerCase();
  const traceId = TRACE_ID.test(plain) ? plain : digest(requestId).slice(0, 32);
  const spanId = digest(`span ${requestId}`).slice(0, 16);
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}
