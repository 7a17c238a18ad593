import { describe, expect, test } from 'vitest';
import { bareReads } from '../support/house/bare-reads.ts';
import { sourceFiles, sourceOf } from '../support/house/source-files.ts';

const JSON_RPC = 'an error of JSON-RPC, whose code is a number';
const OF_NODE = 'an error of Node';
const OF_SELLER = 'what a seller says';

/** Files that read a code which is none of an answer of ours, or read its words beside it. */
const OTHERS: Readonly<Record<string, string>> = {
  'test/support/callers/refusals.ts': 'the helper itself',
  'test/rules/access.test.ts': 'refusals that are thrown, before an answer is made',
  'test/rules/spellings.test.ts': 'refusals that are thrown, before an answer is made',
  'test/process/operations.test.ts': 'its words are read beside it',
  'test/mcp/prompts.test.ts': JSON_RPC,
  'test/mcp/sessions.test.ts': JSON_RPC,
  'test/mcp/tools.test.ts': JSON_RPC,
  'test/support/mcp/open-session.ts': JSON_RPC,
  'test/http/drain.test.ts': OF_NODE,
  'test/support/mcp/conformance-run.ts': OF_NODE,
  'test/support/run/test-run.ts': OF_NODE,
  'test/outbound/orders-in-any-form.test.ts': OF_SELLER,
};

/** Helpers that give a code and nothing else, for tables that are asked of everything there is. */
const TABLES = new Set([
  'test/agents/unclaimed-agents.test.ts',
  'test/credential-lives/matrix.test.ts',
  'test/credential-lives/open.ts',
  'test/oauth/discovery.test.ts',
  'test/support/callers/refusals.ts',
]);

const files = sourceFiles('test').filter((path) => path !== 'test/rules/read-refusals.test.ts');

describe('a refusal', () => {
  test('is read by nobody for its code alone', () => {
    const bare = files.filter((path) => bareReads(sourceOf(path)).length > 0);

    expect(bare.sort()).toEqual(Object.keys(OTHERS).sort());
  });

  test('gives its code alone to tables, and to no test of one refusal', () => {
    const users = files.filter((path) => /\brefusalCode\(/.test(sourceOf(path)));

    expect(users.sort()).toEqual([...TABLES].sort());
  });

  test.each([
    'expect(reply.body.error.code).toBe("CONFLICT");',
    'expect([reply.status, reply.body.error?.code]).toEqual([409, "CONFLICT"]);',
    'answers.every(({ body: { error } }) => error.code === "CONFLICT");',
    'expect(reply).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });',
    'expect(reply).toMatchObject({ body: { error: { code, field: "name" } } });',
    'expect(reply.body.error).toMatchObject({ code: "CONFLICT", field: "name" });',
    'expect(reply.body.error).toEqual({ code: "CONFLICT" });',
  ])('would be found where it is: %s', (code) => {
    expect(bareReads(code)).toHaveLength(1);
  });

  test.each([
    'expectRefusal(reply, 409, { code: "CONFLICT", words: "The campaign is ARCHIVED." });',
    'expect(reply.body.error).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("ARCHIVED") });',
    'expect(answer).toMatchObject({ error: { code: -32602 } });',
    'expect(reply.body.error.message).toContain("ARCHIVED");',
  ])('is not found where its words are read: %s', (code) => {
    expect(bareReads(code)).toEqual([]);
  });
});
