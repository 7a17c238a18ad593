import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { nowOf } from '../../tools/core/moments.ts';
import { shortText } from '../../tools/domain/text.ts';
import { failureReason } from '../../tools/domain/webhooks/reasons.ts';
import { isSigningSecret, MAKE_SECRET } from '../../tools/domain/webhooks/rules.ts';
import { systemClock } from '../ports/clock.ts';
import { idsBy } from '../ports/ids.ts';
import { openOutbound } from '../process/outbound.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { sendWebhook, signature } from '../webhooks/request.ts';
import { given } from './option-values.ts';
import { adviceOn } from './webhook-advice.ts';
import { type Listening, listenForWebhooks, type Received } from './webhook-receiver.ts';

const eventName = shortText(100);

/** What somebody needs who makes a receiver of webhooks: one to look at, and something to be sent. */
export function addWebhook(program: Command): void {
  const webhook = program.command('webhook').description('Try webhooks, without a subscription');
  webhook
    .command('listen')
    .description(
      'Receive events on this machine, check their signatures and print them, until it is told to stop',
    )
    .addOption(secretOption())
    .option('--port <port>', 'where to listen; 0 for any that is free', portOf, 4100)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--cert <file>', 'a certificate (PEM): with it and --key over https, which subscriptions need')
    .option('--key <file>', 'its key (PEM)')
    .option('--count <n>', 'end after so many events', countOf)
    .action((options: ListenOptions) => listen(options));
  webhook
    .command('send')
    .description('Send a signed test event, on the way that events of subscriptions take')
    .argument('<url>', 'the https address of the receiver')
    .addOption(secretOption())
    .option('--event <name>', 'its name', eventOf, 'test')
    .action(async (url: string, options: SendOptions) => {
      const { text, isDelivered } = await send(readConfig(), url, options);
      process.stdout.write(`${text}\n`);
      if (!isDelivered) process.exitCode = 1;
    });
}

function secretOption(): Option {
  return new Option('--secret <secret>', 'the secret that signs, also read from WEBHOOK_SECRET')
    .env('WEBHOOK_SECRET')
    .makeOptionMandatory();
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('Give a number up to 65535.');
  return port;
}

function countOf(text: string): number {
  const events = Number(text);
  if (!/^\d{1,9}$/.test(text) || events === 0)
    throw new InvalidArgumentError('Give how many events, 1 or more.');
  return events;
}

function eventOf(text: string): string {
  return given('--event', eventName, text);
}

interface ListenOptions extends Listening {
  readonly count?: number;
}

/** What is tried works as it will: with a secret that no subscription can have it would not. It is not repeated. */
function requireUsable(secret: string): void {
  if (!isSigningSecret(secret)) throw new Error(`--secret cannot be used: ${MAKE_SECRET}`);
}

async function listen({ count, ...options }: ListenOptions): Promise<void> {
  requireUsable(options.secret);
  let left = count;
  const receiver = await listenForWebhooks(options, (received) => {
    process.stdout.write(`${linesOf(received)}\n`);
    if (left === undefined) return;
    left -= 1;
    if (left <= 0) receiver.close();
  });
  process.stdout.write(`Listening at ${receiver.url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => receiver.close());
}

/** As JSON, so that nothing a stranger sends moves the cursor of a terminal. */
function linesOf({ isSigned, delivery, body }: Received): string {
  const mark = isSigned ? 'signature fits' : 'SIGNATURE DOES NOT FIT';
  return `${new Date().toISOString()} ${mark}, delivery ${JSON.stringify(delivery)}\n${JSON.stringify(body)}`;
}

interface SendOptions {
  readonly secret: string;
  readonly event: string;
}

async function send(
  config: Config,
  url: string,
  { secret, event }: SendOptions,
): Promise<{ text: string; isDelivered: boolean }> {
  requireUsable(secret);
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new Error(`${JSON.stringify(url)} is no receiver. Give an https address.`);
  }
  const outbound = openOutbound(config);
  const body = JSON.stringify({ event, test: true, sentAt: nowOf(systemClock) });
  const deliveryId = idsBy(systemClock).make('test');
  const outcome = await sendWebhook(
    { url, secret, body, deliveryId },
    {
      guard: outbound.webhookGuard,
      ca: outbound.ca,
      timeoutMs: config.webhookTimeoutMs,
      // The command has nothing else to wait for: its timer has to keep it alive.
      clock: { ...systemClock, after: keepingAlive },
      signal: new AbortController().signal,
    },
  );
  const answer = outcome.ok
    ? `Delivered: ${outcome.status}.`
    : `Not delivered: ${inWords(outcome.reason)}. ${adviceOn(outcome.reason)}`;
  return {
    text: `${answer}\nX-Webhook-Delivery: ${deliveryId}\nX-Webhook-Signature: ${signature(secret, body)}\n${body}`,
    isDelivered: outcome.ok,
  };
}

/** As the delivery log has it, with what lies behind it: here nobody is told who should not know. */
function inWords(reason: string): string {
  const word = failureReason(reason);
  return word === reason ? word : `${word} (${reason})`;
}

function keepingAlive(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
