import type { IncomingMessage, ServerResponse } from 'node:http';
import type { default as Provider } from 'oidc-provider';

let underWay = 0;

/**
 * Has the library answer a request. What it carries along its requests is given up while none is under way: nobody
 * else is to pay for it (store/engine/carried.ts).
 */
export async function answeredByLibrary(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  underWay += 1;
  try {
    await provider.callback()(req, res);
  } finally {
    underWay -= 1;
    if (underWay === 0) await followNoMore();
  }
}

async function followNoMore(): Promise<void> {
  const { default: carried } = await import('oidc-provider/lib/helpers/als.js');
  if (underWay === 0) carried.disable();
}
