import { hash, randomBytes } from 'node:crypto';
import { toJson } from '../store/engine/codec.ts';
import { makeTenant } from '../store/engine/scope.ts';
import { insertApplication, insertSecret } from '../store/m2m-applications.ts';
import type { Services } from '../tools/core/context.ts';
import { nowOf } from '../tools/core/moments.ts';
import type { Operator } from '../tools/domain/organizations/operator.ts';
import { giveRole } from '../tools/domain/organizations/people.ts';
import { giveAccess } from '../tools/domain/organizations/programs.ts';

const DAY_SECONDS = 86_400;
const SCOPE = 'openid profile email';

/** What a token of a person says beside its times. */
export interface TokenOfPerson {
  readonly audience: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A backend that asks for tokens. */
export interface BenchApplication {
  readonly clientId: string;
  readonly secret: string;
}

/** A person who let a program in: what its tokens say. */
export async function makePerson(
  operator: Operator,
  services: Services,
  organizationId: number,
): Promise<TokenOfPerson> {
  const email = 'person@bench.example';
  const userId = await giveRole(operator, { organizationId, email, name: 'Bench', role: 'ADMIN' });
  const clientId = 'oc_bench';
  const gid = await giveAccess(operator, {
    userId,
    organizationId,
    clientId,
    clientName: 'Bench',
    readOnly: false,
    payload: { openid: { scope: SCOPE }, resources: {} },
    expiresAt: new Date(services.ports.clock.now() + DAY_SECONDS * 1_000).toISOString(),
  });
  return {
    audience: `${services.publicUrl()}/mcp/v2/buyer`,
    subject: String(userId),
    claims: {
      kind: 'user',
      client_id: clientId,
      org_id: organizationId,
      gid,
      scope: SCOPE,
      read_only: false,
    },
  };
}

/** Signs a token that nobody has seen. */
export function signFor({ ports }: Services, token: TokenOfPerson): Promise<string> {
  return ports.tokens.sign({ type: 'at+jwt', seconds: DAY_SECONDS, ...token });
}

export async function makeApplication(services: Services, organizationId: number): Promise<BenchApplication> {
  const { store, ports } = services;
  const tenant = makeTenant(organizationId);
  const now = nowOf(ports.clock);
  const clientId = ports.ids.make('client');
  const secret = randomBytes(32).toString('base64url');
  const { id } = await insertApplication(store.db, tenant, {
    id: ports.ids.make('m2m'),
    client_id: clientId,
    customer_id: null,
    name: 'Bench',
    description: null,
    permissions: toJson(['buyer:read']),
    created_by_user_id: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  });
  await insertSecret(store.db, tenant, {
    id: ports.ids.make('sec'),
    application_id: id,
    hash: hash('sha256', secret, 'hex'),
    hint: secret.slice(-4),
    created_by_user_id: null,
    created_at: now,
  });
  return { clientId, secret };
}
