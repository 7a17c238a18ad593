import fc from 'fast-check';
import { seed } from './effort.ts';

// Every property of every test grows its cases from the seed of the run: a failure is found again.
fc.configureGlobal({ seed });
