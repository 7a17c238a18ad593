import type { Log } from '../../tools/core/context.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export interface RecordedLog extends Log {
  readonly lines: LogLine[];
}

/** Keeps what is logged, for tests to look at. */
export function recordingLog(): RecordedLog {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  const info = at('info');
  return { lines, info, warn: at('warn'), error: at('error'), request: (line) => info(line, 'request') };
}
