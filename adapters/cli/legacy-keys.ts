import type { Permission } from '../../store/api-keys.ts';
import {
  importKey,
  type LegacyKeyToImport,
  permissionsIn,
  problemOfImport,
} from '../../tools/domain/credentials/legacy-import.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { hashApiKey } from '../ports/keys.ts';
import { readCsv } from './csv.ts';
import { readGiven } from './files.ts';
import { momentOrDay } from './option-values.ts';

const DEFAULT_PERMISSIONS: readonly Permission[] = ['buyer:read', 'buyer:write'];
const NEEDED = ['organization', 'account'];
const ONE_OF = ['key', 'hash'];
const COLUMNS = [...NEEDED, ...ONE_OF, 'name', 'email', 'permissions', 'expires'];
const HASH = /^[0-9a-f]{64}$/;

type Row = Readonly<Record<string, string>>;

/**
 * Takes in keys of the earlier kind from a file with the columns organization, account, name, key or hash, and, if
 * wanted, email, permissions and expires. Only hashes are stored. A file with a mistake is refused whole, and so is
 * one with another column: what it says, such as the end of a key, would be passed over.
 */
export async function legacyKeyImport(
  operator: Operator,
  { file, brand }: { readonly file: string; readonly brand: string },
): Promise<string> {
  const { columns, rows } = readCsv(readGiven('<file>', file));
  const wrong = wrongColumns(columns);
  if (wrong.length > 0) throw new Error(`Nothing was taken in.\n${wrong.join('\n')}`);
  const read = await Promise.all(rows.map((row) => readKey(operator, row, brand)));
  // The first line names the columns.
  const problems = read.flatMap((found, index) =>
    typeof found === 'string' ? [`Line ${index + 2}: ${found}.`] : [],
  );
  if (rows.length === 0) problems.push('There are no keys in it.');
  if (problems.length > 0) throw new Error(`Nothing was taken in.\n${problems.join('\n')}`);
  const keys = read.filter((found) => typeof found !== 'string');
  let taken = 0;
  for (const key of keys) taken += (await importKey(operator, key)) === undefined ? 0 : 1;
  return `Taken in: ${taken}. Known before: ${keys.length - taken}.`;
}

function wrongColumns(columns: readonly string[]): string[] {
  if (columns.length === 0) return ['There are no keys in it.'];
  // By its place: a file without names has a key in its first line.
  const unknown = columns.flatMap((column, index) => (COLUMNS.includes(column) ? [] : [index + 1]));
  const missing = NEEDED.filter((column) => !columns.includes(column));
  return [
    ...unknown.map((place) => `Line 1: column ${place} has none of these names: ${COLUMNS.join(', ')}.`),
    ...missing.map((column) => `Line 1: the column ${column} is missing.`),
    ...(ONE_OF.some((column) => columns.includes(column)) ? [] : ['Line 1: give a column key, or hash.']),
  ];
}

async function readKey(operator: Operator, row: Row, brand: string): Promise<LegacyKeyToImport | string> {
  const read = readRow(row, brand);
  return typeof read === 'string' ? read : ((await problemOfImport(operator, read)) ?? read);
}

/** What a line says, or what is wrong with it. It never repeats a key. */
function readRow(row: Row, brand: string): LegacyKeyToImport | string {
  const field = (column: string) => row[column] ?? '';
  const key = field('key');
  const hash = key === '' ? field('hash') : hashApiKey(key);
  const permissions = permissionsOf(field('permissions'));
  const ends = field('expires') === '' ? undefined : momentOrDay.safeParse(field('expires'));
  const [problem] = [
    wrongId('organization', field('organization')),
    wrongId('account', field('account')),
    wrongKey(key, brand),
    HASH.test(hash) ? undefined : 'give key, or hash: SHA-256 as 64 lowercase hexadecimal digits',
    permissions === undefined ? 'permissions are not of the four' : undefined,
    ends?.success === false ? 'expires is no day, and no date and time with an offset' : undefined,
  ].filter((found) => found !== undefined);
  if (problem !== undefined) return problem;
  return {
    organizationId: Number(field('organization')),
    customerId: Number(field('account')),
    email: field('email') || undefined,
    name: field('name') || 'Legacy key',
    hash,
    obfuscatedValue: key === '' ? `${brand}_…` : `${brand}_…${key.slice(-4)}`,
    permissions: permissions ?? DEFAULT_PERMISSIONS,
    expiresAt: ends?.data,
  };
}

function permissionsOf(text: string): readonly Permission[] | undefined {
  return text === '' ? DEFAULT_PERMISSIONS : permissionsIn(text);
}

function wrongId(column: string, text: string): string | undefined {
  return /^[1-9]\d{0,15}$/.test(text) ? undefined : `${column} is not an id`;
}

function wrongKey(key: string, brand: string): string | undefined {
  if (key === '') return undefined;
  if (!key.startsWith(`${brand}_`)) return `the key does not begin with ${brand}_`;
  return key.length < 20 ? 'the key is too short to be safe' : undefined;
}
