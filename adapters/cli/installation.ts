import type { Command } from 'commander';
import { shapeOf } from '../../store/migrations/shape.ts';
import { openStore } from '../../store/open.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { type BackupOptions, backup } from './backup.ts';
import { doctor } from './doctor.ts';
import { move } from './move.ts';
import { reasonOption } from './reason-option.ts';
import { restore } from './restore.ts';
import { seed } from './seed.ts';

/** The operator's commands about the installation as a whole: it is served, looked after, kept and brought back. */
export function addInstallation(program: Command): void {
  program
    .command('serve')
    .description('Serve, until it is told to stop')
    .action(async () => {
      await import('../process/main.ts');
    });
  program
    .command('migrate')
    .description('Bring the database to the shape of this version; serving does it too')
    .action(async () => print(await migrate(readConfig())));
  program
    .command('seed')
    .description('Make the sandbox: an organization with a key, and two storefronts with products')
    .addOption(reasonOption())
    .action(async ({ reason }: { reason?: string }) => print(await seed(readConfig(), reason)));
  program
    .command('doctor')
    .description(
      'Check settings, database, disk, clock, ports, sellers, mail and sign-in, and say what to do',
    )
    .action(async () => {
      const { text, isWell } = await doctor();
      print(text);
      if (!isWell) process.exitCode = 1;
    });
  program
    .command('backup')
    .description('Copy the database into one file while the service goes on')
    .argument('<file>', 'a file that is not there yet')
    .option('--with-secrets-key', 'put the keys that open stored credentials into it (SQLite)')
    .action(async (file: string, options: BackupOptions) => print(await backup(readConfig(), file, options)));
  program
    .command('restore')
    .description('Put a backup in place of the database, while nothing serves it')
    .argument('<file>', 'the backup')
    .option('--replace', 'move the database that is there out of the way (SQLite)')
    .action(async (file: string, options: { replace?: boolean }) =>
      print(await restore(readConfig(), file, { ...options, now: new Date() })),
    );
  program
    .command('move')
    .description(
      'Move everything into an empty database, such as from SQLite to PostgreSQL, while nothing serves it',
    )
    .argument('<url>', 'of the other database: file:… or postgres://…')
    .action(async (url: string) => print(await move(readConfig(), url, Date.now())));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function migrate(config: Config): Promise<string> {
  const store = openStore(config.databaseUrl, { connections: 1 });
  try {
    const run = await store.migrate();
    const { newest } = await shapeOf(store.db);
    const steps = run.length === 0 ? 'Nothing was due' : `Steps run: ${run.join(', ')}`;
    return `${steps}. The database is at ${newest}.`;
  } finally {
    await store.close();
  }
}
