export function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;
}

export function verdict(kept: boolean): string {
  return kept ? 'kept' : 'NOT KEPT';
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
