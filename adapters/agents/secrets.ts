import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { AgentSecrets } from '../../tools/domain/agents/desk.ts';

const SECRET_BYTES = 32;
const CODES = 1_000_000;
const CODE_LENGTH = 6;
const HASH_BYTES = 32;

const slowHash = promisify<string, string, number, Buffer>(scrypt);

/** Secrets of agents, from the system's own source of randomness. */
export const agentSecrets: AgentSecrets = {
  token: (prefix) => `${prefix}_${randomBytes(SECRET_BYTES).toString('base64url')}`,
  code: () => String(randomInt(CODES)).padStart(CODE_LENGTH, '0'),
  hashCode: async (code, attemptId) => (await slowHash(code, attemptId, HASH_BYTES)).toString('hex'),
};
