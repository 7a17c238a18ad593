import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { claimedAgent, codeOn, confirmAt, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { askForToken, newApplication } from '../support/callers/applications.ts';
import { headersOf, newBrowser } from '../support/callers/browsers.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { legacyValue, newLegacyKey } from '../support/callers/legacy-keys.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { claimsOf, connect, program } from '../support/callers/programs.ts';
import { newServiceToken } from '../support/callers/service-tokens.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import type { Kind, Transition } from './table.ts';
import { LIFE_SECONDS, type World } from './world.ts';

const LIFE_MS = LIFE_SECONDS * 1_000;

/** An organization below a parent, with somebody who manages it. */
export interface Place {
  readonly world: World;
  readonly parent: Person;
  readonly owner: Person;
  readonly admin: Client;
  readonly advertiserId: string;
}

export async function newPlace(world: World): Promise<Place> {
  const parent = await newPerson(world.one);
  const owner = await newPerson(world.one, { parentId: parent.organizationId });
  const admin = clientFor(world.one.url, await owner.browser());
  return { world, parent, owner, admin, advertiserId: await newAdvertiser(owner) };
}

export interface Credential {
  /** What stands where tests show a key. */
  readonly shown: string;
  /** The person whom it acts for, or who made it. */
  readonly person?: { readonly userId: number; readonly email: string };
  /** The organization that it is of, where that is one of its own. */
  readonly organizationId?: number;
  /** When its registration ends, where it was given in one. */
  readonly registrationEndsAt?: number;
  /** When it ends by itself, in milliseconds since 1970. */
  readonly endsAt?: number;
  /** Gets another token by what was shown at first. */
  readonly again?: () => Promise<string>;
  /** Asks for the next credential with what is kept for that. True: it was given. */
  readonly renew?: () => Promise<boolean>;
  /** What happens to this kind alone. */
  readonly deeds?: Partial<Record<Transition, () => Promise<unknown>>>;
}

const endOf = (token: string) => Number(claimsOf(token)['exp']) * 1_000;
const isGiven = ({ status }: { readonly status: number }) => status === 200;

async function organizationKey({
  world,
  admin,
  owner,
}: Place): Promise<Credential & { readonly keyId: string }> {
  const { operator } = world.one;
  const { organizationId } = owner;
  const maker = await newBrowser(world.one, organizationId);
  const endsAt = world.clock.now() + LIFE_MS;
  const make = () =>
    createKey(operator, {
      organizationId,
      name: 'Script',
      permissions: ['buyer:read', 'buyer:write'],
      expiresAt: new Date(endsAt).toISOString(),
      createdByUserId: maker.userId,
    });
  const key = await make();
  return {
    shown: key.value,
    keyId: key.id,
    person: maker,
    endsAt,
    deeds: {
      rotated: make,
      revoked: async () => done(await admin.delete(`/org-api-keys/${key.id}`)),
      narrowed: () => narrowElsewhere({ world, owner }, `api_key:${key.id}`),
    },
  };
}

/** Narrows a key or a person to an advertiser that is none of those in use. */
export async function narrowElsewhere(
  { world, owner }: Pick<Place, 'world' | 'owner'>,
  holder: string,
): Promise<void> {
  const advertiserId = await newAdvertiser(owner, { name: 'Other', brand: 'other.example' });
  await narrow({ world, owner }, { holder, advertiserId });
}

async function narrow(
  { world, owner: { organizationId } }: Pick<Place, 'world' | 'owner'>,
  { holder, advertiserId }: { readonly holder: string; readonly advertiserId: string },
): Promise<void> {
  await giveGrant(world.one.operator, { organizationId, holder, advertiserId: Number(advertiserId) });
}

async function narrowedKey(place: Place): Promise<Credential> {
  const key = await organizationKey(place);
  await narrow(place, { holder: `api_key:${key.keyId}`, advertiserId: place.advertiserId });
  const { narrowed: _other, ...deeds } = key.deeds ?? {};
  return { ...key, deeds };
}

async function personsToken({ world, owner }: Place): Promise<Credential> {
  const { one } = world;
  const person = await signedInPerson(one, { organization: owner });
  const { clientId, tokens } = await connect(one, person);
  const refresh = (token: string) =>
    program(one).token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
  const newest = { refreshToken: tokens.refresh_token };
  const rotated = async () => {
    newest.refreshToken = (await refresh(newest.refreshToken)).body.refresh_token;
  };
  return {
    shown: tokens.access_token,
    person,
    endsAt: endOf(tokens.access_token),
    renew: async () => isGiven(await refresh(newest.refreshToken)),
    deeds: {
      rotated,
      replayed: async () => {
        await rotated();
        await refresh(tokens.refresh_token);
      },
      revoked: () => program(one).revoke(tokens.access_token),
      refreshRevoked: () => program(one).revoke(tokens.refresh_token),
    },
  };
}

async function machineToken({ world, owner, admin }: Place): Promise<Credential> {
  const { one } = world;
  const made = { ...(await newApplication(one, owner)), resource: `${one.url}/mcp/v2/buyer` };
  const { body } = await askForToken(one, made);
  const path = `/m2m-applications/${made.id}`;
  const rotated = async () => {
    const { clientSecret } = done(await admin.post(`${path}/secrets`));
    const next = await askForToken(one, { ...made, clientSecret });
    done(await clientFor(one.url, next.body.access_token).get('/buyer/advertisers'));
  };
  return {
    shown: body.access_token,
    endsAt: endOf(body.access_token),
    renew: async () => isGiven(await askForToken(one, made)),
    deeds: {
      rotated,
      rotatedAway: async () => {
        await rotated();
        done(await admin.delete(`${path}/secrets/${made.secretId}?force=true`));
      },
      revoked: () => program(one).revoke(body.access_token),
      applicationDeleted: async () => done(await admin.delete(path)),
    },
  };
}

async function serviceToken({ world, owner, admin }: Place): Promise<Credential> {
  const { record, bearer, maker } = await newServiceToken(world.one, owner, {
    role: 'READ_WRITE',
    expiresAt: new Date(world.clock.now() + LIFE_MS).toISOString(),
  });
  return {
    shown: bearer,
    person: maker,
    endsAt: Date.parse(record.expiresAt),
    deeds: { revoked: async () => done(await admin.delete(`/service-tokens/${record.id}`)) },
  };
}

async function legacyKey({ world, owner, admin }: Place, email?: string): Promise<Credential> {
  const value = legacyValue();
  const endsAt = world.clock.now() + LIFE_MS;
  const expiresAt = new Date(endsAt).toISOString();
  const id = await newLegacyKey(world.one, owner, { value, email, expiresAt });
  return {
    shown: value,
    endsAt,
    deeds: { revoked: async () => done(await admin.delete(`/legacy-keys/${id}`)) },
  };
}

async function legacyKeyOfPerson(place: Place): Promise<Credential> {
  const person = await newBrowser(place.world.one, place.owner.organizationId);
  return { ...(await legacyKey(place, person.email)), person };
}

async function unclaimedAgent({ world, owner }: Place): Promise<Credential> {
  const { one } = world;
  const agent = stranger(one);
  const { organizationId } = owner;
  const person = await personAtBrowser(one, { organizationIds: [organizationId] });
  const { body } = await agent.post('/agent/identity', { type: 'anonymous' });
  const { assertion } = body.identity;
  const token = (await agent.exchange(assertion)).body.access_token;
  const { sandbox_organization_id, expires_at } = await registrationOf(world, body.id);
  const claimed = async () => {
    const asked = { claim_token: body.claim.token, type: 'service_auth', login_hint: person.email };
    const begun = await agent.post('/agent/identity/claim', asked);
    const page = await confirmAt(person, begun.body.attempt.verification_uri);
    const brought = { claim_token: body.claim.token, user_code: codeOn(page) };
    const { status, text } = await agent.post('/agent/identity/claim/complete', brought);
    if (status !== 200) throw new Error(text);
  };
  return {
    shown: token,
    organizationId: sandbox_organization_id ?? 0,
    endsAt: endOf(token),
    registrationEndsAt: Date.parse(expires_at),
    again: async () => (await agent.exchange(assertion)).body.access_token,
    renew: async () => isGiven(await agent.exchange(assertion)),
    deeds: {
      claimed,
      rotated: () => agent.exchange(assertion),
      revoked: () => program(one).revoke(token),
      applicationDeleted: () => agent.form('/auth/revoke', { token: assertion }),
    },
  };
}

function registrationOf({ one }: World, id: string) {
  return one.store.db
    .withoutPlugins()
    .selectFrom('agent_registrations')
    .select(['sandbox_organization_id', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

async function agentOfPerson({ world, owner }: Place): Promise<Credential> {
  const { one } = world;
  const agent = stranger(one);
  const person = await personAtBrowser(one, { organizationIds: [owner.organizationId] });
  const { id, assertion, refreshToken } = await claimedAgent(agent, person);
  const token = (await agent.exchange(assertion)).body.access_token;
  const newest = { refreshToken };
  const { expires_at } = await registrationOf(world, id);
  const refresh = (value: string) => agent.post('/agent/identity', { type: 'refresh', refresh_token: value });
  const rotated = async () => {
    newest.refreshToken = (await refresh(newest.refreshToken)).body.identity.refresh_token.value;
  };
  return {
    shown: token,
    person,
    endsAt: endOf(token),
    registrationEndsAt: Date.parse(expires_at),
    again: async () => (await agent.exchange(assertion)).body.access_token,
    renew: async () => isGiven(await refresh(newest.refreshToken)),
    deeds: {
      rotated,
      replayed: async () => {
        await rotated();
        await refresh(refreshToken);
      },
      revoked: () => program(one).revoke(token),
      refreshRevoked: () => program(one).revoke(refreshToken),
      applicationDeleted: async () => {
        const page = await person.get('/settings/agents');
        await person.submit(page, '/settings/agents', { id });
      },
    },
  };
}

async function browserSession({ world, owner }: Place): Promise<Credential> {
  const { one } = world;
  const person = await signedInPerson(one, { organization: owner });
  const endsAt = world.clock.now() + LIFE_MS;
  await one.store.db
    .withoutPlugins()
    .updateTable('web_sessions')
    .set({ expires_at: new Date(endsAt).toISOString() })
    .where('id', '=', person.sessionId)
    .execute();
  const csrf = 'c'.repeat(43);
  const shown = `browser ${person.cookies.get('/ rialto_session')} ${csrf}`;
  return {
    shown,
    person,
    endsAt,
    deeds: {
      revoked: () =>
        clientFor(one.url).send(`${one.url}/sign-out`, {
          method: 'POST',
          headers: { ...headersOf(shown), origin: one.url },
          body: new URLSearchParams({ csrf }),
        }),
    },
  };
}

/** Makes a credential of a kind in an organization. */
export const makers: Readonly<Record<Kind, (place: Place) => Promise<Credential>>> = {
  'organization key': organizationKey,
  'narrowed key': narrowedKey,
  'access token of a person': personsToken,
  'access token of an application': machineToken,
  'service token': serviceToken,
  'legacy key of a person': legacyKeyOfPerson,
  'legacy key of an account': legacyKey,
  'anonymous agent': unclaimedAgent,
  'claimed agent': agentOfPerson,
  'browser session': browserSession,
};
