import type { AppError } from '../../core/errors/app-error.ts';
import { invalidInput, notImplemented } from '../../core/errors/refusals.ts';
import { isFields } from '../../core/schemas/checks.ts';

/** What a body would say of a plan, under every name it goes by. */
const PLAN_FIELDS = [
  'plan',
  'planId',
  'plan_id',
  'rateCardId',
  'rate_card_id',
  'rateCard',
  'signupCode',
  'signup_code',
  'promoCode',
  'code',
  'paymentMethod',
];

/**
 * Refuses a body that speaks of plans or codes, each field by its name: while the rollout is closed there are none
 * (interface, Buyer admission and signup rules, 7); once it is open, choosing one is not built yet.
 */
export function refusedPlan(body: unknown, areOpen: boolean): AppError | undefined {
  if (!isFields(body)) return undefined;
  const given = PLAN_FIELDS.filter((field) => field in body);
  if (given.length === 0) return undefined;
  if (areOpen) return notImplemented(given);
  return invalidInput(
    given.map((path) => ({ path, message: 'There are no plans and no codes to sign up with.' })),
    { suggestion: `Leave out ${given.join(', ')}: an account needs no plan.` },
  );
}
