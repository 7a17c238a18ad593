import { isFields } from '../../tools/core/schemas/checks.ts';
import type { SellerAbilities, SellerDeclaration } from '../../tools/domain/sellers/abilities.ts';
import { sellerText } from '../../tools/domain/text.ts';
import { failureIn } from './adcp-wire.ts';
import { saidIn } from './answer-forms.ts';
import type { CallOptions, ToolClient } from './mcp-client.ts';
import type { ToolList } from './tool-lists.ts';

/**
 * What a seller can do: its tools, by tools/list, and what it declares of itself by get_adcp_capabilities. What it
 * does not speak of may work all the same; what it leaves out of a list that it gives does not.
 */
export interface Declared extends SellerAbilities {
  readonly tools: ToolList;
}

const CAPABILITIES = 'get_adcp_capabilities';
const UNHEARD = 'unheard' as const;

/** Of a seller that has no tool to declare anything by. */
const NOTHING_DECLARED: SellerDeclaration = { sandbox: false };

const VERSIONS_MAX = 20;
const VERSION_LENGTH_MAX = 32;

/** What it can do, by its tools and by what it declares. */
export function abilitiesBy(tools: ToolList, declaration: SellerDeclaration): Declared {
  const update = tools.get('update_media_buy');
  return {
    ...declaration,
    tools,
    updates: update !== undefined,
    ...(update?.fields === undefined ? {} : { updateFields: update.fields }),
    ...(update?.packageFields === undefined ? {} : { packageFields: update.packageFields }),
  };
}

/** What it declares of itself, where its tools name the one that tells it. */
export async function declarationOf(
  client: ToolClient,
  tools: ToolList,
  options: CallOptions,
): Promise<SellerDeclaration> {
  if (!tools.has(CAPABILITIES)) return NOTHING_DECLARED;
  const told = await capabilitiesOf(client, options);
  if (told === UNHEARD) return { targeting: UNHEARD, sandbox: UNHEARD };
  const adcp = field(told, 'adcp');
  const versions = versionsIn(field(adcp, 'supported_versions')) ?? versionsIn(field(adcp, 'major_versions'));
  const targeting = field(field(field(told, 'media_buy'), 'execution'), 'targeting');
  return {
    ...(versions === undefined ? {} : { versions }),
    ...(isFields(targeting) ? { targeting } : {}),
    sandbox: field(field(told, 'account'), 'sandbox') === true,
  };
}

/** Whether that is worth remembering: who refuses to say it, or has no tool for it, may say it to the next who asks. */
export function isHeard(declaration: SellerDeclaration): boolean {
  return declaration.targeting !== UNHEARD && declaration !== NOTHING_DECLARED;
}

/** What it declares; `unheard` where it refuses to say. */
async function capabilitiesOf(client: ToolClient, options: CallOptions): Promise<unknown> {
  const reply = await client.call(CAPABILITIES, {}, options);
  const said = saidIn(reply, CAPABILITIES);
  const isRefused = reply.isError || (isFields(said) && failureIn(said, 'adcp') !== undefined);
  return isRefused ? UNHEARD : said;
}

function field(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined;
}

function versionsIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const versions = value.slice(0, VERSIONS_MAX).flatMap((entry) => {
    const version = sellerText(typeof entry === 'number' ? String(entry) : entry, VERSION_LENGTH_MAX);
    return version === undefined || !/^\d/.test(version) ? [] : [version];
  });
  return versions.length === 0 ? undefined : versions;
}

/** What the tool that tells of tasks is called, from one version of AdCP to the next. */
const TASK_TOOLS = ['get_task_status', 'tasks_get', 'tasks/get', 'get_task'];

export function taskToolOf({ tools }: Pick<Declared, 'tools'>): string {
  return TASK_TOOLS.find((name) => tools.has(name)) ?? 'tasks_get';
}
