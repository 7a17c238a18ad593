/** Ports that the Fetch standard closes ("bad ports"): what listens there may take a request for its own language. */
const BAD_PORTS = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];
/** Databases, queues and remote desktops, which no list of a browser names. */
const PORTS_OF_SERVERS = [445, 1433, 1521, 3306, 3389, 5432, 5672, 5900, 6379, 9092, 11211, 27017];

const CLOSED_PORTS: ReadonlySet<number> = new Set([...BAD_PORTS, ...PORTS_OF_SERVERS]);

export const URL_MAX = 2_048;

const LOCALHOST = /(^|\.)localhost$/;
const LOCAL_NAMES = /^(metadata.*|host\.docker\.internal)$|\.(local|internal)$/;
const LITERAL = /^[\d.]+$|^\[/;

/**
 * Everything for which a URL cannot receive webhooks, whatever the settings. Whether its name resolves, and to
 * what, is seen where the attempt connects.
 */
export function receiverProblems(text: string): string[] {
  if (!URL.canParse(text)) return ['Give a URL such as https://hooks.acme.example/rialto.'];
  const url = new URL(text);
  return [
    ...(url.protocol === 'https:' ? [] : ['Must be https.']),
    ...addressProblems(url),
    ...(isOutside(hostOf(url)) ? [] : ['Give a host that is reachable from outside.']),
  ];
}

/** Everything for which a URL cannot be called by this service at all: it is no part of a decision about ranges. */
export function addressProblems(url: URL): string[] {
  const problems: string[] = [];
  if (url.username !== '' || url.password !== '') problems.push('Leave out user and password.');
  if (url.hash !== '') problems.push('Leave out the fragment.');
  if (url.href.length > URL_MAX)
    problems.push(`Give at most ${URL_MAX} characters, counted as they are sent.`);
  if (url.port !== '' && CLOSED_PORTS.has(Number(url.port)))
    problems.push(`Port ${url.port} is for other services: give 443 or another port of a web server.`);
  return problems;
}

/** The host as it is looked up: `localhost.` is `localhost`. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** A name of this machine (RFC 6761): as good as an address, though it looks like a name. */
export function isThisMachine(host: string): boolean {
  return LOCALHOST.test(host);
}

/** This machine and literal addresses pass: whether those are open depends on the settings. */
export function isOutside(host: string): boolean {
  if (LITERAL.test(host) || isThisMachine(host)) return true;
  return host.includes('.') && !LOCAL_NAMES.test(host);
}

/** The URL as it is called: the host in ASCII, so that letters that only look like others show. */
export function plainUrl(text: string): string {
  return new URL(text).href;
}
