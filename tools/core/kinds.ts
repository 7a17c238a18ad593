/** A kind of object: what the audit log, refusals and readers call it. Declared once, beside its loader. */
export interface Kind {
  /** Under which the audit log files it, such as `MEDIA_BUY`. */
  readonly type: Uppercase<string>;
  /** In a sentence, such as `media buy`. */
  readonly word: string;
  /** What to do next for whoever named one that is not there. */
  readonly lookUp: string;
  /** True where its rows count their versions: a change may say which it was made on. */
  readonly versioned?: true;
}
