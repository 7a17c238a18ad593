import { z } from 'zod';
import { fromJson } from '../../store/engine/codec.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { forget, knownBrands, makeKnown } from '../../tools/domain/brands/operating.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { domainName, longText, shortText, webAddress } from '../../tools/domain/text.ts';
import { readGivenJson } from './files.ts';
import { complaintsOf, given, givenIfAny } from './option-values.ts';
import { reasonOption } from './reason-option.ts';
import { type CommandParts, UNCHANGED } from './task-runner.ts';

const MANIFEST = '--manifest';
const brandName = shortText(500);

/** What the operator may say of a brand (contract: BrandManifestJson). Further fields are kept as they are. */
const manifestFile = z.looseObject({
  name: brandName,
  url: webAddress.optional(),
  logos: z.array(z.looseObject({ url: webAddress, background: shortText(40).optional() })).optional(),
  colors: z.record(z.string(), z.string().regex(/^#[0-9A-Fa-f]{6}$/)).optional(),
  industry: shortText(255).optional(),
  tagline: shortText(500).optional(),
  tone: longText(2000).optional(),
});

/** The operator's commands about the brands that this installation knows. */
export function addBrands({ program, run }: CommandParts): void {
  const brand = program.command('brand').description('Brands that are known to every organization');
  brand
    .command('set')
    .description('Make a brand known by its domain')
    .requiredOption('--domain <domain>', 'such as acme.example')
    .option('--name <name>', 'name of the brand')
    .option('--manifest <file>', 'a JSON file with all that is known of it, its name among it')
    .option('--unregistered', 'it was only heard of: advertisers carry a warning')
    .addOption(reasonOption())
    .action((options: Known) => run((operator) => set(operator, options)));
  brand
    .command('list')
    .description('List the brands that are known')
    .action(() => run(list));
  brand
    .command('remove')
    .description('Forget a brand; what organizations registered themselves stays')
    .requiredOption('--domain <domain>', 'such as acme.example')
    .addOption(reasonOption())
    .action((options: { domain: string }) =>
      run(async (operator) => {
        const domain = given('--domain', domainName, options.domain);
        const wasKnown = await forget(operator, domain);
        return wasKnown ? `${domain}: no longer known` : `${UNCHANGED}${domain} is not known`;
      }),
    );
}

interface Known {
  readonly domain: string;
  readonly name?: string;
  readonly manifest?: string;
  readonly unregistered?: boolean;
}

async function set(operator: Operator, { name, manifest: file, ...options }: Known): Promise<string> {
  if (name === undefined && file === undefined) throw new Error('Give --name or --manifest.');
  const domain = given('--domain', domainName, options.domain);
  const called = givenIfAny('--name', brandName, name);
  const told = file === undefined ? {} : fieldsIn(file);
  const manifest = manifestIn(file, { ...told, ...(called === undefined ? {} : { name: called }) });
  const isRegistered = options.unregistered !== true;
  const isChanged = await makeKnown(operator, { domain, manifest, isRegistered });
  const said = `${domain}: ${manifest.name}, ${isRegistered ? 'registered' : 'heard of'}`;
  return isChanged ? said : `${UNCHANGED}${said}`;
}

function fieldsIn(file: string): Readonly<Record<string, unknown>> {
  const told = readGivenJson(MANIFEST, file);
  if (isFields(told)) return told;
  throw new Error(`${MANIFEST}: ${file} holds no JSON object. Give one with what is known of the brand.`);
}

function manifestIn(file: string | undefined, fields: unknown): z.output<typeof manifestFile> {
  const read = manifestFile.safeParse(fields);
  if (read.success) return read.data;
  throw new Error(`${MANIFEST}: ${file ?? ''} cannot be used: ${complaintsOf(read.error, fields)}`);
}

async function list(operator: Operator): Promise<string> {
  const rows = await knownBrands(operator);
  const lines = rows.map(({ domain, manifest, is_registered }) =>
    [domain, fromJson(manifest).name, is_registered === 1 ? 'registered' : 'heard of'].join('\t'),
  );
  return lines.length === 0 ? 'No brands are known yet.' : lines.join('\n');
}
