import { register } from 'node:module';

/**
 * The conformance command names `globSync` of `node:fs`, which Node has since version 22. It uses it for
 * nothing that we run; without the name it does not start.
 */
const files = `data:text/javascript,${encodeURIComponent(`
  export * from 'node:fs';
  export { default } from 'node:fs';
  export const globSync = () => [];
`)}`;

const hooks = `
  export const resolve = (specifier, context, next) =>
    specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
      ? { url: ${JSON.stringify(files)}, shortCircuit: true }
      : next(specifier, context);
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
