/** What a person who starts the service for the first time is told. */
export function welcome(facts: { version: string; url: string; key: string | undefined }): string {
  const { version, url, key } = facts;
  const shown = key ?? '<key>';
  return [
    '',
    `Rialto ${version} is ready at ${url}`,
    '',
    ...(key === undefined
      ? [
          'The sandbox key was shown at the first start. Another one:',
          '  npm run rialto -- key create --sandbox',
        ]
      : ['Sandbox key, shown this once:', `  ${key}`]),
    '',
    'Three things to try:',
    '',
    '1. Ask every seller at once:',
    `  curl -s ${url}/api/v2/buyer/discovery/discover-products \\`,
    `    -H 'Authorization: Bearer ${shown}' -H 'Content-Type: application/json' \\`,
    `    -d '{"advertiserId": 1, "brief": "reach runners before the spring marathons"}'`,
    '',
    '2. Look around with the MCP Inspector:',
    `  npx -y @modelcontextprotocol/inspector@2.12.0 --cli ${url}/mcp/v2/buyer --transport http \\`,
    `    --header 'Authorization: Bearer ${shown}' --method tools/list`,
    '',
    '3. Connect an assistant host; most read a configuration like this:',
    ...hostConfig(url, shown),
    '',
    `Reference: ${url}/docs`,
    '',
  ].join('\n');
}

function hostConfig(url: string, key: string): string[] {
  const config = {
    mcpServers: {
      rialto: {
        type: 'http',
        url: `${url}/mcp/v2/buyer`,
        headers: { Authorization: `Bearer ${key}` },
      },
    },
  };
  return JSON.stringify(config, null, 2)
    .split('\n')
    .map((line) => `  ${line}`);
}
