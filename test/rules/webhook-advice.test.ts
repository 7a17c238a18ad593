import { expect, test } from 'vitest';
import { adviceOn } from '../../adapters/cli/webhook-advice.ts';
import { failureReason, failureWords } from '../../tools/domain/webhooks/reasons.ts';

const NOTHING_BETTER = 'Look at the receiver.';

test.each([
  ['enotfound', /^No host of this name is known here/],
  ['eai_again', /^No host of this name is known here/],
  ['ehostunreach', /^No way leads there/],
  ['econnrefused', /^Nobody listens there\.$/],
  ['econnreset', /^The receiver hung up/],
  ['depth_zero_self_signed_cert', /OUTBOUND_CA_FILE/],
  ['unable_to_verify_leaf_signature', /OUTBOUND_CA_FILE/],
  ['cert_has_expired', /^Renew the certificate/],
  ['err_tls_cert_altname_invalid', /certificate for the host of this address/],
  ['err_ssl_wrong_version_number', /TLS 1\.2/],
  ['hpe_invalid_constant', /does not speak HTTP/],
  ['timeout', /WEBHOOK_TIMEOUT_MS/],
  ['blocked_address', /WEBHOOK_ALLOWED_CIDRS/],
  ['http_302', /^Redirects are not followed/],
  ['http_400', /does not take this event/],
  ['http_401', /secret that signs here/],
  ['http_403', /secret that signs here/],
  ['http_404', /nothing at this path/],
  ['http_405', /takes no POST/],
  ['http_410', /any more: give the address that came after it/],
  ['http_429', /too much to do/],
  ['http_500', /^The receiver failed/],
  ['http_502', /^The receiver failed/],
  ['http_503', /too much to do/],
])('webhook send advises on %s what fits', (reason, words) => {
  expect(adviceOn(reason)).toMatch(words);
});

test('webhook send knows what to do about every way to fail, but those that it cannot come to or that say nothing', () => {
  const without = failureWords.filter((word) => adviceOn(word) === NOTHING_BETTER);

  expect(without).toEqual(['not_https', 'interrupted', 'connection_failed']);
  expect(without.map(failureReason)).toEqual(without);
});
