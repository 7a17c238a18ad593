import { Carried } from './carried.ts';
import { CrowdedError } from './read-turns.ts';
import type { Tenant } from './scope.ts';
import { createTurns } from './turns.ts';

/**
 * Who wants a connection: an organization, the work that the service does by itself, or the door, where nobody is
 * known yet.
 */
export type Asker = Tenant | 'service' | 'door';

export interface ConnectionBounds {
  readonly connections: number;
  /** Milliseconds that somebody waits for a turn. */
  readonly waitMs: number;
}

type Kind = 'read' | 'transaction';

/** One of these may be held so often at a time. */
interface Claim {
  readonly on: string;
  readonly most: number;
}

interface Entering {
  readonly claims: readonly Claim[];
  enter(): void;
}

/** Connections of one organization at a time, and of the service's own work, as parts of all. */
const OF_ONE = 3 / 4;
const OF_SERVICE = 1 / 2;

/**
 * With more connections than this the door and the service have one each that organizations leave, else one together.
 */
const FEW = 4;

/**
 * Hands out all connections of a database, in turns between those who ask. Organizations leave some to the door and to
 * the service, which has no more than half, and each of them one more to the others. One that is no transaction's is
 * always left, so that what transactions read beside themselves comes to its end.
 */
export class ConnectionGate {
  readonly #waitMs: number;
  readonly #all: number;
  readonly #underWay = new Map<string, number>();
  readonly #turns = createTurns<Entering>();
  /** Of a transaction that is under way: what it reads beside itself has no turn of its own to wait for. */
  readonly #within = new Carried<true>();

  constructor({ connections, waitMs }: ConnectionBounds) {
    this.#all = connections;
    this.#waitMs = waitMs;
  }

  /** A read, or whatever else needs a connection for itself. */
  read<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    return this.#within.value
      ? this.#run('beside', [this.#every()], work)
      : this.#run(`${laneOf(asker)} read`, this.#claims(asker, 'read'), work);
  }

  transaction<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    const within = () => this.#within.during(true, work);
    return this.#run(`${laneOf(asker)} transaction`, this.#claims(asker, 'transaction'), within);
  }

  #every(): Claim {
    return { on: 'all', most: this.#all };
  }

  #claims(asker: Asker, kind: Kind): readonly Claim[] {
    const isOrganization = typeof asker !== 'string';
    return [
      this.#every(),
      ...(kind === 'transaction' ? [{ on: 'transactions', most: atLeastOne(this.#all - 1) }] : []),
      ...(asker !== 'door' && this.#all > FEW ? [{ on: 'known', most: this.#all - 1 }] : []),
      ...(isOrganization ? [{ on: 'organizations', most: atLeastOne(this.#ofOrganizations()) }] : []),
      { on: laneOf(asker), most: atLeastOne(this.#mostOf(asker)) },
    ];
  }

  #ofOrganizations(): number {
    return this.#all > FEW ? this.#all - 2 : this.#all - 1;
  }

  #mostOf(asker: Asker): number {
    if (asker === 'door') return this.#all - 1;
    if (asker === 'service') return Math.floor(this.#all * OF_SERVICE);
    return Math.min(Math.floor(this.#all * OF_ONE), this.#ofOrganizations() - 1);
  }

  async #run<T>(owner: string, claims: readonly Claim[], work: () => Promise<T>): Promise<T> {
    await this.#turn(owner, claims);
    try {
      return await work();
    } finally {
      for (const { on } of claims) this.#count(on, -1);
      this.#letIn();
    }
  }

  /** At once where there is room and nobody waits for it. */
  #turn(owner: string, claims: readonly Claim[]): Promise<void> | undefined {
    if (this.#turns.size() === 0 && this.#isFree(claims)) {
      this.#take(claims);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        withdraw();
        reject(new CrowdedError());
      }, this.#waitMs).unref();
      const enter = () => {
        clearTimeout(late);
        resolve();
      };
      const withdraw = this.#turns.add(owner, { claims, enter });
      this.#letIn();
    });
  }

  #letIn(): void {
    const may = (owner: string) => this.#isFree(this.#turns.of(owner)[0]?.claims ?? []);
    for (let next = this.#turns.take(may); next !== undefined; next = this.#turns.take(may)) {
      this.#take(next.claims);
      next.enter();
    }
  }

  #isFree(claims: readonly Claim[]): boolean {
    return claims.every(({ on, most }) => (this.#underWay.get(on) ?? 0) < most);
  }

  #take(claims: readonly Claim[]): void {
    for (const { on } of claims) this.#count(on, 1);
  }

  #count(on: string, more: number): void {
    const count = (this.#underWay.get(on) ?? 0) + more;
    if (count === 0) this.#underWay.delete(on);
    else this.#underWay.set(on, count);
  }
}

function laneOf(asker: Asker): string {
  return typeof asker === 'string' ? asker : String(asker.organizationId);
}

function atLeastOne(count: number): number {
  return Math.max(1, count);
}
