import { type KyselyPlugin, type PluginTransformQueryArgs, UpdateQueryNode } from 'kysely';
import { tablesOf } from './scope-rules.ts';

/** A database that fails the next change of a media buy, or of what else it is told, when it is told to. */
export class FailingWrites implements KyselyPlugin {
  private failing: (() => void) | undefined;
  private table = '';

  /** Resolves once it has failed one. */
  failNext(table = 'media_buys'): Promise<void> {
    this.table = table;
    return new Promise((resolve) => {
      this.failing = resolve;
    });
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    const { failing } = this;
    if (failing === undefined || !UpdateQueryNode.is(node) || !tablesOf(node).includes(this.table)) {
      return node;
    }
    this.failing = undefined;
    failing();
    throw new Error('The disk is full.');
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result;
  }
}
