import type { Command } from 'commander';

/** Refuses a value that is given twice: the last would hold, and the others be passed over in silence. */
export function takeEachOnce(command: Command): void {
  for (const below of command.commands) takeEachOnce(below);
  for (const option of command.options) {
    if (option.isBoolean() || option.variadic) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' is given twice. Call once for each.`);
      isGiven = true;
    });
  }
}
