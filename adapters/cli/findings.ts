/** What was found about one thing. */
export interface Finding {
  readonly state: 'fine' | 'warned' | 'failed';
  readonly about: string;
  readonly said: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export function fine(about: string, said: string): Finding {
  return { state: 'fine', about, said };
}

/** The service works, and somebody should look. */
export function warned(about: string, said: string, remedy: string): Finding {
  return { state: 'warned', about, said, remedy };
}

/** The service does not work, or will not for long. */
export function failed(about: string, said: string, remedy: string): Finding {
  return { state: 'failed', about, said, remedy };
}

/** What lies below what was thrown, in its own words. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? causeOf(cause) : error.message;
}
