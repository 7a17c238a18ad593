/** What the library carries along each of its requests; it has no types of its own. */
declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks';

  const carried: AsyncLocalStorage<unknown>;
  // biome-ignore lint/style/noDefaultExport: the library exports it so.
  export default carried;
}
