import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value that is carried along whatever is awaited while a work is under way. Node up to version 22 follows every
 * promise of the process once such a storage was entered, which makes each request a fifth dearer: while nothing is
 * under way, nothing is followed.
 */
export class Carried<T> {
  readonly #storage = new AsyncLocalStorage<{ value: T | undefined }>();
  #underWay = 0;

  async during<R>(value: T, work: () => Promise<R>): Promise<R> {
    const held: { value: T | undefined } = { value };
    this.#underWay += 1;
    try {
      return await this.#storage.run(held, work);
    } finally {
      // What goes on behind it keeps what it was begun with: that is emptied.
      held.value = undefined;
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#storage.disable();
    }
  }

  /** Undefined outside of any work, and for what goes on behind one that is over. */
  get value(): T | undefined {
    return this.#storage.getStore()?.value;
  }
}
