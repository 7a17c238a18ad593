import { countAttempt } from '../attempts.ts';
import type { SettingsVisit } from './section.ts';

/** What is wrong with the password that somebody signed in gave once more; undefined for nothing. */
export async function passwordProblemNow(
  { exchange, people, signed }: SettingsVisit,
  given: string,
): Promise<string | undefined> {
  if (given === '') return 'Give the password you have now.';
  const attempt = countAttempt(exchange, signed.user.email);
  if (!(await people.passwords.verify(given, signed.user.password_hash))) return 'This is not your password.';
  attempt.forgive();
  return undefined;
}
