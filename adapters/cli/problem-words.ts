import { z } from 'zod';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { problemOf } from '../process/start-problem.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { complaintsOf } from './option-values.ts';

/** What went wrong, and what to do next where that is known. */
export function problemInWords(error: unknown): string {
  if (error instanceof AppError && error.suggestion !== undefined)
    return `${error.message} ${error.suggestion}`;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof z.ZodError) return complaintsOf(error, undefined);
  return problemOf(error, settingsIfAny()) ?? error.message;
}

function settingsIfAny(): Config | undefined {
  try {
    return readConfig();
  } catch {
    return undefined;
  }
}
