/** Lets everything else that waits have its turn of the event loop: for work that has no bound of its own. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
