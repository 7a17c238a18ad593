import type { CredentialProvider } from '../../tools/domain/credentials/port.ts';
import type { Config } from '../settings/config.ts';
import { httpCredentials } from './http-provider.ts';

/** The service that keeps the organizations' keys; undefined where they are rows of ours. */
export function keptElsewhere(config: Config): CredentialProvider | undefined {
  const { credentialProviderUrl: url, credentialProviderSecret: secret } = config;
  if (url === undefined || secret === undefined) return undefined;
  return httpCredentials({
    url,
    secret,
    timeoutMs: config.credentialProviderTimeoutMs,
    cacheMs: config.credentialProviderCacheMs,
  });
}
