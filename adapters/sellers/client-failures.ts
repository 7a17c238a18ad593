/** Why a server could not be talked to, in words that do not depend on how it was spoken to. */
export type ClientFailure = 'unauthorized' | 'timeout' | 'not_mcp' | 'failing' | 'unreachable';

/** The server asks to be asked later. */
export class BusyError extends Error {
  /** What its Retry-After says: seconds, or a moment. */
  readonly retryAfter: string | undefined;

  constructor(retryAfter: string | undefined) {
    super('The server answers no more calls for now.');
    this.name = 'BusyError';
    this.retryAfter = retryAfter;
  }
}

/** The server answered with a status that is no success. */
export class StatusError extends Error {
  readonly status: number;
  /** What it said, where that is short. */
  readonly text: string;

  constructor(status: number, text: string) {
    super(`The server answered ${status}.`);
    this.name = 'StatusError';
    this.status = status;
    this.text = text;
  }
}

/** The server answered with an error of JSON-RPC. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
  }
}

/** What the server sent is no answer in the protocol. */
export class OtherProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OtherProtocolError';
  }
}

/** A failure that was classified where it came from. */
export class ClassifiedError extends Error {
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure, cause: unknown) {
    super(`The call failed: ${failure}.`, { cause });
    this.name = 'ClassifiedError';
    this.failure = failure;
  }
}

/** What went wrong between us and a server. */
export function classifyFailure(error: unknown): ClientFailure {
  if (error instanceof ClassifiedError) return error.failure;
  if (error instanceof StatusError) return classifyStatus(error.status);
  if (error instanceof ProtocolError) return classifyCode(error.code);
  // This is how fetch says that a connection was not made or broke.
  if (error instanceof TypeError && error.cause !== undefined) return classifyConnection(error.cause);
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'not_mcp';
}

/** JSON-RPC: method not found, invalid params. */
const NO_SUCH_TOOL: ReadonlySet<number> = new Set([-32_601, -32_602]);

export function classifyCode(code: number): ClientFailure {
  return NO_SUCH_TOOL.has(code) ? 'not_mcp' : 'failing';
}

export function classifyStatus(status: number): ClientFailure {
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'failing' : 'not_mcp';
}

function classifyConnection(cause: unknown): ClientFailure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /TIMEOUT$|^ETIMEDOUT$/.test(code) ? 'timeout' : 'unreachable';
}
