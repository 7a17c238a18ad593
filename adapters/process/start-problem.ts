import { dirname, resolve } from 'node:path';
import { filePath } from '../../store/engine/dialect.ts';
import { capitalised, withFullStop } from '../../tools/core/schemas/sentences.ts';
import { type Config, ConfigError } from '../settings/config.ts';

/** What can be known of a failure of the system, of SQLite or of PostgreSQL. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly syscall: string;
  readonly path: string | undefined;
  readonly port: unknown;
  readonly hostname: unknown;
}

type Known = Pick<Config, 'databaseUrl' | 'host' | 'port' | 'metricsPort'>;
type Says = (failure: Failure, config: Known) => string;

/** Why the service does not start, and what to do: in plain words, without a stack. */
export function startProblem(error: unknown, config: Known | undefined): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  return problemOf(error, config) ?? `The service could not start: ${error.message}`;
}

/** The same of what the system or the database refuses; undefined for anything else. */
export function problemOf(error: Error, config: Known | undefined): string | undefined {
  const failure = failureOf(error);
  return config === undefined ? undefined : wordsFor(failure)?.(failure, config);
}

function failureOf(error: Error): Failure {
  // A name with several addresses fails with one error for each of them.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const parts: Readonly<Record<string, unknown>> = { ...(first instanceof Error ? first : {}), ...error };
  const { path } = parts;
  return {
    code: String(parts['code'] ?? ''),
    message: error.message || String(parts['code'] ?? error),
    syscall: String(parts['syscall'] ?? ''),
    path: typeof path === 'string' ? path : undefined,
    port: parts['port'],
    hostname: parts['hostname'],
  };
}

/** The first that fits. */
function wordsFor({ code, syscall }: Failure): Says | undefined {
  return WORDS.find(
    ([codes, calls]) => codes.test(code) && (calls === undefined || calls.test(syscall)),
  )?.[2];
}

/** What listens, and what asks where it is to listen. */
const LISTENING = /^(listen|bind)$/;
const NAMING = /^getaddrinfo$/;
/** What makes a file or a folder; the system has places where there can be none. */
const MAKING = /^(open|mkdir)$/;
/** What speaks to a server; a file that is not there is none. */
const ASKING = /^(connect|read|write|getaddrinfo|)$/;

const WORDS: readonly (readonly [code: RegExp, syscall: RegExp | undefined, says: Says])[] = [
  [/^EADDRINUSE$/, undefined, portTaken],
  [/^(EACCES|EPERM)$/, LISTENING, portForbidden],
  [/^EADDRNOTAVAIL$/, undefined, noSuchHost],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, NAMING, nameUnknown],
  [/^(EACCES|EPERM)$|^SQLITE_(CANTOPEN|READONLY|AUTH|PERM)/, undefined, notOurs],
  [/^EROFS$/, undefined, readOnlyDisk],
  // What is shared beside a file that nobody has open is made anew, and finds no room.
  [/^(ENOSPC|EDQUOT)$|^SQLITE_(FULL|IOERR_SHMSIZE)/, undefined, diskFull],
  [/^(EISDIR|ENOTDIR|EEXIST|ENAMETOOLONG|ELOOP)$/, undefined, noFile],
  [/^ENOENT$/, MAKING, noFile],
  [/^SQLITE_(NOTADB|CORRUPT)/, undefined, damaged],
  [/^SQLITE_IOERR|^EIO$/, undefined, diskBroken],
  [/^SQLITE_(BUSY|LOCKED)/, undefined, locked],
  [/^28/, undefined, notLetIn],
  [/^3D000$/, undefined, noDatabase],
  [/^42501$/, undefined, notAllowed],
  [/^53300$/, undefined, tooManyConnections],
  [/^(08|57P)/, undefined, unreachable],
  [/^E[A-Z]+$/, ASKING, unreachable],
];

function portTaken({ port }: Failure, { metricsPort }: Known): string {
  const setting = port !== undefined && port === metricsPort ? 'METRICS_PORT' : 'PORT';
  const which = setting === 'PORT' ? 'The port' : `Port ${metricsPort}`;
  return `${which} is in use. Set ${setting} to another one, or stop what listens there.`;
}

