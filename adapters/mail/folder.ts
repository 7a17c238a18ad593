import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/engine/folders.ts';
import type { Message } from '../../tools/core/ports.ts';

const OWNER_ONLY = 0o600;
const SUFFIX = '.eml';
const TAG_BYTES = 6;
const LINK = /https?:\/\/\S+/;

interface Kept extends Message {
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Writes a mail into the folder, for this user alone: what it carries signs people in. */
export function keepMail(folder: string, { from, to, subject, text, at }: Kept): void {
  makeFolder(folder);
  const moment = new Date(at);
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${moment.toISOString()}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ];
  // Sorted by name they are sorted by time.
  const name = `${moment.toISOString().replace(/[:.]/g, '-')}-${randomBytes(TAG_BYTES).toString('hex')}${SUFFIX}`;
  writeFileSync(join(folder, name), lines.join('\n'), { mode: OWNER_ONLY, flag: 'wx' });
}

/** A mail of the folder, as a list shows it. */
export interface KeptMail {
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  /** The first address on the web that it names. */
  readonly link: string | undefined;
}

/** The newest mails of the folder first. */
export function listMail(folder: string, most: number): KeptMail[] {
  return filesIn(folder)
    .sort()
    .reverse()
    .slice(0, most)
    .map((name) => readMail(readFileSync(join(folder, name), 'utf8')));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function readMail(text: string): KeptMail {
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end);
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  return {
    to: field('To'),
    subject: field('Subject'),
    date: field('Date'),
    link: LINK.exec(text.slice(end))?.[0],
  };
}
