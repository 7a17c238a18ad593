import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { badRequest } from '../../tools/core/errors/refusals.ts';
import { once } from '../../tools/core/once.ts';
import { ICON_PATH } from '../mcp/server-parts.ts';
import { packageRoot } from '../settings/package-root.ts';

/** A file of the pages as it leaves: its bytes are shared by every answer that waits. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  /** How long a browser may keep it without asking. */
  readonly maxAgeSeconds: number;
  /** True for what pages of others may show. */
  readonly forAll: boolean;
}

/** More than this is no part of a page. */
const FILE_MAX_BYTES = 4_194_304;
const ETAG_LENGTH = 27;
const DAY_SECONDS = 86_400;
const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

export const web = join(packageRoot, 'web');
/** Where the build puts what comes from packages. */
const built = join(packageRoot, 'dist', 'web');

/** Every file of the pages by its address: read once, when it is first asked for, and never opened for an answer. */
export const pageFiles: ReadonlyMap<string, () => PageFile> = new Map([
  fileAt('/style.css', { folder: web, name: 'style.css', type: CSS }),
  fileAt(ICON_PATH, {
    folder: web,
    name: 'icon.svg',
    type: 'image/svg+xml',
    maxAgeSeconds: DAY_SECONDS,
    forAll: true,
  }),
  fileAt('/people.css', { folder: web, name: 'people.css', type: CSS }),
  fileAt('/people-parts.css', { folder: web, name: 'people-parts.css', type: CSS }),
  fileAt('/widgets/api-keys.js', { folder: web, name: 'widget-api-keys.js', type: JAVASCRIPT }),
  fileAt('/docs/docs.css', { folder: web, name: 'docs.css', type: CSS }),
  fileAt('/docs/docs.js', { folder: web, name: 'docs.js', type: JAVASCRIPT }),
  fileAt('/docs/swagger-ui.css', {
    folder: built,
    name: 'swagger-ui.css',
    type: CSS,
    maxAgeSeconds: DAY_SECONDS,
  }),
  fileAt('/docs/swagger-ui-bundle.js', {
    folder: built,
    name: 'swagger-ui-bundle.js',
    type: JAVASCRIPT,
    maxAgeSeconds: DAY_SECONDS,
  }),
]);

interface Source {
  readonly folder: string;
  readonly name: string;
  readonly type: string;
  readonly maxAgeSeconds?: number;
  readonly forAll?: boolean;
}

function fileAt(address: string, { folder, name, type, maxAgeSeconds = 0, forAll = false }: Source) {
  const file = once((): PageFile => {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length > FILE_MAX_BYTES) throw new Error(`${name} has more than ${FILE_MAX_BYTES} bytes.`);
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_LENGTH);
    return { type, bytes, etag: `"${digest}"`, maxAgeSeconds, forAll };
  });
  return [address, file] as const;
}

/** Sends it whole: a range may be passed over (RFC 9110, section 14.2), but one that is not there is refused. */
export function sendPageFile(req: Request, res: Response, file: PageFile): void {
  const { 'if-match': match } = req.headers;
  if (match !== undefined && match !== '*' && !match.split(/\s*,\s*/).includes(file.etag)) {
    throw badRequest('If-Match names another version of this file.', { suggestion: 'Ask without If-Match.' });
  }
  if (req.range(file.bytes.length) === -1) {
    throw badRequest(`Range lies outside of this file, which has ${file.bytes.length} bytes.`, {
      suggestion: 'Ask without Range, or for bytes that there are.',
    });
  }
  res.set({
    'Content-Type': file.type,
    ETag: file.etag,
    'Cache-Control': `public, max-age=${file.maxAgeSeconds}`,
  });
  if (file.forAll) res.set('Cross-Origin-Resource-Policy', 'cross-origin');
  // Answers 304 and HEAD by itself.
  res.send(file.bytes);
}
