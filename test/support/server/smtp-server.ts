import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Authority } from './receiver.ts';

/** A mail that a server took, and how it came. */
export interface TakenMail {
  readonly from: string;
  readonly to: string;
  /** Headers and text as they came, without the dots of the wire. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  /** Name and password that were shown; empty for none. */
  readonly login: string;
}

/**
 * `takes` mails, `refuses` who they are for, `doubts` who shows a name and a password, is `silent` from the first
 * connection on, or `dawdling`: it says that it is at work, and never that it is done.
 */
export type Temper = 'takes' | 'refuses' | 'doubts' | 'silent' | 'dawdling';

export interface SmtpServer {
  readonly port: number;
  readonly taken: readonly TakenMail[];
  /** How often somebody connected. */
  readonly connections: number;
  /** Resolves once so many connections were made. */
  connected(times: number): Promise<void>;
  /** Resolves with the next mail beyond those that were asked for before. */
  next(): Promise<TakenMail>;
  stop(): Promise<void>;
}

interface Options {
  readonly temper?: Temper;
  /** With it the server knows STARTTLS; with `isImplicit` it speaks TLS from the first byte. */
  readonly authority?: Authority;
  readonly isImplicit?: boolean;
}

/** A mail server as small as RFC 5321 lets it be, on a port of its own. */
export async function startSmtpServer(options: Options = {}): Promise<SmtpServer> {
  const { authority, isImplicit = false } = options;
  const taken: TakenMail[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let connections = 0;
  let asked = 0;
  const tell = () => {
    for (const look of [...waiting]) look();
  };
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    const keep = (mail: TakenMail) => {
      taken.push(mail);
      tell();
    };
    if (isImplicit && authority !== undefined) talk(encrypted(socket, authority), options, { keep });
    else talk(socket, options, { keep });
    tell();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    get connections() {
      return connections;
    },
    connected: (times) => until(() => connections >= times),
    next: async () => {
      const index = asked;
      asked += 1;
      await until(() => taken.length > index);
      return taken[index] as TakenMail;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function encrypted(socket: Socket, { key, certificate }: Authority): TLSSocket {
  const secureContext = createSecureContext({ key, cert: certificate });
  const secure = new TLSSocket(socket, { isServer: true, secureContext });
  return secure.on('error', () => secure.destroy());
}

/** One conversation, line by line. */
function talk(
  first: Socket,
  { temper = 'takes', authority }: Options,
  { keep }: { keep(mail: TakenMail): void },
): void {
  if (temper === 'silent') return;
  let socket = first;
  let isEncrypted = first instanceof TLSSocket;
  const letter = { from: '', to: '', login: '', lines: [] as string[], isOpen: false };
  const say = (...lines: readonly string[]) => void socket.write(lines.map((line) => `${line}\r\n`).join(''));
  const listen = () => {
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) hear(line);
    });
  };
  const upgrade = (known: Authority) => {
    say('220 Go ahead');
    first.removeAllListeners('data');
    socket = encrypted(first, known);
    isEncrypted = true;
    listen();
  };
  const deliver = () => {
    letter.isOpen = false;
    if (temper === 'dawdling') return;
    keep({
      from: letter.from,
      to: letter.to,
      login: letter.login,
      raw: letter.lines.join('\n'),
      isEncrypted,
    });
    letter.lines = [];
    say('250 Kept');
  };
  const answers: Readonly<Record<string, (line: string) => void>> = {
    EHLO: () => {
      const offers = authority !== undefined && !isEncrypted ? ['250-STARTTLS'] : [];
      say('250-localhost', ...offers, '250 AUTH PLAIN');
    },
    STAR: () => {
      if (authority === undefined) say('502 What?');
      else upgrade(authority);
    },
    AUTH: (line) => {
      letter.login = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .replaceAll('\0', ' ')
        .trim();
      say(temper === 'doubts' ? `535 Who is ${letter.login}?` : '235 Welcome');
    },
    MAIL: (line) => {
      letter.from = line;
      say('250 Yes');
    },
    RCPT: (line) => {
      letter.to = line;
      say(temper === 'refuses' ? '550 No such mailbox here' : '250 Yes');
    },
    DATA: () => {
      letter.isOpen = true;
      say('354 Go on');
    },
    QUIT: () => say('221 Bye'),
  };
  const hear = (line: string) => {
    if (!letter.isOpen) (answers[line.slice(0, 4).toUpperCase()] ?? (() => say('502 What?')))(line);
    else if (line === '.') deliver();
    else letter.lines.push(line.replace(/^\./, ''));
  };
  listen();
  say('220 localhost at your service');
}
