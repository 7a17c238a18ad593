// Counts a run of the tests from its report: node .ci/count.mjs <report.json> <exit code of the run>
import { readFileSync } from 'node:fs';

const [, , path, status] = process.argv;
const text = readFileSync(path, 'utf8');
const report = text === '' ? { testResults: [] } : JSON.parse(text);
const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
const count = (wanted) => tests.filter((test) => test.status === wanted).length;
// A file that could not run at all has no tests, and is a failure all the same.
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
).length;
const passed = count('passed');
const failed = count('failed') + broken;
for (const test of tests.filter((one) => one.status === 'failed')) {
  process.stdout.write(`failed: ${test.fullName}\n`);
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = passed === 0 || failed > 0 ? 1 : Number(status);
