import { UNDECLARED } from '../../../tools/core/call.ts';
import type { Log } from '../../../tools/core/context.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export interface RecordedLog extends Log {
  readonly lines: LogLine[];
}

/** Lines that no test may cause, of whichever server. */
export const breaches: LogLine[] = [];

/** What Node and libraries say that will not go on as it is, such as two queries at once over one connection. */
process.on('warning', ({ name, message }) => {
  if (message.includes('client.query()')) breaches.push({ level: 'warn', fields: { name }, message });
});

/** Keeps what is logged, for tests to look at. */
export function recordingLog(): RecordedLog {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    const line = { level, fields, message };
    lines.push(line);
    if (message === UNDECLARED) breaches.push(line);
  };
  const info = at('info');
  return { lines, info, warn: at('warn'), error: at('error'), request: (line) => info(line, 'request') };
}
