import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { findKeyByHash } from '../../store/unscoped/credentials.ts';
import type { Services } from '../../tools/core/context.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { holderOfKey } from '../../tools/domain/organizations/holders.ts';
import type { Identify, Shown } from '../auth/identify.ts';
import { hashApiKey, keyCheck } from '../ports/keys.ts';
import { clientIp } from './client-ip.ts';
import type { Refused } from './refused-sign-ins.ts';

interface Parts {
  readonly services: Services;
  readonly brand: string;
  readonly trustedProxies: BlockList | undefined;
  networkOf(ip: string): string;
  note(refused: Refused): void;
}

/** Notes what of the credentials that are shown is refused: from where, and whose it was where it was once good. */
export function notingRefused(identify: Identify, parts: Parts): Identify {
  const isKey = keyCheck(parts.brand);
  const refuse = async (shown: Shown, error: unknown): Promise<never> => {
    const token = /^Bearer +(\S+)$/i.exec(shown.headers.authorization ?? '')?.[1];
    // What could not be looked up was refused to nobody.
    if (token !== undefined && isRequest(shown) && isRefusal(error)) {
      const network = parts.networkOf(clientIp(shown, parts.trustedProxies));
      parts.note({ network, ...(await aboutToken(token)) });
    }
    throw error;
  };
  const aboutToken = async (token: string): Promise<Pick<Refused, 'kind' | 'subject'>> => {
    if (!isKey(token)) return { kind: token.split('.').length === 3 ? 'token' : 'credential' };
    // The refusal stands whether or not it can be looked up.
    const { store, log } = parts.services;
    const key = await findKeyByHash(store.db, hashApiKey(token)).catch((err: unknown) => {
      log.error({ err }, 'looking up whose a refused key was failed');
      return undefined;
    });
    return { kind: 'api_key', subject: key === undefined ? undefined : holderOfKey(key.id) };
  };
  return (shown) => {
    try {
      const found = identify(shown);
      return found instanceof Promise ? found.catch((error: unknown) => refuse(shown, error)) : found;
    } catch (error) {
      return refuse(shown, error);
    }
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.status === 401;
}

function isRequest(shown: Shown): shown is IncomingMessage {
  return 'socket' in shown;
}
