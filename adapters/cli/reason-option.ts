import { Option } from 'commander';
import { reasonText } from '../../tools/core/reasons.ts';
import { given } from './option-values.ts';

/** Why something is done: what every command has that changes something, and the log then tells (`runnerOf`). */
export function reasonOption(words = 'why: kept in the log'): Option {
  return new Option('--reason <words>', words).argParser((text) => given('--reason', reasonText, text));
}
