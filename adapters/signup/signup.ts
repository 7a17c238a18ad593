import { readAdmission } from '../../store/unscoped/admission.ts';
import { refusalFor } from '../../tools/core/boundary.ts';
import {
  brokenEscape,
  invalid,
  methodNotAllowed,
  nothingThere,
  unclaimedAgent,
} from '../../tools/core/errors/refusals.ts';
import { namesIn } from '../../tools/core/examples.ts';
import { REASON_FIELD, reasonIn } from '../../tools/core/reasons.ts';
import { KEY_HEADER } from '../../tools/core/repeat-keys.ts';
import { parseInput } from '../../tools/core/validation.ts';
import { refusedPlan } from '../../tools/domain/admission/plans.ts';
import { answering } from '../http/answering.ts';
import type { App, Handler } from '../http/app.ts';
import { readJson, refuseUnsafeFields } from '../http/body.ts';
import { refuseBrokenQuery } from '../http/broken-query.ts';
import { failOrCut, sendJson } from '../http/envelope.ts';
import { Visit } from '../http/visit.ts';
import type { Answered, Asked } from './answers.ts';
import { type Endpoint, endpoints } from './endpoints.ts';

/** Everything below this is ours; the last one is the address that was agreed for the form of a preview. */
const OWN = /^\/api\/v2\/(?:signup(?=[/?]|$)|buyer\/auth\/buyer-signup-intake(?=[?/]|$))/;

/**
 * Signing up over REST. It stands beside the capabilities, because it is done outside of all organizations, by most
 * before they are in one: no key, no scope and no log is theirs.
 */
export function createSignup(app: App): Handler {
  return (req, res) => {
    if (!OWN.test(req.url ?? '')) return false;
    const visit = new Visit(req, res, app.trustedProxies);
    answering(serve(app, visit), res, app.services.log);
    return true;
  };
}

async function serve(app: App, visit: Visit): Promise<void> {
  visit.challenge = app.tokenPlaces.challenge;
  try {
    app.limits.countIp(visit.ip, visit);
    await refuseStrayCredential(app, visit);
    const { endpoint, params, query } = find(visit);
    refuseBrokenQuery(visit.req);
    refuseUnsafeFields([...Object.entries(params), ...query]);
    visit.target = `${endpoint.method} ${endpoint.path}`;
    if (endpoint.isCounted) app.limits.countSignIn(visit.ip, 'signup', visit);
    readQuery(endpoint, query);
    const { body, reason } = endpoint.method === 'POST' ? await askedBy(app, visit, endpoint) : {};
    const answered: Answered = await endpoint.answer({ app, visit, params, body, reason });
    sendJson(
      visit,
      answered.status,
      JSON.stringify({ data: endpoint.output.parse(answered.data), error: null }),
    );
  } catch (thrown) {
    failOrCut(visit, refusalFor(thrown, app.services.log, { requestId: visit.requestId, doing: 'signup' }));
  } finally {
    visit.log(app.services.log, visit.res.statusCode);
  }
}

/**
 * Signing up asks for no credential, and opens nothing to one. One that is shown all the same is looked at: what
 * nobody knows is refused as everywhere, and an agent that nobody claimed may do nothing but read.
 */
async function refuseStrayCredential(app: App, visit: Visit): Promise<void> {
  if (visit.req.headers.authorization === undefined) return;
  const place = { way: 'rest', surface: 'platform' } as const;
  visit.caller = app.tokenPlaces.callerAt(place, await app.identify(visit.req));
  if (visit.caller?.kind === 'anonymous_agent') throw unclaimedAgent();
}

/** Refuses what a query says and nobody reads: whoever sends it would think that it counts. */
function readQuery({ method, input }: Endpoint, query: URLSearchParams): void {
  for (const name of query.keys()) {
    if (method === 'POST') throw invalid(name, 'Send it in the body: nothing else is read here.');
    if (query.getAll(name).length > 1) throw invalid(name, 'Give it once.');
  }
  if (method === 'GET') parseInput({ input, effect: 'read' }, Object.fromEntries(query));
}

/** The body, and the reason that was given in it. */
async function askedBy(app: App, visit: Visit, endpoint: Endpoint): Promise<Pick<Asked, 'body' | 'reason'>> {
  if (visit.req.headers[KEY_HEADER.toLowerCase()] !== undefined) throw keyAtSignup();
  const body = await bodyOf(app, visit);
  const given = reasonIn(endpoint, body);
  if (given === undefined) return { body };
  if (!endpoint.needsPerson) throw invalid(REASON_FIELD, NO_ENTRY);
  return { body: given.raw, reason: given.reason };
}

const NO_ENTRY =
  'Of a request for a preview no audit log has an entry that could keep it: leave it out, or tell it in use_case.';

/**
 * A key belongs to an account, and signing up is done outside of all, also by somebody who is in one. To pass over it
 * would promise a safe repeat that nobody keeps.
 */
function keyAtSignup() {
  return invalid(
    KEY_HEADER,
    'Signing up takes no key: one belongs to an account, and this is done outside of all.',
    {
      suggestion:
        'Leave it out: each way makes what it makes once for a person, and its repeat is told so. The form of a ' +
        'preview alone is kept as often as it is sent.',
    },
  );
}

/** A body, without a word of plans or codes in it. */
async function bodyOf({ services, bodyLimits }: App, { req }: Visit): Promise<unknown> {
  const body = (await readJson(req, bodyLimits)) ?? {};
  const { plans } = await readAdmission(services.store.db);
  const refused = refusedPlan(body, plans);
  if (refused !== undefined) throw refused;
  return body;
}

interface Found {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

function find(visit: Visit): Found {
  const url = new URL(visit.req.url ?? '/', 'http://ours.invalid');
  const path = url.pathname.replace(/\/+$/, '');
  const there = endpoints.flatMap((endpoint) => {
    const params = paramsOf(endpoint, path);
    return params === undefined ? [] : [{ endpoint, params, query: url.searchParams }];
  });
  if (there.length === 0) throw nothingThere();
  const { method = 'GET' } = visit.req;
  const found = there.find(({ endpoint }) => endpoint.method === (method === 'HEAD' ? 'GET' : method));
  if (found !== undefined) return found;
  const allow = there.flatMap(({ endpoint }) =>
    endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
  );
  visit.addHeader('Allow', allow.join(', '));
  throw methodNotAllowed(allow);
}

function paramsOf({ path: template }: Endpoint, path: string): Record<string, string> | undefined {
  const names = namesIn(template);
  const found = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]{1,200})')}$`).exec(path);
  if (found === null) return undefined;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
  } catch (cause) {
    throw brokenEscape('path', { cause });
  }
}
