import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { type Config, ConfigError } from '../settings/config.ts';

type From = Pick<Config, 'outboundCaFile'>;

/** One certificate of the file that the settings name. */
interface Added {
  readonly certificate: X509Certificate;
  /** Which one it is, for whoever has to find it. */
  readonly place: string;
}

/** RFC 7468, section 2: on a line of its own, which some files leave out behind the end of another. */
const BEGINS = /(?:^|(?<=-----))(?=-----BEGIN )/m;
const IS_CERTIFICATE = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;
const ENDS = /^-----END (?:X509 |TRUSTED )?CERTIFICATE/gm;
const NAMED_MAX = 20;

/**
 * Every authority that is trusted; undefined where the settings add none. A certificate that cannot be read stops the
 * start with a `ConfigError`: it and all below it would be passed over, and the calls that need them fail one by one.
 */
export function authoritiesOf(config: From): string | undefined {
  const added = addedBy(config);
  if (added.length === 0) return undefined;
  return [...rootCertificates, ...added.map(({ certificate }) => certificate.toString())].join('\n');
}

/** What there is to say of certificates that can be read and are no good at the time. */
export function outOfTime(config: From, now: number): string[] {
  return addedBy(config).flatMap(({ certificate: { subject, validFrom, validTo }, place }) => {
    const named = `OUTBOUND_CA_FILE: ${place} ${subject.replaceAll('\n', ', ')},`;
    if (Date.parse(validTo) < now) return [`${named} has expired on ${dayOf(validTo)}.`];
    return Date.parse(validFrom) > now ? [`${named} holds from ${dayOf(validFrom)} only.`] : [];
  });
}

function dayOf(moment: string): string {
  return new Date(moment).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function addedBy({ outboundCaFile: file }: From): Added[] {
  if (file === undefined) return [];
  const pieces = piecesOf(readText(file));
  const certificates = pieces.filter(({ isCertificate }) => isCertificate);
  const added: Added[] = [];
  const problems = pieces.filter(holdsAnother).map(({ line }) => withoutBegin(file, line));
  for (const [index, { text, line }] of certificates.entries()) {
    const place = `Certificate ${index + 1} of ${certificates.length} in ${file}, from line ${line},`;
    const certificate = certificateIn(text);
    if (certificate !== undefined) added.push({ certificate, place });
    else problems.push(`${place} cannot be read. Give it anew and whole, in PEM, or take it out.`);
  }
  if (problems.length > 0) throw unusable(problems);
  if (added.length > 0) return added;
  throw unusable([`${file} holds no certificate. Give certificates in PEM, one below the other.`]);
}

function withoutBegin(file: string, line: number): string {
  return (
    `A certificate in ${file}, below line ${line}, has an end and no -----BEGIN CERTIFICATE----- on a line of its own. ` +
    'Give it anew and whole, in PEM, or take it out.'
  );
}

interface Piece {
  readonly text: string;
  readonly isCertificate: boolean;
  /** Where it begins. */
  readonly line: number;
}

/** What stands before the first thing that begins, and each of these with what follows it. */
function piecesOf(text: string): Piece[] {
  let line = 1;
  return text.split(BEGINS).map((piece) => {
    const from = line;
    line += piece.split('\n').length - 1;
    return { text: piece, isCertificate: IS_CERTIFICATE.test(piece), line: from };
  });
}

/** Whether a certificate ends there whose beginning is none. */
function holdsAnother({ text, isCertificate }: Piece): boolean {
  return (text.match(ENDS)?.length ?? 0) > (isCertificate ? 1 : 0);
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unusable([`${reason}. Name a file that is there, and let this user read it.`], cause);
  }
}

function unusable(problems: readonly string[], cause?: unknown): ConfigError {
  return new ConfigError(
    problems.slice(0, NAMED_MAX).map((problem) => `OUTBOUND_CA_FILE: ${problem}`),
    { cause },
  );
}
