import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHandler } from '../../adapters/process/handler.ts';
import { needs, unconfined } from '../../tools/core/access.ts';
import type { Caller } from '../../tools/core/context.ts';
import { defineTool } from '../../tools/core/define.ts';
import { defineFamily } from '../../tools/core/families.ts';
import { campaignKind } from '../../tools/domain/buying/reach.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { listen, type RawServer } from '../support/sellers/seller-agent.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { familyOf } from '../support/server/family.ts';
import { gateRead, gateTool } from '../support/server/gate-tool.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** Open to agents that nobody claimed yet, as the reads of advertisers are. */
const openToUnclaimed = defineTool({
  ...gateRead,
  name: 'gate_glance',
  rest: { method: 'GET', path: '/glances/{campaignId}' },
  access: needs('buyer:read', { unclaimedAgents: true }),
});

/** Says that it is open to them, but changes something: that never counts. */
const changesForUnclaimed = defineTool({
  ...gateRead,
  name: 'gate_paint',
  effect: 'update',
  audit: { kind: campaignKind, ofInput: () => undefined },
  rest: { method: 'PUT', path: '/glances/{campaignId}' },
  access: needs('buyer:write', { unclaimedAgents: true }),
});

const forPeople = defineTool({
  ...gateRead,
  name: 'gate_key',
  rest: { method: 'GET', path: '/gate-keys/{campaignId}' },
  access: needs('buyer:admin', { human: true }),
});

const ofSellers = defineTool({
  ...gateRead,
  name: 'gate_sell',
  example: { campaignId: 'cmp_1' },
  input: z.strictObject({ campaignId: z.string() }),
});

describe('the gates over REST', () => {
  const { tool } = gateTool();
  const families = [
    familyOf([tool, gateRead, openToUnclaimed, changesForUnclaimed, forPeople]),
    defineFamily({ surface: 'storefront', toolset: 'selling', tools: [ofSellers] }),
  ];
  let server: TestServer;
  let pioneer: Person;
  beforeAll(async () => {
    server = await startTestServer({ families });
    pioneer = await newPerson(server, { alpha: true });
  });
  afterAll(() => server.stop());

  const raw = (person: Pick<Person, 'send'>, body: string) =>
    person.send('/buyer/gates/absent', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });

  test.each([
    ['absent', 404, { code: 'NOT_FOUND', words: 'No such gate.' }],
    [
      'beyond',
      403,
      { code: 'ACCESS_DENIED', words: 'This gate belongs to an account or advertiser beyond your grants.' },
    ],
    ['conflict', 409, { code: 'CONFLICT', words: 'The gate is shut.' }],
    ['credit', 402, { code: 'CREDIT_LIMIT_EXCEEDED', words: 'The toll is higher than the credit.' }],
  ] as const)('answer for the object “%s” with %i %o', async (campaignId, status, refusal) => {
    const reply = await pioneer.post(`/buyer/gates/${campaignId}`, { size: 1 });

    expectEnvelope(reply);
    expectRefusal(reply, status, refusal);
  });

  test('answer 401 to a body that is no JSON when nobody says who is calling', async () => {
    const reply = await raw(clientFor(server.url), '{');

    expectEnvelope(reply);
    expect(reply.status).toBe(401);
  });

  test('answer 403 to a body that is no JSON when the key may only read', async () => {
    const reply = await raw(await pioneer.withKey(['buyer:read']), '{');

    expectRefusal(reply, 403, { code: 'FORBIDDEN', words: 'This call needs the permission buyer:write.' });
  });

  test('answer 400 to a body that is no JSON before the absent object is looked for', async () => {
    const reply = await raw(pioneer, '{');

    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: 'The body is not valid JSON.' });
  });

  test('close the storefront surface to an organization without a storefront account', async () => {
    const buyer = await newPerson(server, { roles: ['BUYER'] });

    const reply = await buyer.get('/storefront/gates/here');

    expectRefusal(reply, 403, { code: 'FORBIDDEN', words: 'This organization has no storefront account.' });
  });

  test('close the buyer surface to an organization without a buyer account', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });

    expectRefusal(await seller.get('/buyer/gates/here'), 403, {
      code: 'FORBIDDEN',
      words: 'This organization has no buyer account.',
    });
    expect((await seller.get('/storefront/gates/here')).status).toBe(200);
  });

  test('refuse a key, whatever it may do, where a person has to be', async () => {
    const reply = await pioneer.get('/buyer/gate-keys/here');

    expectRefusal(reply, 403, {
      code: 'FORBIDDEN',
      words: 'This call needs an interactive session of a person; a key or token cannot make it.',
    });
  });

  describe('for an agent that nobody claimed yet', () => {
    const agent: Caller = {
      kind: 'anonymous_agent',
      principal: 'agent:1',
      name: 'A key',
      organizationId: 0,
      permissions: new Set(['buyer:read', 'buyer:write']),
      accounts: { buyer: 0, seller: 0 },
      confined: unconfined,
      advertiserIds: null,
      userId: null,
      tier: 'basic',
      alpha: true,
    };
    let mounted: RawServer;
    beforeAll(async () => {
      const { handle } = createHandler({ ...server.running.app, identify: async () => agent });
      mounted = await listen(handle);
    });
    afterAll(() => mounted.stop());

    test('pass GET and HEAD where the definition opens them, and nothing else', async () => {
      const client = clientFor(mounted.url, 'any');

      expect((await client.get('/buyer/glances/here')).status).toBe(200);
      expect((await client.send('/buyer/glances/here', { method: 'HEAD' })).status).toBe(200);
      expect(await client.get('/buyer/gates/here')).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', message: expect.stringContaining('claimed') } },
      });
      expectRefusal(await client.put('/buyer/glances/here', {}), 403, {
        code: 'FORBIDDEN',
        words: 'An agent that nobody has claimed may only read advertisers, over REST.',
      });
    });

    test('refuse it for what it is before its permission and its input are looked at', async () => {
      const reply = await raw(clientFor(mounted.url, 'any'), '{');

      expect(reply).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', message: expect.stringContaining('claimed') } },
      });
    });
  });
});
