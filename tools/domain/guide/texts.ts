import { errorCatalogue, errorEntry, isErrorCode } from '../../core/errors/catalogue.ts';

/** Where a credential comes from. */
export const keyText =
  'Every operation but `health` and those of signing up needs a credential, sent as ' +
  '`Authorization: Bearer <credential>`. An MCP host that ' +
  'can sign its user in (OAuth) needs the address alone. Scripts and backends take an API key or an application, ' +
  'which an administrator makes at `/settings`, or the operator with `npm run rialto -- key create`; the first start ' +
  'of a fresh installation prints a key for its sandbox. An agent that holds nothing begins at `/auth.md`. A key is ' +
  'shown in full once, when it is made, and an agent cannot make one or read one again: ask the person you work ' +
  'for, who keeps it among their secrets.';

/** What `?readonly=true` on the address of an MCP server comes to. */
export const readonlyText =
  'keeps what reads, or only asks sellers for products, and nothing that changes or buys anything';

/** What to do when a call fails, the same over REST and MCP. */
export const errorText =
  'A failure has a `code` for programs, a `message` for readers, often a `field`, and a `suggestion` that says ' +
  'what to do next; `details.issues` lists every problem of an input at once, each with its path. Over REST it ' +
  'stands in `error` (the suggestion in `error.details.suggestion`), over MCP in `structuredContent` beside ' +
  '`isError: true`. `recovery` says whether to wait and retry (`transient`), to correct the call (`correctable`) ' +
  'or to stop and ask (`terminal`).';

/** A line for each error code. */
export function errorLines(): string[] {
  return Object.keys(errorCatalogue)
    .filter(isErrorCode)
    .filter((code) => !errorEntry(code).deprecated)
    .map((code) => `- \`${code}\` (${errorEntry(code).recovery}): ${errorEntry(code).meaning}`);
}
