import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeTenant } from '../../store/engine/scope.ts';
import { type AgentClaimAttemptRow, findClaimAttempt } from '../../store/unscoped/agent-claim-attempts.ts';
import {
  type AgentRegistrationRow,
  findAgentRegistration,
  hasAgents,
} from '../../store/unscoped/agent-registrations.ts';
import { findMember } from '../../store/unscoped/people.ts';
import { refusalFor } from '../../tools/core/boundary.ts';
import { forbidden } from '../../tools/core/errors/refusals.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { confirmClaim, type Decision, denyClaim } from '../../tools/domain/agents/claiming.ts';
import type { Desk } from '../../tools/domain/agents/desk.ts';
import { postClaimScopes } from '../../tools/domain/agents/scopes.ts';
import type { SignedIn } from '../auth/session.ts';
import type { App } from '../http/app.ts';
import { requestIdOf } from '../http/visit.ts';
import { formField, formOf, signedIn } from '../people/browser.ts';
import { mailHint } from '../people/by-mail.ts';
import type { PageStatus } from '../people/exchange.ts';
import { answering, baseOf, type Exchange, leadOn, requireSafePlace, sendPage } from '../people/exchange.ts';
import { type Html, html } from '../people/html.ts';
import { placeWords, type Workplace, workplacesOf } from '../people/workplaces.ts';
import {
  claimPage,
  codePage,
  deniedPage,
  homelessPage,
  overPage,
  unprovenPage,
  wrongAccountPage,
} from './claim-view.ts';
import { agentPaths, deskOf, visitorAt } from './reception.ts';

const TITLE = 'Claim an agent';
const GONE = 410;
const FORBIDDEN = 403;
const CONFLICT = 409;

/** The pages on which a person claims an agent. */
export function claimPages(app: App) {
  const desk = deskOf(app);
  const at = (method: 'get' | 'post', path: string, answer: (visit: Claiming) => Promise<void>) => ({
    method,
    path,
    answer: (req: IncomingMessage, res: ServerResponse) => {
      const exchange = { app, req, res };
      return answering(
        exchange,
        () => answer({ desk, exchange }),
        (thrown) =>
          refusalFor(thrown, app.services.log, { requestId: requestIdOf(req), doing: 'claim page' }),
      );
    },
  });
  return [at('get', agentPaths.page, show), at('post', agentPaths.confirm, decide)];
}

interface Claiming {
  readonly desk: Desk;
  readonly exchange: Exchange;
}

async function show({ desk, exchange }: Claiming): Promise<void> {
  requireSafePlace(exchange);
  const { app, req } = exchange;
  const token =
    new URL(req.url ?? '', app.services.publicUrl()).searchParams.get('claim_attempt_token') ?? '';
  const person = await signedIn(exchange);
  if (person === undefined) {
    leadOn(exchange, `/sign-in?return_to=${encodeURIComponent(pathOf(token))}`);
    return;
  }
  const claim = await openClaim({ desk, exchange }, token, person);
  if (claim !== undefined) await ask(exchange, claim);
}

/** Where this claim is decided. */
function pathOf(token: string): string {
  return `${agentPaths.page}?claim_attempt_token=${encodeURIComponent(token)}`;
}

/** A claim that this person may decide. */
interface OpenClaim {
  readonly token: string;
  readonly person: SignedIn;
  readonly attempt: AgentClaimAttemptRow;
  readonly registration: AgentRegistrationRow;
  readonly places: readonly Workplace[];
}

/** Undefined where a page was sent that says why this person cannot decide. */
async function openClaim(
  { desk, exchange }: Claiming,
  token: string,
  person: SignedIn,
): Promise<OpenClaim | undefined> {
  const { store, ports } = desk.services;
  const send = (status: PageStatus, body: Html) => {
    sendPage(exchange, { title: TITLE, status, body });
    return undefined;
  };
  const attempt = await findClaimAttempt(store.db, ports.digest(token));
  const registration =
    attempt === undefined ? undefined : await findAgentRegistration(store.db, attempt.registration_id);
  if (attempt === undefined || registration === undefined) return send(GONE, overPage());
  if (isOver(attempt, registration, nowOf(ports.clock))) return send(GONE, overPage());
  const { user } = person;
  if (user.email !== attempt.login_hint || !isOwn(attempt, person)) {
    return send(FORBIDDEN, wrongAccountPage({ email: user.email, signOut: signOutForm(exchange, person) }));
  }
  if (user.email_verified_at === null) {
    const action = `${baseOf(exchange.app)}/settings/profile`;
    const field = formField(exchange, person.session);
    return send(
      FORBIDDEN,
      unprovenPage({ action, field, back: pathOf(token), hint: mailHint(exchange.app) }),
    );
  }
  const places = await workplacesOf(exchange.app, user.id);
  if (places.length > 0) return { token, person, attempt, registration, places };
  const signUp = `${baseOf(exchange.app)}/start`;
  return send(CONFLICT, homelessPage({ signUp, expiresAt: attempt.expires_at }));
}

