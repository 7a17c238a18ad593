// As the browser is set: the stylesheet has colours for either.
const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

globalThis.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
