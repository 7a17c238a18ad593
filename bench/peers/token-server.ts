import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** The library alone, its clients and tokens in memory: `client_credentials` for an address, a JWT of ES256. */
const [, port = '0'] = process.argv.slice(2);
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const address = 'http://rialto.bench/api/v2';
const provider = new Provider('http://rialto.bench', {
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }] },
  clients: [
    {
      client_id: 'bench',
      client_secret: 'bench-secret-of-many-characters-000000000000',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  routes: { token: '/auth/token' },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => address,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: 'buyer:read',
        audience: address,
        accessTokenTTL: 900,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});
provider.listen(Number(port), '127.0.0.1');
