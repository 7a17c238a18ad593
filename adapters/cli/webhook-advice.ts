import { failureReason } from '../../tools/domain/webhooks/reasons.ts';

const TRUST = 'Have the certificate trusted with OUTBOUND_CA_FILE.';
const SECRET =
  'Give the receiver the secret that signs here, and have it ask for nothing beside the signature.';
const LATER = 'The receiver has too much to do: have it answer before it works, and send this again later.';

/** By what an attempt ended with; else by the word or the status that the delivery log has for it. */
const ADVICE: Readonly<Record<string, string>> = {
  depth_zero_self_signed_cert: TRUST,
  self_signed_cert_in_chain: TRUST,
  unable_to_verify_leaf_signature: TRUST,
  unable_to_get_issuer_cert_locally: TRUST,
  cert_has_expired: 'Renew the certificate of the receiver.',
  err_tls_cert_altname_invalid: 'Give the receiver a certificate for the host of this address.',
  timeout: 'The receiver took longer than WEBHOOK_TIMEOUT_MS.',
  blocked_address: 'The address is not public: open its range with WEBHOOK_ALLOWED_CIDRS.',
  unknown_host: 'No host of this name is known here: look at the address, and at the DNS of this machine.',
  unreachable: 'No way leads there: look at the network and the firewalls between.',
  connection_refused: 'Nobody listens there.',
  connection_closed: 'The receiver hung up before it answered: look into its log.',
  tls: 'Look at the certificate of the receiver, and have it speak TLS 1.2 or later.',
  not_http: 'What listens there does not speak HTTP: look at the port.',
  internal_error: 'This machine has no file or memory left for a connection.',
  http_401: SECRET,
  http_403: SECRET,
  http_404: 'The receiver has nothing at this path: look at the address.',
  http_405: 'The receiver takes no POST at this path, which is how events come: look at the address.',
  http_408: LATER,
  http_410: 'The receiver takes nothing at this path any more: give the address that came after it.',
  http_413: 'Have the receiver take larger bodies.',
  http_429: LATER,
  http_503: LATER,
};

const BY_HUNDRED: Readonly<Record<string, string>> = {
  http_3: 'Redirects are not followed: give the address to which it leads.',
  http_4: 'The receiver does not take this event: look into its log.',
  http_5: 'The receiver failed: look into its log.',
};

/** What to do about an attempt that failed. */
export function adviceOn(reason: string): string {
  const word = failureReason(reason);
  return (
    ADVICE[reason] ?? ADVICE[word] ?? BY_HUNDRED[word.slice(0, 'http_5'.length)] ?? 'Look at the receiver.'
  );
}
