import { config as loadDotenv } from 'dotenv';
import { rialtoCommands } from './commands.ts';
import { problemInWords } from './problem-words.ts';

/** The command line of whoever runs an installation. */

loadDotenv({ quiet: true });
rialtoCommands()
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${problemInWords(error)}\n`);
    process.exit(1);
  });
