/** Failures that nobody catches, in a process that is told to have them. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('A promise that nobody waits for.'));
});
process.on('SIGWINCH', () => {
  throw new Error('An exception that nobody catches.');
});