function portForbidden({ port }: Failure): string {
  return `This user may not listen on port ${port}. Set PORT to 1024 or more, and let a proxy take the other.`;
}

function noSuchHost(_failure: Failure, { host }: Known): string {
  return `HOST ${host} is no address of this machine. Set it to one that is, such as 127.0.0.1, or to 0.0.0.0 for all.`;
}

function nameUnknown(failure: Failure, config: Known): string {
  return failure.hostname === config.host ? noSuchHost(failure, config) : unreachable(failure);
}

function placeOf({ path }: Pick<Failure, 'path'>, { databaseUrl }: Known): string {
  return path ?? (databaseUrl.startsWith('file:') ? filePath(databaseUrl) : 'its data');
}

/** Whether it is the database, or a folder above it: other files stand where other settings say. */
function isDatabase({ path }: Failure, { databaseUrl }: Known): boolean {
  if (path === undefined) return true;
  if (!databaseUrl.startsWith('file:')) return false;
  const [failed, database] = [resolve(path), resolve(filePath(databaseUrl))];
  return failed.startsWith(database) || database.startsWith(`${failed}/`);
}

function notOurs(failure: Failure, config: Known): string {
  const place = placeOf(failure, config);
  const user = process.getuid === undefined ? '' : ` (${process.getuid()})`;
  return (
    `This user${user} may not read and write ${place}. Give it and its folder to the user of the service ` +
    `(chown -R <user> ${dirname(place)}; chmod u+rwX)${orSet(failure, config, ' to a place that is its own')}.`
  );
}

function readOnlyDisk(failure: Failure, config: Known): string {
  const other = orSet(failure, config, ' to another place');
  return `${placeOf(failure, config)} stands on a disk that cannot be written. Mount it for writing${other}.`;
}

function orSet(failure: Failure, config: Known, to: string): string {
  return isDatabase(failure, config) ? `, or set DATABASE_URL${to}` : '';
}

function diskFull(failure: Failure, config: Known): string {
  return `There is no room on the disk of ${placeOf(failure, config)}. Make some: nothing that was stored is lost.`;
}

function noFile(failure: Failure, config: Known): string {
  const place = placeOf(failure, config);
  return isDatabase(failure, config)
    ? `${place} cannot be a file (${failure.code}). Set DATABASE_URL to file:<path of a file>.`
    : `${place} cannot be used (${failure.code}). Move what is there, or correct the setting that names it.`;
}

function damaged(failure: Failure, config: Known): string {
  return (
    `${placeOf(failure, config)} is no database, or damaged. Keep it aside and restore a backup: ` +
    'npm run rialto -- restore <file> --replace.'
  );
}

function diskBroken(failure: Failure, config: Known): string {
  return `The disk of ${placeOf(failure, config)} cannot be read or written (${failure.message}). Look at it before anything else.`;
}

function locked(failure: Failure, config: Known): string {
  return `Another program holds ${placeOf(failure, config)}. Stop it (fuser ${placeOf(failure, config)} names it), and start again.`;
}

function notLetIn({ message }: Failure): string {
  return `The database does not let this user in: ${message}. Correct user and password in DATABASE_URL.`;
}

function noDatabase({ message }: Failure): string {
  return `${sentence(message)} Make it (createdb), or correct its name in DATABASE_URL.`;
}

function notAllowed({ message }: Failure): string {
  return `${sentence(message)} Let the user of DATABASE_URL make tables in its schema: grant usage, create on schema public to <user>.`;
}

function tooManyConnections({ message }: Failure): string {
  return `${sentence(message)} Lower DATABASE_CONNECTIONS, or raise max_connections of the server.`;
}

function unreachable({ message }: Failure): string {
  return `The database at DATABASE_URL does not answer (${message}). Start it, or correct DATABASE_URL; npm run rialto -- doctor looks again.`;
}

function sentence(message: string): string {
  return withFullStop(capitalised(message));
}
