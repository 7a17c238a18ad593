import { isIP } from 'node:net';
import { z } from 'zod';

/** One setting: the variable that holds it, what it may be, what it means. */
export function setting<T extends z.ZodType>(env: string, schema: T, description: string): T {
  return schema.meta({ env, description });
}

export const count = (byDefault: number, min = 1, max = 1_000_000) =>
  z.coerce.number().int().min(min).max(max).default(byDefault);

export const requests = (byDefault: number) => count(byDefault, 1, 1_000_000_000);

/** An address that callers or this service use. */
export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'Give an address with https or http, such as https://ads.example.',
});

/** A list between commas, each part of which `isOne` takes; what does not matter of them is made alike first. */
function list(isOne: (part: string) => boolean, problem: string, alike = (text: string) => text) {
  return z
    .string()
    .default('')
    .transform((text) =>
      alike(text)
        .split(',')
        .flatMap((part) => part.trim() || []),
    )
    .refine((parts) => parts.every(isOne), problem);
}

const lowerCase = (text: string) => text.toLowerCase();

export const cidrs = list(isCidr, 'Give CIDR ranges separated by commas, such as 127.0.0.0/8,fd00::/8.');

export const organizations = list(
  (id) => /^(\*|[1-9]\d{0,14})$/.test(id),
  'Give ids of organizations separated by commas, such as 1,2, or * for all.',
);

export const hosts = list(
  (host) => URL.canParse(`x://${host}/`) && new URL(`x://${host}/`).host === host,
  'Give hosts separated by commas, such as rialto.internal,10.0.0.5:4000.',
  lowerCase,
);

export const origins = list(
  (origin) => URL.canParse(origin) && new URL(origin).origin === origin,
  'Give origins separated by commas, such as https://app.example.',
);

export const domains = list(
  (domain) => /^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(domain),
  'Give domains separated by commas, such as acme.example.',
  lowerCase,
);

/** Whether a text is a key of 32 bytes, in base64. */
export function isKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text;
}

export const keys = list(isKey, 'Give keys of 32 bytes in base64, separated by commas.');

function isCidr(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  const version = isIP(address);
  return version !== 0 && /^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
