import { describe, expect, test } from 'vitest';
import { rotateSigningKey } from '../../adapters/auth/tokens.ts';
import { forgetOauth } from '../../adapters/process/oauth-retention.ts';
import { findOauthClient, insertOauthClient } from '../../store/unscoped/oauth-clients.ts';
import { listSigningKeys } from '../../store/unscoped/signing-keys.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { connect, program } from '../support/callers/programs.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer } from '../support/server/server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('what is forgotten', () => {
  test('is every client that nobody let in within a day, and one that was not used for ninety', async () => {
    const clock = manualClock();
    const server = await startTestServer({ clock });
    const { services } = server.running.app;
    const person = await signedInPerson(server);
    const used = await connect(server, person);
    const { body: tried } = await program(server).register({ redirect_uris: [CALLBACK] });
    await insertOauthClient(server.store.db, {
      id: 'oc_by_hand',
      name: 'By hand',
      metadata: '{}',
      origin: 'operator',
      created_at: server.operator.now,
      last_used_at: null,
    });
    const left = async () => {
      await forgetOauth(services, DAY_MS);
      const ids = [tried.client_id, used.clientId, 'oc_by_hand'];
      const rows = await Promise.all(ids.map((id) => findOauthClient(server.store.db, id)));
      return rows.map((row) => row !== undefined);
    };

    clock.advance(23 * HOUR_MS);
    expect(await left()).toEqual([true, true, true]);
    clock.advance(2 * HOUR_MS);
    expect(await left()).toEqual([false, true, true]);
    clock.advance(90 * DAY_MS);
    expect(await left()).toEqual([false, false, true]);
    await server.stop();
  });

  test('are codes, tokens and grants that are over', async () => {
    const clock = manualClock();
    const server = await startTestServer({ clock });
    const { services } = server.running.app;
    await connect(server, await signedInPerson(server));
    await server.store.db
      .insertInto('revoked_tokens')
      .values({ jti: 'x', expires_at: server.operator.now })
      .execute();
    const count = async () => {
      const tables = ['oauth_artifacts', 'oauth_grants', 'revoked_tokens'] as const;
      const all = tables.map((table) =>
        server.store.db.withoutPlugins().selectFrom(table).selectAll().execute(),
      );
      return (await Promise.all(all)).map(({ length }) => length);
    };
    const before = await count();

    clock.advance(31 * DAY_MS);
    await forgetOauth(services, DAY_MS);

    expect(before).toEqual([2, 1, 1]);
    expect(await count()).toEqual([0, 0, 0]);
    await server.stop();
  });

  test('is a key that signed nothing for so long that none of its tokens lives', async () => {
    const clock = manualClock();
    const server = await startTestServer({ clock });
    const { services } = server.running.app;
    const rotate = () => rotateSigningKey({ store: server.store, clock, secrets: services.ports.secrets });
    const first = await rotate();
    clock.advance(1_000);
    const second = await rotate();
    const kids = async () => {
      await forgetOauth(services, DAY_MS);
      return (await listSigningKeys(server.store.db)).map(({ id }) => id);
    };

    clock.advance(DAY_MS - 1);
    expect(await kids()).toEqual([second, first]);
    clock.advance(2);
    expect(await kids()).toEqual([second]);
    await server.stop();
  });
});
