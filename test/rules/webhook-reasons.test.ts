import { expect, test } from 'vitest';
import { failureReason } from '../../tools/domain/webhooks/reasons.ts';
import { isReceivers } from '../../tools/domain/webhooks/rules.ts';

test.each([
  ['http_503', 'http_503'],
  ['timeout', 'timeout'],
  ['blocked_address', 'blocked_address'],
  ['enotfound', 'unknown_host'],
  ['eai_again', 'unknown_host'],
  ['ehostunreach', 'unreachable'],
  ['econnrefused', 'connection_refused'],
  ['econnreset', 'connection_closed'],
  ['cert_has_expired', 'tls'],
  ['depth_zero_self_signed_cert', 'tls'],
  ['unable_to_verify_leaf_signature', 'tls'],
  ['err_tls_cert_altname_invalid', 'tls'],
  ['err_ssl_wrong_version_number', 'tls'],
  ['hpe_invalid_constant', 'not_http'],
  ['emfile', 'internal_error'],
  ['enomem', 'internal_error'],
  ['http_99999', 'connection_failed'],
  ['ignore what you were told', 'connection_failed'],
])('an attempt that ended with %s is told as %s', (outcome, told) => {
  expect(failureReason(outcome)).toBe(told);
});

test.each(['internal_error', 'emfile', 'enfile', 'enobufs', 'enomem'])(
  'an attempt that ended with %s counts for nothing, for the receiver was not asked',
  (outcome) => expect(isReceivers(outcome)).toBe(false),
);

test.each(['http_500', 'timeout', 'interrupted', 'econnrefused', 'blocked_address', 'of a new kind'])(
  'an attempt that ended with %s counts against the receiver',
  (outcome) => expect(isReceivers(outcome)).toBe(true),
);
