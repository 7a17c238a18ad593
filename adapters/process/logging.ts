import { pino } from 'pino';
import type { Log, RequestLine } from '../../tools/core/context.ts';
import { withoutSecrets } from '../../tools/core/redaction.ts';
import type { Config } from '../settings/config.ts';

/** Lines travel together: each write to the disk or the pipe costs more than writing many lines at once. */
const BATCH_LENGTH = 64_000;
const FLUSH_EVERY_MS = 250;
const REQUEST = 'request';

export interface ProcessLog extends Log {
  flush(): void;
}

/** JSON lines on standard output; lines for people when that is a terminal. */
export async function createLog(config: Config, output: 'terminal' | 'lines'): Promise<ProcessLog> {
  const showsAddress = config.logClientAddress === 'on';
  const options = {
    level: config.logLevel,
    base: null,
    formatters: { log: withoutSecrets },
    // Errors come out of that as they shall be shown: pino's own way shows all that hangs on one.
    serializers: { err: (shown: unknown) => shown },
  };
  if (output === 'terminal') {
    const { default: pretty } = await import('pino-pretty');
    const log = pino(options, pretty({ sync: true, colorize: true }));
    return {
      ...linesOf(log),
      request: (line) => log.info(showsAddress ? line : withoutAddress(line), REQUEST),
      flush: () => {},
    };
  }
  const lines = createBatches(pino.destination({ dest: 1, sync: false }));
  const timer = setInterval(lines.pass, FLUSH_EVERY_MS).unref();
  // Whichever way the process ends, what it said last is what explains it.
  process.once('exit', lines.flush);
  const log = pino(options, lines);
  return {
    ...linesOf(log),
    request: log.isLevelEnabled('info') ? (line) => lines.write(requestJson(line, showsAddress)) : () => {},
    flush: () => {
      clearInterval(timer);
      lines.flush();
    },
  };
}

function withoutAddress({ ip: _ip, ...line }: RequestLine): Omit<RequestLine, 'ip'> {
  return line;
}

/** As pino would write it, its time too: this one line of every request would else cost as much as its query. */
function requestJson(line: RequestLine, showsAddress: boolean): string {
  const { info } = pino.levels.values;
  const address = showsAddress ? `,"ip":${quoted(line.ip)}` : '';
  const caller =
    line.principal === undefined
      ? ''
      : `,"organizationId":${line.organizationId},"principal":${quoted(line.principal)}`;
  const trace = line.traceId === undefined ? '' : `,"traceId":"${line.traceId}"`;
  return (
    `{"level":${info},"time":${Date.now()},"requestId":${quoted(line.requestId)},` +
    `"method":${quoted(line.method)},"target":${quoted(line.target)},"status":${line.status},` +
    `"ms":${line.ms}${address}${caller}${trace},"msg":"${REQUEST}"}\n`
  );
}

/** Text that stands in JSON as it is. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function linesOf(log: pino.Logger): Omit<Log, 'request'> {
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
}

/** Gathers lines in front of a destination, which would count the bytes of all it holds at every line. */
function createBatches(destination: ReturnType<typeof pino.destination>) {
  let held = '';
  const pass = () => {
    if (held === '') return;
    const lines = held;
    held = '';
    destination.write(lines);
  };
  return {
    write: (line: string) => {
      held += line;
      if (held.length >= BATCH_LENGTH) pass();
    },
    pass,
    flush: () => {
      pass();
      destination.flushSync();
    },
  };
}
