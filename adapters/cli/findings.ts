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