function isOver(attempt: AgentClaimAttemptRow, registration: AgentRegistrationRow, now: string): boolean {
  const ended = attempt.ended_at ?? registration.claimed_at ?? registration.revoked_at;
  return ended !== null || attempt.expires_at <= now || registration.expires_at <= now;
}

/** Whoever confirmed first is the one who decides. */
function isOwn({ confirmed_by }: AgentClaimAttemptRow, { user }: SignedIn): boolean {
  return confirmed_by === null || confirmed_by === user.id;
}

function signOutForm(exchange: Exchange, { session }: SignedIn): Html {
  return html`<form method="post" action="${baseOf(exchange.app)}/sign-out">
${formField(exchange, session)}<button class="second">Sign out</button>
</form>`;
}

async function ask(exchange: Exchange, claim: OpenClaim): Promise<void> {
  const { token, person, attempt, registration, places } = claim;
  const { store, ports } = exchange.app.services;
  const marked = await Promise.all(
    places.map(async (place) => ({
      id: place.id,
      name: placeWords(place),
      isFirst: !(await hasAgents(store.db, makeTenant(place.id))),
    })),
  );
  sendPage(exchange, {
    title: TITLE,
    body: claimPage({
      action: `${baseOf(exchange.app)}${agentPaths.confirm}`,
      field: formField(exchange, person.session),
      token,
      email: person.user.email,
      agent: attempt.user_agent,
      ip: attempt.ip,
      askedAt: attempt.created_at,
      registeredAt: registration.created_at,
      expiresAt: attempt.expires_at,
      scopes: postClaimScopes,
      places: marked,
      hasMoved: registration.ip_hash !== ports.digest(attempt.ip),
      isConfirmed: attempt.confirmed_at !== null,
    }),
  });
}

async function decide({ desk, exchange }: Claiming): Promise<void> {
  const fields = await formOf(exchange);
  const person = await signedIn(exchange);
  if (person === undefined) throw signedOut();
  const claim = await openClaim({ desk, exchange }, fields.get('claim_attempt_token') ?? '', person);
  if (claim === undefined) return;
  if (fields.get('decision') === 'deny') {
    await denyClaim(desk, decisionOf({ desk, exchange }, claim, placeOf(claim)));
    sendPage(exchange, { title: TITLE, body: deniedPage() });
    return;
  }
  if (fields.get('decision') !== 'confirm') throw undecided();
  await confirm({ desk, exchange }, claim, Number(fields.get('organization_id')));
}

function decisionOf(
  { exchange }: Claiming,
  { attempt, registration, person }: OpenClaim,
  organizationId: number,
): Decision {
  const visitor = visitorAt(exchange.app, exchange.req);
  return {
    visitor,
    attemptId: attempt.id,
    agent: registration,
    person: person.user,
    organizationId,
    sessionId: person.session.id,
  };
}

/** Who denies is asked for no organization: it is the one that was chosen before, or where they work now. */
function placeOf({ attempt, person, places }: OpenClaim): number {
  const known = [attempt.chosen_organization_id, person.session.chosen_organization_id];
  const place = places.find(({ id }) => known.includes(id)) ?? places[0];
  if (place === undefined) throw undecided();
  return place.id;
}

async function confirm(
  { desk, exchange }: Claiming,
  claim: OpenClaim,
  organizationId: number,
): Promise<void> {
  const { attempt, person, places } = claim;
  const userId = person.user.id;
  const isPlace = places.some(({ id }) => id === organizationId);
  const member = isPlace ? await findMember(desk.services.store.db, { userId, organizationId }) : undefined;
  if (member === undefined) throw undecided();
  const code = await confirmClaim(desk, decisionOf({ desk, exchange }, claim, organizationId));
  if (code === undefined) sendPage(exchange, { title: TITLE, status: GONE, body: overPage() });
  else sendPage(exchange, { title: TITLE, body: codePage({ code, expiresAt: attempt.expires_at }) });
}

function signedOut() {
  return forbidden('You are signed out.', 'Open the link of your agent again, and sign in.');
}

function undecided() {
  return forbidden(
    'Choose one of your organizations, and confirm or refuse.',
    'Go back, choose an organization, and send the form once more.',
  );
}
