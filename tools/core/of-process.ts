import type { Services } from './context.ts';
import type { Ports } from './ports.ts';

/** What a process remembers, made when it is first asked for. It goes by the ports, which copies of services share. */
export function ofProcess<T>(make: (services: Services) => T): (services: Services) => T {
  const known = new WeakMap<Ports, T>();
  return (services) => {
    const own = known.get(services.ports) ?? make(services);
    known.set(services.ports, own);
    return own;
  };
}
