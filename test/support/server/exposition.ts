/** What /metrics says, read as Prometheus reads it: whatever is not in the format is an error here. */

export interface Measured {
  readonly type: string;
  readonly help: string;
  /** By labels as they stand in the text, of a histogram with what stands before them: `_bucket{le="1"}`. */
  readonly series: ReadonlyMap<string, number>;
}

const METRIC =
  /^# HELP ([a-z_]+) (\S.*)\n# TYPE \1 (counter|gauge|histogram)\n((?:[a-z_]+(?:\{.*\})? \S+\n)+)/;
const SAMPLE = /^([a-z_]+)(\{.*\})? (\S+)$/;
const LABELS = /^(?:\{[a-z_]+="(?:[^"\\]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\]|\\["\\n])*")*\})?$/;
const PARTS = /^(?:_bucket|_sum|_count)$/;

export function readExposition(text: string): ReadonlyMap<string, Measured> {
  const metrics = new Map<string, Measured>();
  for (let rest = text; rest !== ''; ) {
    const [whole = '', name = '', help = '', type = '', samples = ''] = METRIC.exec(rest) ?? [];
    if (whole === '' || metrics.has(name)) throw new Error(`Not in the format: ${rest.slice(0, 200)}`);
    metrics.set(name, { type, help, series: seriesOf(name, type, samples) });
    rest = rest.slice(whole.length);
  }
  return metrics;
}

function seriesOf(name: string, type: string, samples: string): ReadonlyMap<string, number> {
  const series = new Map<string, number>();
  for (const line of samples.trimEnd().split('\n')) {
    const [, named = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    const part = named.slice(name.length);
    const isOwn = named.startsWith(name) && (type === 'histogram' ? PARTS.test(part) : part === '');
    if (!isOwn || !LABELS.test(labels) || series.has(`${part}${labels}`)) throw new Error(`Wrong: ${line}`);
    series.set(`${part}${labels}`, numberOf(value));
  }
  return series;
}

function numberOf(value: string): number {
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  if (Number.isNaN(number)) throw new Error(`${value} is no number.`);
  return number;
}

export async function measuredAt(url: string): Promise<ReadonlyMap<string, Measured>> {
  return readExposition(await (await fetch(`${url}/metrics`)).text());
}

/** The value of a series, such as `rialto_ready` or `rialto_shed_total{work="discovery"}`. */
export function valueIn(metrics: ReadonlyMap<string, Measured>, series: string): number | undefined {
  const [, named = '', labels = ''] = /^([a-z_]+)(.*)$/.exec(series) ?? [];
  const part = /(?:_bucket|_sum|_count)$/.exec(named)?.[0] ?? '';
  const whole = metrics.get(named)?.series.get(labels);
  return whole ?? metrics.get(named.slice(0, named.length - part.length))?.series.get(`${part}${labels}`);
}
