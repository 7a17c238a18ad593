import type { Command } from 'commander';
import type { Store } from '../../store/engine/db.ts';
import type { Secrets } from '../../tools/core/ports.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { rotateSecrets, sealedShares } from '../../tools/domain/sealing/rotation.ts';
import { addSecretsKey, secretsOf } from '../process/secrets-key.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { reasonOption } from './reason-option.ts';
import { livingKeys, lostWords, restartWords } from './sealed.ts';
import type { Installation, Run } from './task-runner.ts';

/** The operator's commands around the keys that encrypt stored credentials. */
export function addSecretsCommands(program: Command, run: Run): void {
  const secrets = program.command('secrets').description('Keys that encrypt stored credentials');
  secrets
    .command('new-key')
    .description('Put a new key above the ones in secrets.key, where SECRETS_KEY is not set')
    .action(() => {
      process.stdout.write(`${newKey(readConfig())}\n`);
    });
  secrets
    .command('rotate')
    .description('Encrypt everything stored with the newest key, and say when the others may go')
    .addOption(reasonOption())
    .action(() => run(secretsRotate));
}

function newKey(config: Config): string {
  if (config.secretsKey !== undefined) {
    throw new Error(
      'SECRETS_KEY is set. Put its value into SECRETS_KEY_PREVIOUS, and a new one in its place: openssl rand -base64 32.',
    );
  }
  return [
    `A new key is on the first line of ${addSecretsKey(config)}.`,
    'Restart the service, then run npm run rialto -- secrets rotate.',
  ].join('\n');
}

/** Encrypts anew what other keys encrypted. A process without the newest key could open none of it. */
async function secretsRotate(operator: Operator, { config, store }: Installation): Promise<string> {
  const secrets = secretsOf(config);
  const [newest] = secrets.keyIds;
  await requireEverywhere(store, config, newest);
  const { done, damaged } = await rotateSecrets(operator, store, secrets);
  return [
    `${done} encrypted anew with the key ${newest}.`,
    ...damagedWords(damaged),
    ...(await whatIsLeft(store, secrets, { config, damaged: damaged.length })),
  ].join('\n');
}

/** Refuses where a process could not open what is encrypted from now on. */
export async function requireEverywhere(store: Store, config: Config, newest: string): Promise<void> {
  const living = await livingKeys(store, config.processLeaseMs);
  if (living.every((keyIds) => keyIds.includes(newest))) return;
  throw new Error(
    `A process serves without the key ${newest}, and would open nothing that it encrypts. ${restartWords(config)}; ` +
      'then run this again.',
  );
}

const DAMAGED_NAMED = 20;

/** What no key opens although its own is here. */
function damagedWords(damaged: readonly string[]): string[] {
  if (damaged.length === 0) return [];
  const more = damaged.length > DAMAGED_NAMED ? ` and ${damaged.length - DAMAGED_NAMED} more` : '';
  const named = damaged.slice(0, DAMAGED_NAMED).join(', ');
  return [`Damaged, and left as it is: ${named}${more}. No key opens it: set it anew, or restore a backup.`];
}

interface Found {
  readonly config: Config;
  /** Values that nothing opens. */
  readonly damaged: number;
}

/** Looks at the values first and at the processes last: whoever wrote one of these was there before. */
async function whatIsLeft(
  store: Store,
  { keyIds: [newest, ...previous] }: Secrets,
  { config, damaged }: Found,
): Promise<string[]> {
  const left = (await sealedShares(store.db)).filter(({ keyId }) => keyId !== newest);
  const unknown = left.filter(({ keyId }) => !previous.includes(keyId));
  const lost = unknown.map(lostWords);
  const old = left.filter((share) => !unknown.includes(share)).reduce((sum, { count }) => sum + count, 0);
  const living = await livingKeys(store, config.processLeaseMs);
  const restart = restartWords(config);
  const again = whyAgain({ newest, living, restart, isWritten: old > damaged });
  if (again !== undefined) return [...lost, again];
  if (previous.length === 0) return lost;
  const them = previous.length === 1 ? `the key ${previous[0]}` : `the keys ${previous.join(', ')}`;
  return [
    ...lost,
    `Nothing stored needs ${them} any more: take it out of SECRETS_KEY_PREVIOUS or of secrets.key.`,
    'Backups made until now need it: keep it with them.',
  ];
}

interface Standing {
  readonly newest: string;
  readonly living: readonly (readonly string[])[];
  /** How a process comes by the newest key. */
  readonly restart: string;
  /** Something was written meanwhile with a key of before. */
  readonly isWritten: boolean;
}

function whyAgain({ newest, living, isWritten, restart }: Standing): string | undefined {
  if (living.some((keyIds) => !keyIds.includes(newest))) {
    return (
      `A process came meanwhile without the key ${newest}, and opens nothing that was encrypted anew. ` +
      `${restart}; then run this again.`
    );
  }
  if (isWritten) return 'Some were written meanwhile with a key of before: run this again.';
  return living.some(([first]) => first !== newest)
    ? `A process still encrypts with a key of before: restart it with ${newest} first, and run this again.`
    : undefined;
}
