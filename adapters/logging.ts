import { pino } from 'pino';
import type { Log } from '../tools/context.ts';
import { withoutSecrets } from '../tools/shared/secrets.ts';
import type { Config } from './config.ts';

/** Lines travel together: each write to the disk or the pipe costs more than writing many lines at once. */
const BUFFER_BYTES = 16_000;
const FLUSH_EVERY_MS = 250;

export interface ProcessLog extends Log {
  flush(): void;
}

/** JSON lines on standard output; lines for people when that is a terminal. */
export async function createLog(config: Config, output: 'terminal' | 'lines'): Promise<ProcessLog> {
  const options = { level: config.logLevel, base: null, formatters: { log: withoutSecrets } };
  if (output === 'terminal') {
    const { default: pretty } = await import('pino-pretty');
    return withFlush(pino(options, pretty({ sync: true, colorize: true })), () => {});
  }
  const lines = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES });
  const timer = setInterval(() => lines.flush(), FLUSH_EVERY_MS).unref();
  return withFlush(pino(options, lines), () => {
    clearInterval(timer);
    lines.flushSync();
  });
}

function withFlush(log: pino.Logger, flush: () => void): ProcessLog {
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    flush,
  };
}
