import type { Command } from 'commander';
import { fromJson } from '../../store/engine/codec.ts';
import { listOperatorClients } from '../../store/unscoped/oauth-clients.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { registerByHand } from '../../tools/domain/organizations/programs.ts';
import { shortText } from '../../tools/domain/text.ts';
import { rotateSigningKey } from '../auth/tokens.ts';
import { publicClientOf } from '../oauth/registration.ts';
import { systemClock } from '../ports/clock.ts';
import { secretsOf } from '../process/secrets-key.ts';
import { given } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import { requireEverywhere } from './secrets.ts';
import type { Installation, Run } from './task-runner.ts';

const programName = shortText(100);

/** The operator's commands around tokens: the keys that sign them, and the programs that may ask for them. */
export function addOauthCommands(program: Command, run: Run): void {
  program
    .command('keys')
    .description('Keys that sign tokens')
    .command('rotate')
    .description('Sign with a new key from now on; the old one is believed until its last token is over')
    .addOption(reasonOption())
    .action(() => run(keysRotate));
  const client = program
    .command('oauth')
    .description('Programs that people connect')
    .command('client')
    .description('Programs that do not register by themselves');
  client
    .command('add')
    .description('Register a program by hand')
    .requiredOption('--name <name>', 'what people are shown as its name')
    .requiredOption(
      '--redirect-uri <uri...>',
      'where it is called back, letter by letter as it shows it; more than one may follow',
    )
    .addOption(reasonOption())
    .action((options: { name: string; redirectUri: string[] }) =>
      run((operator) => clientAdd(operator, options)),
    );
  client
    .command('list')
    .description('List the programs that were registered by hand')
    .action(() => run(clientList));
}

async function keysRotate(operator: Operator, { config, store }: Installation): Promise<string> {
  const secrets = secretsOf(config);
  await requireEverywhere(store, config, secrets.keyIds[0]);
  const parts = { store, clock: systemClock, secrets };
  const kid = await rotateSigningKey(parts, operator);
  return `Signing with ${kid} within a minute. The key before it stays published until its last token is over.`;
}

async function clientAdd(
  operator: Operator,
  { name, redirectUri }: { name: string; redirectUri: readonly string[] },
): Promise<string> {
  const client = publicClientOf({
    client_name: given('--name', programName, name),
    redirect_uris: redirectUri,
  });
  const id = await registerByHand(operator, {
    name: client.client_name,
    redirectUris: client.redirect_uris,
    metadata: { ...client },
  });
  return [`Client ${id}: ${client.client_name}`, ...client.redirect_uris, 'It has no secret.'].join('\n');
}

async function clientList(operator: Operator): Promise<string> {
  const rows = await listOperatorClients(operator.db);
  const lines = rows.map(({ id, name, metadata, last_used_at: used }) => {
    const uris = [fromJson(metadata)['redirect_uris'] ?? []].flat().join(' ');
    return [id, name, uris, used === null ? 'never used' : `used ${used}`].join('\t');
  });
  return lines.length === 0 ? 'No program was registered by hand.' : lines.join('\n');
}
