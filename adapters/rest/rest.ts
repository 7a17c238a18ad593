import type { IncomingMessage } from 'node:http';
import { refusalFor } from '../../tools/core/boundary.ts';
import { call, openStream } from '../../tools/core/call.ts';
import type { Answer, Exchange } from '../../tools/core/call-context.ts';
import type { RestTool } from '../../tools/core/define.ts';
import { tagOf } from '../../tools/core/entity-tags.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import {
  brokenEscape,
  methodNotAllowed,
  nothingThere,
  unclaimedAgent,
} from '../../tools/core/errors/refusals.ts';
import { REASON_FIELD } from '../../tools/core/reasons.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { renamed } from '../../tools/domain/renamed-problems.ts';
import type { Place } from '../auth/audiences.ts';
import { answering } from '../http/answering.ts';
import type { App, Handler } from '../http/app.ts';
import { requireOwnPage } from '../http/browser-origins.ts';
import { failOrCut, sendJson, successBody, successData } from '../http/envelope.ts';
import { isGuide } from '../http/guide-paths.ts';
import { limitedAccountOf } from '../http/rate-limit.ts';
import { Visit } from '../http/visit.ts';
import { isKnown, sendUnchanged } from './conditional-reads.ts';
import { sendEvents, sendNothing } from './event-stream.ts';
import { readInput, readPath } from './input.ts';
import { rememberedDigests } from './remembered-digests.ts';
import type { Route, RouteTable } from './routes.ts';
import { type Match, ownPathsOf, routesOf, routeTable } from './routes.ts';

/**
 * REST: the routes of the registry as one function of Node's request and response. Mounted in Express it is
 * the Express adapter; the process also serves it ahead of Express.
 */
export function createRest(app: App): Handler {
  const routes = routesOf(app.tools, app.streams);
  const ownPaths = ownPathsOf(routes);
  const table = routeTable(routes);
  const digestAt = rememberedDigests(app.services.ports.digest);
  return (req, res) => {
    const url = req.url ?? '/';
    if (!ownPaths.test(url) || isGuide(url)) return false;
    const visit = new Visit(req, res, app.trustedProxies);
    visit.watch = app.watch;
    visit.overload = app.overload;
    answering(serve({ app, visit, digestAt }, table.find(req.method ?? 'GET', url)), res, app.services.log);
    return true;
  };
}

interface Service {
  readonly app: App;
  readonly visit: Visit;
  /** The digest of what an address shows. */
  readonly digestAt: (address: string, text: string) => string;
}

async function serve(service: Service, found: ReturnType<RouteTable['find']>) {
  const { app, visit } = service;
  try {
    if (!isUncounted(found)) app.limits.countIp(visit.ip, visit);
    if (found === 'malformed') throw brokenEscape('path');
    if ('allow' in found) throw await refusalAt(service, found.allow);
    await answer(service, found);
  } catch (thrown) {
    failOrCut(visit, refusalFor(thrown, app.services.log, { requestId: visit.requestId, doing: 'request' }));
  } finally {
    visit.log(app.services.log, visit.res.statusCode);
  }
}

function isUncounted(found: ReturnType<RouteTable['find']>): boolean {
  return typeof found === 'object' && 'route' in found && found.route.uncounted;
}

async function answer(service: Service, match: Match): Promise<void> {
  const { app, visit } = service;
  const { route } = match;
  visit.target = route.label;
  const definition = 'tool' in route.target ? route.target.tool : route.target.stream;
  const place = { way: 'rest', surface: definition.surface } as const;
  visit.challenge = () => app.tokenPlaces.challengeAt(place);
  if (definition.access.kind === 'open') {
    visit.caller = await callerIfKnown(app, place, visit.req);
  } else {
    const known = app.identify(visit.req);
    visit.caller = app.tokenPlaces.callerAt(place, known instanceof Promise ? await known : known);
    requireOwnPage(visit.req, visit.caller);
    if (visit.caller !== null) {
      app.limits.countAccount(visit.caller, definition.surface, visit);
    }
  }
  const exchange = exchangeOf(app, visit, match);
  if ('stream' in route.target) {
    const named = Object.values(readPath(match.params, route.kinds));
    const address = named.length === 0 ? undefined : [route.path, ...named].join(' ');
    await answerStream(service, { stream: route.target.stream, exchange, address });
    return;
  }
  const { tool } = route.target;
  // Before its body is read: what is refused costs next to nothing.
  visit.makeRoom(tool);
  const result = await call(app.services, tool, exchange);
  sendAnswer(service, route, { tool, result });
}

function sendAnswer({ visit, digestAt }: Service, { tagged }: Route, { tool, result }: Answered): void {
  if (result.replayed) visit.addHeader('Idempotency-Replayed', 'true');
  const data = successData(tool.rest, result);
  const digest = (text: string) => digestAt(visit.req.url ?? '', text);
  const tag = tagged && isTold(tool, result) ? tagOf(result.version, data, digest) : undefined;
  if (tag !== undefined && tool.effect === 'read' && isKnown(visit.req, tag)) sendUnchanged(visit, tag);
  else sendWhole(visit, { tool, result }, { data, tag });
}

