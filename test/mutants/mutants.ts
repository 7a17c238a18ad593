/** One fault that somebody could make: a text of a file below `adapters/mcp`, and what takes its place. */
export interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const inFile =
  (file: string) =>
  (what: string, from: string, to: string): Mutant => ({ what, file, from, to });

const lane = inFile('direct.ts');
const called = inFile('direct-call.ts');
const endpoint = inFile('endpoint.ts');
const messages = inFile('messages.ts');
const result = inFile('result.ts');
const server = inFile('server-parts.ts');

/** What the lane takes though it is in doubt. */
const taken: readonly Mutant[] = [
  lane('takes further members of a message', '!hasOnly(body, REQUEST_MEMBERS) || ', ''),
  lane('takes any version of JSON-RPC', " || body['jsonrpc'] !== '2.0'", ''),
  lane('takes any id', ' || !isCallId(id)', ''),
  called('takes an id that is no whole number', ' && Number.isSafeInteger(value)', ''),
  lane('reads no meta', "!isPlainMeta(params['_meta'], isSpecType) || ", ''),
  lane('reads no headers', ' || !headersAgree(req, method)', ''),
  lane('takes another version in the header', "headers['mcp-protocol-version'] === REVISION &&", ''),
  lane('takes another method in the header', "headers['mcp-method'] === method &&", ''),
  lane('takes any content type', "headers['content-type'] === 'application/json'", 'true'),
  lane('takes another name in the header', " || req.headers['mcp-name'] !== name", ''),
  lane('takes further members of a call', ' || !hasOnly(params, CALL_PARAMS)', ''),
  lane('takes further members of the meta', '!hasOnly(meta, META_MEMBERS) || ', ''),
  lane('takes another version in the meta', ' || meta[META_VERSION] !== REVISION', ''),
  lane(
    'takes any capabilities',
    '(isEmpty(capabilities) || isSpecType?.ClientCapabilities(capabilities) === true)',
    'true',
  ),
  lane('takes any client', '(client === undefined || isSpecType?.Implementation(client) === true)', 'true'),
];

/** What it says otherwise. */
const said: readonly Mutant[] = [
  called('gives each id back as text', 'JSON.stringify(id)', 'JSON.stringify(String(id))'),
  called('answers another JSON-RPC', '`{"jsonrpc":"2.0",', '`{"jsonrpc":"1.0",'),
  called('spoils an id beyond ASCII', ' && isAsciiId(id)', ''),
  called('spoils a result beyond ASCII', 'isAscii(content) && ', ''),
  lane('lists no tools', 'server.catalog.listJson', "'[]'"),
  lane('has a list kept for no time', 'LIST_TTL_MS},', '0},'),
  lane('has a list kept by one', '"cacheScope":"public"', '"cacheScope":"private"'),
  lane('names no result type', '"resultType":"complete",', ''),
  lane('does not say who answers', '{ [META_SERVER]: server.identity(), ...more }', 'more'),
  lane('supports another revision', '"supportedVersions":["', '"supportedVersions":["1'),
  lane('declares no capabilities', 'server.capabilities,\n', '{},\n'),
  lane('gives no instructions', 'JSON.stringify(server.told(only).instructions)', '\'""\''),
  called('says of no failure that it is one', '"isError":true,', ''),
  called(
    'shows a failure as structure alone',
    'members(failureText(error), content)',
    "members('', content)",
  ),
  called('shows a result as structure alone', 'members(content, content)', "members('', content)"),
  called('shows a result as text alone', ',"structuredContent":', ',"structured":'),
  endpoint('answers a call with another status', 'sendJson(visit, 200, await', 'sendJson(visit, 201, await'),
];

/** What stands in front of both lanes or is used by both: held against those as they are. */
const shared: readonly Mutant[] = [
  endpoint('asks nobody for a tool at its own address', '!address.catalog.tools.has(name)', 'name === ""'),
  messages('lets an address call another tool', "paramsOf(message)['name'] !== name;", 'name === "";'),
  messages('takes arguments as text', 'args !== undefined && !isFields(args)', 'false'),
  messages('takes arguments of any kind', '&& !isFields(args)', "&& typeof args === 'string'"),
  messages('takes null for arguments', 'fields[name] === null', 'false'),
  messages(
    'drops a request without an id',
    "typeof method === 'string' && !method.startsWith",
    'method === 0 && !String(method).startsWith',
  ),
  messages('takes any cursor', "params['cursor'] !== undefined", 'false'),
  messages(
    'takes a cursor that is a number',
    "params['cursor'] !== undefined",
    "typeof params['cursor'] === 'string'",
  ),
  result('names no code', 'code: error.code,', ''),
  result('leaves the field out', '...(error.field === undefined ? {} : { field: error.field }),', ''),
  result(
    'leaves the suggestion out',
    '...(error.suggestion === undefined ? {} : { suggestion: error.suggestion }),',
    '',
  ),
  result('leaves the details out', '...(error.details === undefined ? {} : { details: error.details }),', ''),
  result(
    'does not say when to come back',
    '...(error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }),',
    '',
  ),
  result('does not say who mends it', 'recovery: error.recovery,', ''),
  result(
    'gives ids as they are',
    'return withTextIds(tool, output);',
    'return { ...withTextIds(tool, output), more: 1 };',
  ),
  server('declares no prompts', ' prompts: {},', ''),
];

export const mutants: readonly Mutant[] = [...taken, ...said, ...shared];
