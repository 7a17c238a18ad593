import { greetMailServer } from '../mail/mail.ts';
import { BlockedAddressError } from '../net/address-guard.ts';
import { causeOf } from '../net/causes.ts';
import { discover, operatorsProvider } from '../people/providers.ts';
import { withOutbound } from '../process/outbound.ts';
import { type Config, ConfigError } from '../settings/config.ts';
import { ASK_MS, type Finding, fine, reasonOf, warned } from './findings.ts';

/** What people come and are reached by, outside of this service: their mails and their sign-in. */

/** Greets the mail server that the settings name, on the way that mails go. It is sent none. */
export async function lookAtMail({ mailUrl }: Config, limitMs = ASK_MS): Promise<Finding[]> {
  if (mailUrl === undefined) return [];
  const { protocol, host } = new URL(mailUrl);
  const where = `${protocol}//${host}`;
  try {
    await greetMailServer(mailUrl, limitMs);
    return [fine('mail', `${where} answers.`)];
  } catch (error) {
    return [mailTrouble(where, error)];
  }
}

function mailTrouble(where: string, error: unknown): Finding {
  const { code, responseCode } = told(error);
  // The words of the server may repeat the name that was shown to it: its number says enough.
  const said = responseCode === undefined ? reasonOf(error) : `it answered ${responseCode}`;
  if (code === 'EAUTH') {
    const remedy = 'Correct the name and the password in MAIL_URL: until then no mail is sent.';
    return warned('mail', `${where} does not let this service in: ${said}`, remedy);
  }
  const remedy =
    code === 'ETLS'
      ? 'Have it know STARTTLS with a certificate that is believed here, or give smtps:// in MAIL_URL.'
      : 'Start it, or correct MAIL_URL: until then no mail is sent.';
  return warned('mail', `${where} takes no mail: ${said}`, remedy);
}

function told(error: unknown): { readonly code?: unknown; readonly responseCode?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}

/** Asks the identity provider of the settings what it says of itself, as the service does for who signs in there. */
export async function lookAtProvider(config: Config, limitMs = ASK_MS): Promise<Finding[]> {
  const provider = operatorsProvider({ config });
  if (provider === undefined) return [];
  const { origin, pathname } = new URL(provider.issuer);
  const where = `${origin}${pathname.replace(/\/$/, '')}`;
  try {
    await describeOf(config, { ...provider, limitMs });
    return [fine('sign-in', `${where} answers.`)];
  } catch (error) {
    // What of the settings keeps everything outside away was told with them.
    return error instanceof ConfigError ? [] : [providerTrouble(where, error)];
  }
}

function describeOf(
  config: Config,
  asked: Parameters<typeof discover>[1] & { readonly limitMs: number },
): Promise<unknown> {
  return withOutbound(config, ({ providers }) => {
    const signal = AbortSignal.timeout(asked.limitMs);
    return discover({ providerFetch: (url, init) => providers.fetch(url, { ...init, signal }) }, asked);
  });
}

function providerTrouble(where: string, error: unknown): Finding {
  const isClosed = causeOf(error, BlockedAddressError) !== undefined;
  return warned(
    'sign-in',
    `${where} ${isClosed ? 'is closed by the settings' : 'cannot be asked'}: ${reasonOf(error)}`,
    isClosed
      ? 'Add its range to OIDC_ALLOWED_CIDRS, or correct OIDC_ISSUER: until then nobody signs in there.'
      : 'Start it, or correct OIDC_ISSUER: until then nobody signs in there.',
  );
}
