import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../http/app.ts';
import { claimPages } from './claim-pages.ts';
import { agentEndpoints } from './endpoints.ts';

/** An address of agents, as it is mounted. */
export interface AgentRoute {
  /** `all`: it says itself which methods it takes. */
  readonly method: 'get' | 'post' | 'all';
  readonly path: string;
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

/** Where agents register, and where people claim them. */
export function agentRoutes(app: App): readonly AgentRoute[] {
  const endpoints = agentEndpoints(app).map((endpoint) => ({ method: 'all' as const, ...endpoint }));
  return [...endpoints, ...claimPages(app)];
}
