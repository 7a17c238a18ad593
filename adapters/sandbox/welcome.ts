import { surfaces } from '../../tools/core/surfaces.ts';

export interface Facts {
  readonly version: string;
  readonly url: string;
  /** The sandbox key, at the first start. */
  readonly key: string | undefined;
  /** Where the key is kept, when it may not be shown. */
  readonly keyFile: string | undefined;
  /** Signs the first administrator in, at the first start. */
  readonly link: string | undefined;
  readonly linkFile: string | undefined;
}

/** What a person who starts the service for the first time is told. */
export function welcome(facts: Facts): string {
  const { version, url } = facts;
  const shown = (facts.keyFile === undefined ? facts.key : undefined) ?? '<key>';
  return [
    '',
    `Rialto ${version} is ready at ${url}`,
    '',
    ...linkLines(facts),
    '',
    ...keyLines(facts),
    '',
    'Three things to try:',
    '',
    '1. Ask every seller at once:',
    `  curl -s ${url}${surfaces.buyer.prefix}/discovery/discover-products \\`,
    `    -H 'Authorization: Bearer ${shown}' -H 'Content-Type: application/json' \\`,
    `    -d '{"advertiserId": 1, "brief": "reach runners before the spring marathons"}'`,
    '',
    '2. Look around with the MCP Inspector:',
    `  npx -y @modelcontextprotocol/inspector@2.12.0 --cli ${url}${surfaces.buyer.mcp.path} --transport http \\`,
    `    --header 'Authorization: Bearer ${shown}' --method tools/list`,
    '',
    '3. Connect an assistant host; most read a configuration like this:',
    ...hostConfig(url, shown),
    '',
    `Reference: ${url}/docs`,
    '',
  ].join('\n');
}

function linkLines({ url, link, linkFile }: Facts): string[] {
  if (link === undefined) return ['Sign in:', `  ${url}/sign-in`];
  return linkFile === undefined
    ? ['Sign in as the first administrator; this link works once, within 24 hours:', `  ${link}`]
    : [
        'A link that signs the first administrator in, once, in a file that this user alone can read:',
        `  ${linkFile}`,
      ];
}

function keyLines({ key, keyFile }: Facts): string[] {
  if (key === undefined)
    return [
      'The sandbox key was shown at the first start. Another one:',
      '  npm run rialto -- key create --sandbox',
    ];
  return keyFile === undefined
    ? ['Sandbox key, shown this once:', `  ${key}`]
    : ['Sandbox key, in a file that this user alone can read:', `  ${keyFile}`];
}

function hostConfig(url: string, key: string): string[] {
  const config = {
    mcpServers: {
      rialto: {
        type: 'http',
        url: `${url}${surfaces.buyer.mcp.path}`,
        headers: { Authorization: `Bearer ${key}` },
      },
    },
  };
  return JSON.stringify(config, null, 2)
    .split('\n')
    .map((line) => `  ${line}`);
}
