import type { IncomingMessage, ServerResponse } from 'node:http';
import { findWebSessionById } from '../../store/unscoped/people.ts';
import { refusalFor } from '../../tools/core/boundary.ts';
import { call } from '../../tools/core/call.ts';
import type { Caller } from '../../tools/core/context.ts';
import { isRestTool, type RestTool } from '../../tools/core/define.ts';
import { invalid, unauthorized } from '../../tools/core/errors/refusals.ts';
import type { TokenClaims } from '../../tools/core/ports.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { parseInput } from '../../tools/core/validation.ts';
import { WIDGET_SCOPE, widgetAudience } from '../../tools/domain/credentials/port.ts';
import { callerForPerson } from '../auth/member.ts';
import type { App } from '../http/app.ts';
import { readJson } from '../http/body.ts';
import { failOrCut, sendJson, successBody } from '../http/envelope.ts';
import { Visit } from '../http/visit.ts';

/** What the widget can do, each a capability with its own gates. */
export type Deed = 'org_api_key_list' | 'org_api_key_create' | 'org_api_key_delete';

interface Request {
  readonly app: App;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Keys that the script is given at a time. */
const PAGE = 100;

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Answers a call of the widget: by its token, which opens nothing else, for the person that it was given to, as
 * that person is now. The capability asks for `buyer:admin` as it does of anybody.
 */
export async function answerWidget(
  { app, req, res }: Request,
  deed: Deed,
  params: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { services } = app;
  const visit = new Visit(req, res, app.trustedProxies);
  visit.target = `widget ${deed}`;
  visit.challenge = app.tokenPlaces.challenge;
  try {
    visit.caller = await personBehind(app, req);
    const tool = toolOf(app, deed);
    app.limits.countAccount(visit.caller, tool.surface, visit);
    const read = async () => ({ ...(await inputOf(app, req, tool)), ...params });
    const answer = await call(services, tool, { from: visit, read });
    sendJson(visit, tool.rest.status ?? 200, successBody(tool.rest, answer));
  } catch (thrown) {
    failOrCut(visit, refusalFor(thrown, services.log, { requestId: visit.requestId, doing: 'request' }));
  } finally {
    visit.log(services.log, res.statusCode);
  }
}

function toolOf({ tools }: App, deed: Deed): RestTool {
  const tool = tools.filter(isRestTool).find(({ name }) => name === deed);
  if (tool === undefined) throw new Error(`${deed} is not served.`);
  return tool;
}

/**
 * Billing, contracts and teams are not given away here (interface, Authentication rule 1). It is the input as the
 * capability takes it that is looked at: one word may stand for a list, and be spelled in more than one way.
 */
async function inputOf(
  { bodyLimits }: App,
  req: IncomingMessage,
  tool: RestTool,
): Promise<Record<string, unknown>> {
  if (req.method === 'GET') return { take: PAGE, skip: skipIn(req) };
  const body = await readJson(req, bodyLimits);
  if (!isFields(body)) return {};
  const { permissions } = body['permissions'] === undefined ? {} : parseInput(tool, body);
  if (Array.isArray(permissions) && permissions.includes('account:admin')) {
    throw invalid('permissions', 'Leave out account:admin: the widget gives it to nobody.', {
      suggestion: 'Choose of buyer:read, buyer:write and buyer:admin.',
    });
  }
  return { ...body };
}

/** How many keys the script has already. */
function skipIn(req: IncomingMessage): number {
  return Number(new URL(req.url ?? '/', 'http://ours.invalid').searchParams.get('skip'));
}

async function personBehind(app: App, req: IncomingMessage): Promise<Caller> {
  const token = BEARER.exec(req.headers.authorization ?? '')?.[1];
  const claims = token === undefined ? null : await app.services.ports.tokens.verify(token, 'widget+jwt');
  const caller = claims === null ? null : await callerOf(app, claims);
  if (caller === null) throw unauthorized('The widget needs a token of its own that has not expired.');
  return caller;
}

/** The session that the token was given in goes on, and the person belongs to the organization still. */
async function callerOf({ services, config }: App, claims: TokenClaims): Promise<Caller | null> {
  const { aud, sub, exp, sid, org_id: organizationId, scope } = claims;
  const isMeant = aud === widgetAudience(config.brand) && scope === WIDGET_SCOPE;
  if (!isMeant || typeof sid !== 'string' || typeof organizationId !== 'number') return null;
  const session = await findWebSessionById(services.store.db, sid);
  if (session === undefined || String(session.user_id) !== sub) return null;
  if (Date.parse(session.expires_at) <= services.ports.clock.now()) return null;
  const person = await callerForPerson(services, {
    kind: 'user',
    userId: session.user_id,
    organizationId,
    principal: `user:${session.user_id}`,
    interactive: true,
    sessionId: sid,
    endsAt: exp * 1_000,
  });
  // Nobody gives away what they do not hold, however it is asked for.
  const permissions = new Set(person?.permissions);
  permissions.delete('account:admin');
  return person && { ...person, permissions };
}
