import { z } from 'zod';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { parseInput } from '../../tools/core/validation.ts';
import { AgentRefusal, badAgentRequest } from '../../tools/domain/agents/refusals.ts';

const EMAIL_MAX = 254;
const SECRET_MAX = 200;
const email = z.string().max(EMAIL_MAX).pipe(z.email());

function secretOf(whatItIs: string) {
  const message = `Give ${whatItIs}, as text.`;
  return z.string(message).min(1, message).max(SECRET_MAX, message);
}

const claimToken = secretOf('the claim token that your registration was answered with');

/** What agents send to register and to be claimed. Fields that only others know are passed over (RFC 7591 does so). */
export const agentBodies = {
  registration: z.object({ type: z.enum(['anonymous', 'service_auth', 'refresh']) }),
  refreshing: z.object({ refresh_token: secretOf('the refresh token that you were given last') }),
  claiming: z.object({ type: z.literal('service_auth'), claim_token: claimToken }),
  completing: z.object({
    claim_token: claimToken,
    user_code: secretOf('the six digits that the user reads to you'),
  }),
};

/** The fields of a body; everything that is wrong with them at once, in the words of the other ways in. */
export function readAgentBody<T extends z.ZodObject>(input: T, body: unknown): z.output<T> {
  try {
    return input.parse(parseInput({ input, effect: 'create' }, body ?? {}));
  } catch (thrown) {
    throw thrown instanceof AppError ? badAgentRequest(thrown.message) : thrown;
  }
}

/** The address of who will claim the agent. */
export function readLoginHint(body: unknown): string {
  const result = z.object({ login_hint: email }).safeParse(body);
  if (result.success) return result.data.login_hint;
  throw new AgentRefusal(
    'invalid_login_hint',
    'login_hint is the e-mail address of the user who will claim you. Ask the user for it.',
  );
}
