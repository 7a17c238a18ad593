import { isIP } from 'node:net';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { badRequest, forbidden } from '../../tools/core/errors/refusals.ts';
import { isLoopback } from '../net/addresses.ts';
import type { App } from './app.ts';

/** By which names the service may be called: a DNS name that was rebound to its address is none of them. */

export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Listening there is listening on every address of the machine. */
const WILDCARDS = new Set(['0.0.0.0', '[::]']);
const PORT_MAX = 65_535;
/** A name or a bracketed address, and perhaps a port (RFC 9110, section 7.2). */
const HOST = /^(\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]+)(?::(\d*))?$/i;

interface HostName {
  /** In lower case, an IPv6 address in brackets. */
  readonly name: string;
  readonly port: string;
}

function parseHost(host: string): HostName | undefined {
  const [, name, port = ''] = HOST.exec(host) ?? [];
  return name === undefined || Number(port) > PORT_MAX ? undefined : { name: name.toLowerCase(), port };
}

/** Without a Host, which HTTP/1.0 allows, nothing is malformed. */
export function malformed(host: string | undefined): AppError | undefined {
  return host === undefined || parseHost(host) !== undefined
    ? undefined
    : badRequest('The Host header is no host.', { suggestion: 'Send the name of this service as Host.' });
}

export interface Hosts {
  refusal(host: string | undefined): AppError | undefined;
  /** Whether an origin is that of the service: under PUBLIC_URL, or as a browser of this machine names it. */
  isOwnOrigin(origin: string, host: string | undefined): boolean;
}

export function createHosts({ config, services }: App): Hosts {
  const bound = config.host.includes(':') ? `[${config.host}]` : config.host;
  const onLoopback = isLoopback(config.host) || config.host === 'localhost';
  // Nobody said how the service is called: by an address at least it may be, which no DNS name can be.
  const byAddress = config.publicUrl === undefined && WILDCARDS.has(bound);
  const named = new Set(config.allowedHosts);
  const isNamed = ({ name, port }: HostName) =>
    named.has(name) ||
    named.has(`${name}:${port}`) ||
    [services.publicUrl(), config.agentUrl ?? services.publicUrl()].some((url) => isAt(url, { name, port }));
  const isAddress = (name: string) =>
    LOOPBACK_NAMES.has(name) ? onLoopback || byAddress : byAddress && isIP(name.replace(/[[\]]/g, '')) !== 0;
  const isOwn = (host: HostName) => isNamed(host) || isAddress(host.name);
  let known: string | undefined;
  return {
    refusal: (host) => {
      // Nearly every request names the same host as the one before.
      if (host === undefined || host === known) return undefined;
      const parsed = parseHost(host);
      if (parsed === undefined) return malformed(host);
      if (!isOwn(parsed)) return foreignHost(services.publicUrl());
      known = host;
      return undefined;
    },
    isOwnOrigin: (origin, host) => {
      if (origin === new URL(services.publicUrl()).origin) return true;
      const called = parseHost(host ?? '');
      return called !== undefined && LOOPBACK_NAMES.has(called.name) && isSameOnLoopback(origin, called.port);
    },
  };
}

/** A page of this service on this machine: each name of loopback is an origin, the port is the one called. */
function isSameOnLoopback(origin: string, port: string): boolean {
  if (!origin.startsWith('http://')) return false;
  const named = parseHost(origin.slice('http://'.length));
  return named !== undefined && LOOPBACK_NAMES.has(named.name) && named.port === port;
}

function isAt(address: string, { name, port }: HostName): boolean {
  const own = new URL(address);
  return name === own.hostname && (port || defaultPort(own)) === (own.port || defaultPort(own));
}

function defaultPort({ protocol }: URL): string {
  return protocol === 'https:' ? '443' : '80';
}

function foreignHost(publicUrl: string): AppError {
  return forbidden(
    'This service is not called by that Host.',
    `Call it at ${publicUrl}, or ask its operator to name the host in ALLOWED_HOSTS.`,
  );
}
