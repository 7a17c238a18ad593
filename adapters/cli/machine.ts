import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { dataFolder } from '../process/secrets-key.ts';
import type { Config } from '../settings/config.ts';
import { type Finding, failed, fine, warned } from './findings.ts';

const MIB = 1_048_576;
const ROOM_MIN_BYTES = 100 * MIB;
const ROOM_WARN_SHARE = 0.1;
const ASK_MS = 2_000;
const ALIVE = '{"data":{"status":"alive"},"error":null}';

/** Blocks of the disk on which a folder lies: in all, free for this user, and the bytes of one. */
type RoomOf = (
  folder: string,
) => Promise<{ readonly blocks: number; readonly bavail: number; readonly bsize: number }>;

/** Where files of the service are, or will be. */
export async function lookAtDisk(config: Config, roomOf: RoomOf = statfs): Promise<Finding[]> {
  const folder = nearest(resolve(dataFolder(config)));
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return [failed('disk', `${folder} cannot be written.`, 'Let this user write there.')];
  }
  const { bavail, blocks, bsize } = await roomOf(folder);
  const free = bavail * bsize;
  const said = `${Math.floor(free / MIB)} MiB are free at ${folder}.`;
  const remedy = 'Make room: a full disk takes no writes.';
  if (free < ROOM_MIN_BYTES) return [failed('disk', said, remedy)];
  return [bavail < blocks * ROOM_WARN_SHARE ? warned('disk', said, remedy) : fine('disk', said)];
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/** Each port is free, or a service like this one answers there. */
export async function lookAtPorts({ host, port, metricsPort }: Config): Promise<Finding[]> {
  const own = await lookAtPort(host, port, 'PORT');
  return metricsPort === undefined
    ? [own]
    : [own, await lookAtPort('127.0.0.1', metricsPort, 'METRICS_PORT')];
}

async function lookAtPort(host: string, port: number, setting: string): Promise<Finding> {
  const problem = await whyTaken(host, port);
  const where = `${host}:${port}`;
  if (problem === undefined) return fine('port', `${where} is free.`);
  if (problem === 'EADDRINUSE' && (await answers(host, port)))
    return fine('port', `A service answers at ${where}.`);
  return problem === 'EADDRINUSE'
    ? failed('port', `Another program listens at ${where}.`, `Stop it, or set ${setting} to another port.`)
    : failed('port', `${where} cannot be listened on: ${problem}.`, `Correct HOST and ${setting}.`);
}

async function whyTaken(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

/** Not by `fetch`, which asks nothing of ports that the web keeps from, such as 4190 or 10080. */
async function answers(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const request = get({ host: name, port, path: '/healthz', signal: AbortSignal.timeout(ASK_MS) });
  try {
    const [reply]: IncomingMessage[] = await once(request, 'response');
    return reply?.statusCode === 200 && (await text(reply)) === ALIVE;
  } catch {
    return false;
  } finally {
    request.destroy();
  }
}
