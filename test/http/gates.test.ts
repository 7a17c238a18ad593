import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptTerms } from '../../tools/domain/organizations/terms.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { lanes } from '../support/callers/tool-lanes.ts';
import { served } from '../support/server/family.ts';
import { gateRead, gateTool } from '../support/server/gate-tool.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const bad = { size: 'huge' };
const good = { size: 1 };

describe.each(Object.entries(lanes))('the gates, over %s', (_name, lane) => {
  const { tool, handled } = gateTool();
  let server: TestServer;
  let hasty: Person;
  let reader: Person;
  beforeAll(async () => {
    server = await startTestServer({ tools: [tool, gateRead] });
    // Everything is wrong with this organization: terms not accepted, not in the alpha.
    hasty = await newPerson(server, { terms: false });
    reader = await hasty.withKey(['buyer:read']);
  });
  afterAll(() => server.stop());

  const pass = (key: string | undefined, args: object) =>
    lane({ url: server.url, key, tool: served(tool), args: { ...args } });

  test('ask first who is calling: 401 though everything else is wrong too', async () => {
    const { status, content, headers } = await pass(undefined, { campaignId: 'absent', ...bad });

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="api", (?!error)/);
    expect(content['code'] ?? 'UNAUTHORIZED').toBe('UNAUTHORIZED');
  });

  test('ask then for the permission: FORBIDDEN before the input is looked at', async () => {
    const { content, failed } = await pass(reader.key, { campaignId: 'absent', ...bad });

    expect(failed).toBe(true);
    expect(content).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('buyer:write') });
  });

  test('look then at the input: VALIDATION_ERROR before the object is looked for', async () => {
    const { content } = await pass(hasty.key, { campaignId: 'absent', ...bad });

    expect(content).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'size', message: expect.any(String) }] },
    });
  });

  test('look then for the object: NOT_FOUND before the terms', async () => {
    const { content } = await pass(hasty.key, { campaignId: 'absent', ...good });

    expect(content).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('ask then whose it is: ACCESS_DENIED before the terms', async () => {
    const { content } = await pass(hasty.key, { campaignId: 'beyond', ...good });

    expect(content).toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('ask then for the terms, before alpha; a read passes without them', async () => {
    const { content } = await pass(hasty.key, { campaignId: 'conflict', ...good });
    const look = await lane({
      url: server.url,
      key: hasty.key,
      tool: served(gateRead),
      args: { campaignId: 'conflict' },
    });

    expect(content).toMatchObject({
      code: 'TOS_ACCEPTANCE_REQUIRED',
      details: { organizationId: hasty.organizationId, tosVersion: '1' },
    });
    expect(look).toMatchObject({ status: 200, failed: false, content: { campaignId: 'conflict' } });
  });

  test('ask then for the alpha: ALPHA_OPT_IN_REQUIRED before the handler', async () => {
    await acceptTerms(server.operator, hasty.organizationId);

    const { content } = await pass(hasty.key, { campaignId: 'conflict', ...good });

    expect(content).toMatchObject({ code: 'ALPHA_OPT_IN_REQUIRED' });
    expect(handled()).toBe(0);
  });

  test('let the handler speak last: CONFLICT, CREDIT_LIMIT_EXCEEDED, or its output', async () => {
    const pioneer = await newPerson(server, { alpha: true });

    const conflict = await pass(pioneer.key, { campaignId: 'conflict', ...good });
    const credit = await pass(pioneer.key, { campaignId: 'credit', ...good });
    const fine = await pass(pioneer.key, { campaignId: 'fine', ...good });

    expect(conflict.content).toMatchObject({ code: 'CONFLICT' });
    expect(credit.content).toMatchObject({ code: 'CREDIT_LIMIT_EXCEEDED' });
    expect(fine).toMatchObject({ status: 200, failed: false, content: { campaignId: 'fine', size: 1 } });
    expect(handled()).toBe(3);
  });
});
