/** How many of each name; a name without any is forgotten. */
export class Tally<Name> {
  readonly #counts = new Map<Name, number>();

  at(name: Name): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: Name, more: number): void {
    const count = this.at(name) + more;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
