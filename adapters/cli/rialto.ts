import { config as loadDotenv } from 'dotenv';
import { rialtoCommands } from './commands.ts';
import { problemInWords } from './problem-words.ts';

/** The command line of whoever runs an installation. */

// Who reads what is printed may have enough of it, as `head` has: what is under way goes on to its end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
loadDotenv({ quiet: true });
rialtoCommands()
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${problemInWords(error)}\n`);
    process.exit(1);
  });
