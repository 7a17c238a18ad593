import { isLoopback } from '../net/addresses.ts';
import type { Config } from '../settings/config.ts';
import type { FixedWindows, Quota } from './fixed-windows.ts';

/** Agents that register themselves are counted apart: without a credential for long, and nobody pays for them. */
export interface AgentLimits {
  /** Counts a request of an address, whose network is given; tells of the limit that is nearer, or passed. */
  take(what: 'anonymous' | 'others', from: { readonly ip: string; readonly network: string }): Quota;
}

export const AGENT_WINDOW_SECONDS = 3_600;

const EVERYBODY = 'everybody';

/** Per address and for everybody together, an hour long. The own machine is spared where people develop. */
export function createAgentLimits(
  config: Config,
  windows: (name: string, limit: number) => FixedWindows,
): AgentLimits {
  const spareLoopback = config.environment !== 'production';
  const counts = {
    anonymous: {
      perIp: windows('agents_ip', config.agentAnonymousPerIp),
      inAll: windows('agents_all', config.agentAnonymousInAll),
    },
    others: {
      perIp: windows('agent_requests_ip', config.agentRequestsPerIp),
      inAll: windows('agent_requests_all', config.agentRequestsInAll),
    },
  };
  return {
    take: (what, { ip, network }) => {
      const { perIp, inAll } = counts[what];
      const own = spareLoopback && isLoopback(ip) ? undefined : perIp.take(network);
      // Who is turned away takes nothing from the others.
      return own?.isOver ? own : inAll.take(EVERYBODY);
    },
  };
}
