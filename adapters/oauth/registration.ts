import { isFields } from '../../tools/core/schemas/checks.ts';
import { hiddenRuns } from '../../tools/core/schemas/hidden-characters.ts';
import { LOOPBACK_NAMES } from '../http/hosts.ts';
import { OAuthError } from './answers.ts';

/** A client as it is kept: public, whatever it asked for. */
export interface PublicClient {
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: 'none';
  readonly application_type: 'native';
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
}

const URIS_MAX = 10;
const URI_MAX = 2_048;
const NAME_MAX = 100;
/** How much of a name is looked at for each character that is kept. */
const LOOKED_AT = 4;
/** What a browser would run, show or open itself instead of handing it to a program. */
const DANGEROUS = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Signs that each font draws as it likes, such as the mark of a maker. */
const PRIVATE = /\p{Co}/gu;
const UNNAMED = 'Unnamed program';

/**
 * Reads a registration (RFC 7591). What it asks beyond a public client is not granted and no reason to refuse it:
 * the answer says what it got. Redirect addresses are kept letter by letter.
 */
export function publicClientOf(body: unknown): PublicClient {
  if (!isFields(body)) throw invalidMetadata('The body has to be a JSON object.');
  return {
    client_name: nameIn(body['client_name']),
    redirect_uris: redirectUrisIn(body['redirect_uris']),
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function invalidMetadata(message: string): OAuthError {
  return new OAuthError('invalid_client_metadata', message);
}

function nameIn(name: unknown): string {
  if (name === undefined) return UNNAMED;
  if (typeof name !== 'string') throw invalidMetadata('client_name has to be a text.');
  const plain = plainName(name);
  if ([...plain].length > NAME_MAX) {
    throw invalidMetadata(`client_name has more than ${NAME_MAX} characters.`);
  }
  return plain === '' ? UNNAMED : plain;
}

/** Without what a reader does not see: nobody should take one program for another on the page that asks. */
function plainName(name: string): string {
  return name.normalize('NFC').replace(hiddenRuns, '').replace(PRIVATE, '').replace(/\s+/g, ' ').trim();
}

/**
 * What a program calls itself, wherever it does: in a document at an address of its own it writes what it likes, which
 * is cut and cleaned here as registration does it.
 */
export function programName(name: string | undefined): string {
  const letters = [...plainName((name ?? '').slice(0, NAME_MAX * LOOKED_AT))];
  if (letters.length === 0) return UNNAMED;
  return letters.length > NAME_MAX ? `${letters.slice(0, NAME_MAX - 1).join('')}…` : letters.join('');
}

function redirectUrisIn(uris: unknown): readonly string[] {
  if (!Array.isArray(uris) || uris.length === 0) {
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris has to be a list of one at least.');
  }
  if (uris.length > URIS_MAX) {
    throw new OAuthError('invalid_redirect_uri', `redirect_uris has more than ${URIS_MAX} entries.`);
  }
  const problems = uris.flatMap((uri: unknown, index) => {
    const problem = typeof uri === 'string' ? problemWith(uri) : 'is no text';
    return problem === undefined ? [] : [`redirect_uris[${index}] ${problem}.`];
  });
  if (problems.length > 0) throw new OAuthError('invalid_redirect_uri', problems.join(' '));
  return uris.map(String);
}

/** What is wrong with a redirect address; undefined for nothing. */
function problemWith(uri: string): string | undefined {
  if (uri.length > URI_MAX) return `has more than ${URI_MAX} characters`;
  // A browser leaves out what cannot be seen: the address that was compared would not be the one that is called.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\')) return 'holds characters that no address has';
  if (!SCHEME.test(uri) || !URL.canParse(uri)) return 'is no absolute address';
  if (uri.includes('#')) return 'must not have a fragment';
  return problemOf(new URL(uri));
}

function problemOf({ protocol, hostname, username, password }: URL): string | undefined {
  if (username !== '' || password !== '') return 'must not hold a name or password';
  if (DANGEROUS.has(protocol)) return `must not begin with ${protocol}`;
  const isLocal = LOOPBACK_NAMES.has(hostname);
  if (protocol === 'http:' && !isLocal) return 'must begin with https:, except on the person’s own machine';
  return protocol === 'https:' && isLocal ? 'must begin with http: on the person’s own machine' : undefined;
}

/** Whether every place that a client may be called back at is on the person's own machine. */
export function isLoopbackOnly(uris: readonly string[]): boolean {
  return uris.every((uri) => URL.canParse(uri) && LOOPBACK_NAMES.has(new URL(uri).hostname));
}
