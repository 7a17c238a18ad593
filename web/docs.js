// As the browser is set: the stylesheet has colours for either.
const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

const at = (document, path) => path.reduce((value, name) => value?.[name], document);

/** With what each reference means in its place. Ours lead to components of the same document, in no circle. */
const resolved = (value, document) => {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...beside } = value;
  const meant = typeof $ref === 'string' ? at(document, $ref.replace(/^#\//, '').split('/')) : value;
  // What stands beside a reference says more of it (OpenAPI 3.1).
  const entries = Object.entries({ ...meant, ...beside });
  return Object.fromEntries(entries.map(([name, one]) => [name, resolved(one, document)]));
};

/**
 * The page reads the document as YAML and looks for references in all of it by itself, each time that an operation is
 * opened: seconds of the reader's for a document of this size. It is JSON, and what is opened is small.
 */
const ownDocument = () => ({
  fn: {
    resolveSubtree: async (document, path) => ({ errors: [], spec: resolved(at(document, path), document) }),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_, { specActions }) =>
          (text) =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
});

globalThis.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  plugins: [ownDocument],
  tryItOutEnabled: true,
  validatorUrl: null,
});
