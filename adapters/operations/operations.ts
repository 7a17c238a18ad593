import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { refusalFor } from '../../tools/core/boundary.ts';
import type { Log } from '../../tools/core/context.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { badRequest, unauthorized, unavailable } from '../../tools/core/errors/refusals.ts';
import { answering } from '../http/answering.ts';
import { JSON_TYPE } from '../http/envelope.ts';
import { listeningAt } from '../http/listening.ts';
import { isSameSecret } from '../http/same-secret.ts';
import type { Config } from '../settings/config.ts';
import { EXPOSITION_TYPE, expositionOf } from './exposition.ts';
import { createGauges, type Gauges, type Measured } from './gauges.ts';
import type { Meter } from './meter.ts';
import { unreadiness } from './readiness.ts';

const LOOPBACK = '127.0.0.1';
/** What the operator's port may be called: a page elsewhere cannot give its own name for this address. */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const OWN_PATH = /^\/(healthz|readyz|metrics)\/?(?:\?|$)/;

/** What looks after a service ask it: whether it lives, whether it wants requests, what it has done. */
export interface Operations {
  /** The service is there now. */
  watch(measured: Measured): void;
  /** Answers on the port of the service: metrics only to who has the operator's token. True: it was asked this. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  /** The address of the operator's own port, where there is one. */
  readonly url: string | undefined;
  close(): Promise<void>;
}

type Settings = Pick<Config, 'metricsPort' | 'operatorToken'>;
type Lines = Pick<Log, 'error'>;

/** What the answers are made with. */
interface Parts {
  readonly meter: Meter;
  readonly log: Lines;
}

/** Opens the operator's port first of all, so that whoever looks hears that the service is starting. */
export async function openOperations(settings: Settings, { meter, log }: Parts): Promise<Operations> {
  let measured: Measured | undefined;
  let gauges: Gauges | undefined;
  const answers: Answers = {
    healthz: async () => success('alive'),
    readyz: async () => {
      const reason = await unreadiness(measured);
      return reason === undefined ? success('ready') : failure(unavailable(reason));
    },
    metrics: async () => {
      gauges ??= createGauges();
      const metrics = [...meter.metrics(), ...(await gauges(measured))];
      return { status: 200, type: EXPOSITION_TYPE, body: expositionOf(metrics) };
    },
  };
  // Delays of the event loop are known from now on, where somebody may ask for them.
  if (settings.metricsPort !== undefined || settings.operatorToken !== undefined) gauges = createGauges();
  const own =
    settings.metricsPort === undefined ? undefined : await listen(settings.metricsPort, { answers, log });
  return {
    watch: (service) => {
      measured = service;
    },
    handle: (req, res) => {
      const asked = askedIn(req);
      if (asked === undefined || (asked === 'metrics' && settings.operatorToken === undefined)) return false;
      const isRefused = asked === 'metrics' && !hasToken(req, settings.operatorToken ?? '');
      const make = isRefused ? async () => refusedToken(req, meter) : answers[asked];
      send({ req, res, log }, make);
      return true;
    },
    url: own?.url,
    close: async () => own?.close(),
  };
}

type Asked = 'healthz' | 'readyz' | 'metrics';
type Answers = Readonly<Record<Asked, () => Promise<Answer>>>;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function askedIn({ method, url = '' }: IncomingMessage): Asked | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const asked = OWN_PATH.exec(url)?.[1];
  return asked === 'healthz' || asked === 'readyz' || asked === 'metrics' ? asked : undefined;
}

function success(status: string): Answer {
  return { status: 200, type: JSON_TYPE, body: JSON.stringify({ data: { status }, error: null }) };
}

function failure({ status, code, message, suggestion, retryAfter }: AppError): Answer {
  const details = suggestion === undefined ? undefined : { suggestion };
  return {
    status,
    type: JSON_TYPE,
    body: JSON.stringify({ data: null, error: { code, message, details } }),
    headers: {
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="operator"' } : {}),
    },
  };
}

function refusedToken({ headers }: IncomingMessage, meter: Pick<Meter, 'authFailed'>): Answer {
  if (headers.authorization !== undefined) meter.authFailed('operator');
  return failure(withoutToken());
}

function withoutToken(): AppError {
  return unauthorized('Metrics need the token of the operator.', {
    suggestion: 'Send OPERATOR_TOKEN as bearer token, or ask on METRICS_PORT of the machine itself.',
  });
}

/** As hashes, which are all of one length: the time tells nothing of how long the token is either. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  return isSameSecret(hashOf(headers.authorization ?? ''), hashOf(`Bearer ${token}`));
}

interface Asking {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly log: Lines;
}

function send(asking: Asking, make: () => Promise<Answer>): void {
  answering(write(asking, make), asking.res, asking.log);
}

async function write({ req, res, log }: Asking, make: () => Promise<Answer>): Promise<void> {
  const { status, type, body, headers } = await make().catch((thrown: unknown) =>
    failure(refusalFor(thrown, log, { doing: 'telling the operator' })),
  );
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

async function listen(
  port: number,
  { answers, log }: { readonly answers: Answers; readonly log: Lines },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((req, res) => {
    const asked = askedIn(req);
    if (!LOOPBACK_HOST.test(req.headers.host ?? LOOPBACK)) {
      send({ req, res, log }, async () =>
        failure(badRequest('This port is called by a name of this machine.')),
      );
    } else if (asked === undefined) res.writeHead(404, { 'Content-Length': 0 }).end();
    else send({ req, res, log }, answers[asked]);
  });
  const given = await listeningAt(server, { port, host: LOOPBACK });
  return {
    url: `http://${LOOPBACK}:${given}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
