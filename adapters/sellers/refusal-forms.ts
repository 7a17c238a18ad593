import { asText } from '../../tools/core/schemas/as-text.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { failureIn } from './adcp-wire.ts';

/** Where an error of AdCP stands in what is an error by other signs. */

/** A code in the manner of AdCP; who fails within may have acted all the same. */
const CODE = /^(?!internal_)[a-z]+(_[a-z]+)+$/i;

/** Of what is marked as an error, the error where it stands alone, or in `error`, also where AdCP looks for it. */
export function withRefusal(said: unknown): unknown {
  if (!isFields(said) || failureIn(said) !== undefined) return said;
  const error = [said['error'], said].find((one) => isFields(one) && CODE.test(asText(one['code'])));
  return error === undefined ? said : { ...said, adcp_error: error };
}

type Message = Readonly<Record<string, unknown>>;

/**
 * An error of JSON-RPC whose `data` is one of AdCP is what the tool answered (AdCP, transport errors): of any other
 * nobody knows what became of the call.
 */
export function withAdcpError(message: Message): Message {
  const data = dataOf(message);
  return failureIn(data) === undefined ? message : { result: { isError: true, structuredContent: data } };
}

/** Whether it is such an error. */
export function isOfAdcp(message: Message): boolean {
  return failureIn(dataOf(message)) !== undefined;
}

function dataOf({ error }: Message): unknown {
  return isFields(error) ? withRefusal(error['data']) : undefined;
}
