import type { App } from '../http/app.ts';
import { agentPaths } from './reception.ts';

/** What the metadata of the authorization server says to agents that hold no credential. */
export function agentAuth({ services, config }: Pick<App, 'services' | 'config'>): Record<string, unknown> {
  const base = services.publicUrl();
  return {
    skill: `${base}${agentPaths.guide}`,
    identity_endpoint: `${base}${agentPaths.identity}`,
    claim_endpoint: `${base}${agentPaths.claim}`,
    identity_types_supported: config.agentRegistration,
  };
}
