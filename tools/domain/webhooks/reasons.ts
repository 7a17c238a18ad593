/** Why an attempt failed, where no status says it. What a receiver itself wrote is never among them. */
export const failureWords = [
  'timeout',
  'blocked_address',
  'not_https',
  'unknown_host',
  'unreachable',
  'connection_refused',
  'connection_closed',
  'tls',
  'not_http',
  'interrupted',
  'internal_error',
  'connection_failed',
] as const;

const WORDS: ReadonlySet<string> = new Set(failureWords);

/** Codes of Node, OpenSSL and the reader of HTTP, in lower case. */
const MEANINGS: readonly (readonly [RegExp, (typeof failureWords)[number]])[] = [
  [/^(enotfound|eai_)/, 'unknown_host'],
  [/^e(host|net)(unreach|down)|^eaddrnotavail/, 'unreachable'],
  [/^econnrefused/, 'connection_refused'],
  [/^(econnreset|epipe|econnaborted)/, 'connection_closed'],
  [/^etimedout/, 'timeout'],
  [/^(eproto|err_tls|err_ssl|hostname_mismatch)|cert|self_signed|signature|crl|issuer/, 'tls'],
  [/^hpe_/, 'not_http'],
  // No file or memory was left here for a connection.
  [/^e(mfile|nfile|nobufs|nomem)$/, 'internal_error'],
];

/** What a client is told of a failure: `http_<status>`, or one of the words, whatever an attempt ended with. */
export function failureReason(outcome: string): string {
  if (WORDS.has(outcome) || /^http_\d{3}$/.test(outcome)) return outcome;
  return MEANINGS.find(([codes]) => codes.test(outcome))?.[1] ?? 'connection_failed';
}