function sendWhole(
  visit: Visit,
  { tool: { rest }, result }: Answered,
  { data, tag }: { data: string; tag: string | undefined },
): void {
  const { status = 200, instead } = rest;
  if (tag !== undefined) visit.addHeader('ETag', tag);
  if (instead?.when(result.output)) sendJson(visit, instead.status, successBody(rest, result, data));
  else if (status === 204) sendNothing(visit);
  else sendJson(visit, result.existed ? 200 : status, successBody(rest, result, data));
}

/** A change that left nothing names no version, nor do repeats of what was answered before versions were kept. */
function isTold(tool: RestTool, { version }: Answer): boolean {
  return tool.effect === 'read' || version !== undefined;
}

interface Answered {
  readonly tool: RestTool;
  readonly result: Answer;
}

interface Reading {
  readonly stream: Stream;
  readonly exchange: Exchange;
  /** One for all spellings of a URL; undefined where it names no object. */
  readonly address: string | undefined;
}

async function answerStream({ app, visit }: Service, { stream, exchange, address }: Reading) {
  const opened = await renamed(
    (path) => (path === stream.resumesAfter ? resumedBy(visit.req, path) : path),
    () => openStream(app.services, stream, exchange),
  );
  if (opened === undefined) return sendNothing(visit);
  const leave = app.seats.take({ address, account: seatOf(visit, stream) });
  try {
    await sendEvents(visit, opened, app.services.ports.clock);
  } finally {
    leave();
  }
}

/** Who may call without a credential may call with any: one that is not ours tells nothing of the caller. */
async function callerIfKnown(app: App, place: Place, shown: IncomingMessage): Promise<Visit['caller']> {
  try {
    return app.tokenPlaces.callerAt(place, await app.identify(shown));
  } catch (thrown) {
    // A credential that is refused is no matter here; that nobody could look it up is in the log.
    refusalFor(thrown, app.services.log, { doing: 'recognising a caller' });
    return null;
  }
}

/** Whose the seat is: of nobody's readers, the address they come from. */
function seatOf({ caller, ip }: Visit, { surface }: Stream): string {
  return caller === null ? ip : limitedAccountOf(caller, surface);
}

function exchangeOf(app: App, visit: Visit, match: Match): Exchange {
  const { 'idempotency-key': given, 'if-match': ifMatch } = visit.req.headers;
  return {
    from: visit,
    read: () => inputOf(app, visit, match),
    beforehand: () => saidInAddress(match),
    keyHeader: given === undefined ? undefined : { given: String(given), place: () => placeOf(match) },
    ifMatch,
  };
}

/** The object that the path names, and why the query says that it is changed. */
function saidInAddress({ route, params, query }: Match): Readonly<Record<string, unknown>> {
  const { [REASON_FIELD]: why } = query;
  return { ...(why === undefined ? {} : { [REASON_FIELD]: why }), ...readPath(params, route.kinds) };
}

/** One for all spellings of a URL, and of the numbers in it. */
function placeOf({ route, params }: Match): string {
  return [route.method, route.path, ...Object.values(readPath(params, route.kinds))].join(' ');
}

function inputOf({ bodyLimits }: App, { req }: Visit, { route, params, query }: Match) {
  const asked = 'stream' in route.target ? resumed(req, route.target.stream, query) : query;
  return readInput({ req, params, query: asked, kinds: route.kinds, limits: bodyLimits });
}

/**
 * A reader that comes back says with Last-Event-ID where it was. Its query is still that of its first visit, because
 * an EventSource returns to the same URL: the header is the newer word, and wins.
 */
function resumed(req: IncomingMessage, { resumesAfter }: Stream, query: Match['query']): Match['query'] {
  const last = lastEventId(req);
  return last === undefined ? query : { ...query, [resumesAfter]: last };
}

function lastEventId({ headers }: IncomingMessage): string | undefined {
  const { 'last-event-id': last } = headers;
  return typeof last === 'string' && last !== '' ? last : undefined;
}

/** What a complaint calls the place where a reader was. */
function resumedBy(req: IncomingMessage, field: string): string {
  return lastEventId(req) === undefined ? field : 'Last-Event-ID';
}

/** Takes a token whatever address it is for. */
const ANYWHERE: Place = { way: 'rest', surface: 'platform' };

/**
 * Nothing at this address (404), or something for other methods (405 with Allow). To an agent that nobody claimed
 * every address but two is forbidden, whether there is something or not.
 */
async function refusalAt({ app, visit }: Service, allow: readonly string[]): Promise<AppError> {
  const caller = await callerIfKnown(app, ANYWHERE, visit.req);
  if (caller?.kind === 'anonymous_agent') return unclaimedAgent();
  if (allow.length === 0) return nothingThere();
  visit.addHeader('Allow', allow.join(', '));
  return methodNotAllowed(allow);
}
