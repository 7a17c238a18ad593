import { z } from 'zod';
import { restPaths } from '../../tools/core/addresses.ts';
import { errorsOf, isOverMcp, type Tool } from '../../tools/core/define.ts';
import {
  type ErrorCode,
  errorCatalogue,
  errorEntry,
  isErrorCode,
} from '../../tools/core/errors/catalogue.ts';
import type { Family } from '../../tools/core/families.ts';
import type { AnyMachine } from '../../tools/core/machines.ts';
import { asFields } from '../../tools/core/schemas/checks.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { type Field, schemaFields, typeIn } from '../../tools/core/schemas/schema-fields.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { serversOf } from '../../tools/core/surfaces.ts';
import { settings, variableOf } from '../settings/config.ts';
import { givenBack } from './given-back.ts';
import { NOTICE, table } from './markdown-parts.ts';

/** One line a capability: its MCP name, its REST address, what it is for. */
export function toolTable(tools: readonly Tool[], streams: readonly Stream[]): string {
  const rows = tools.map((tool) => [
    `\`${tool.name}\``,
    surfaceOf(tool),
    tool.rest === undefined
      ? 'MCP alone'
      : `\`${tool.rest.method} ${restPaths(tool.surface, tool.rest)[0]}\``,
    firstSentence(tool.description),
  ]);
  const streamRows = streams.map((stream) => [
    '(stream)',
    stream.surface,
    `\`GET ${restPaths(stream.surface, stream)[0]}\``,
    firstSentence(stream.description),
  ]);
  return table(['Tool', 'Surface', 'REST', 'What it does'], [...rows, ...streamRows]);
}

function surfaceOf(tool: Tool): string {
  if (!isOverMcp(tool)) return 'REST alone';
  const [only, another] = serversOf(tool.surface);
  return another === undefined ? String(only) : 'both';
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /)[0] ?? '';
}

/** The reference of every capability, for reading without a browser. */
export function reference(families: readonly Family[]): string {
  const tools = families.flatMap((family) => family.tools);
  const streams = families.flatMap((family) => family.streams);
  return [
    NOTICE,
    '# Reference',
    'Every capability is an MCP tool and a REST address, made from one definition; it says so where it is one of ' +
      'the two alone. Over MCP the arguments are the input, and every call needs a credential. Over REST they are ' +
      'path, query or JSON body. In a query a list is repeated, or has commas; `name=` is a list of nothing, which ' +
      'narrows by nothing, and an empty text where the field is no list: a date, a number or a choice has to be left ' +
      'out. The result stands in `data` beside `error: null`, and where REST shows another one, ' +
      'that is said. Every shape is whole in `/openapi.json` and, over MCP, in the list of tools.',
    ...tools.map(toolSection),
    ...streams.map(streamSection),
    '## States',
    // Families may share one.
    ...[...new Set(families.flatMap(({ machines }) => machines))].map(machineSection),
    '## Errors',
    table(
      ['Code', 'Status', 'Recovery', 'Meaning'],
      Object.keys(errorCatalogue).map((code) => errorRow(isErrorCode(code) ? code : 'INTERNAL_ERROR')),
    ),
    '',
  ].join('\n\n');
}

/** What can happen to an object, in which states, and where that leads. */
function machineSection({ of, states, events }: AnyMachine): string {
  const rows = Object.entries(events).flatMap(([event, { meaning, leads }]) =>
    [...new Set(Object.values(leads))].map((to) => {
      const from = states.filter((state) => leads[state] === to);
      const where = from.length === states.length ? 'any' : from.map((state) => `\`${state}\``).join(', ');
      return [where, `\`${event}\``, `\`${to}\``, meaning];
    }),
  );
  return [
    `### ${of}`,
    `States: ${states.map((state) => `\`${state}\``).join(', ')}.`,
    table(['From', 'Event', 'To', 'What happens'], rows),
  ].join('\n\n');
}

function errorRow(code: ErrorCode): string[] {
  const { statuses, recovery, meaning, deprecated } = errorEntry(code);
  return [`\`${code}\`${deprecated ? ' (deprecated)' : ''}`, statuses.join(', '), recovery, meaning];
}

function toolSection(tool: Tool): string {
  const paths = restPaths(tool.surface, tool.rest).map((path) => `\`${tool.rest?.method} ${path}\``);
  const ways = [...paths, ...(isOverMcp(tool) ? [] : ['over REST alone'])];
  return [
    `## ${tool.name}`,
    tool.description,
    `${ways.join(', ') || 'over MCP alone'} · needs ${neededFor(tool)} · ${tool.effect}${
      errorsOf(tool).length === 0
        ? ''
        : ` · also answers ${errorsOf(tool)
            .map((code) => `\`${code}\``)
            .join(', ')}`
    }`,
    fieldTable(jsonSchema(tool.input, 'input')),
    givenBack(tool),
  ].join('\n\n');
}

/** What is open to all is so over REST: MCP lets nobody in without a credential. */
function neededFor(tool: Tool): string {
  const { access, rest } = tool;
  if (access.kind === 'open') {
    if (rest === undefined) return 'any credential';
    return isOverMcp(tool) ? 'no credential over REST' : 'no credential';
  }
  return `\`${access.permission}\`${access.human ? ' and a person who is signed in' : ''}`;
}

function streamSection(stream: Stream): string {
  const path = restPaths(stream.surface, stream)[0] ?? '';
  return [
    `## ${stream.name}`,
    stream.description,
    `\`GET ${path}\` · \`text/event-stream\``,
    fieldTable(jsonSchema(stream.input, 'input')),
  ].join('\n\n');
}

/** All of any input; records that hold themselves end somewhere. */
const DEPTH_MAX = 8;

function fieldTable(schema: JsonSchema): string {
  const rows = schemaFields(schema, DEPTH_MAX).map(rowOf);
  return rows.length === 0 ? 'Takes no input.' : table(['Field', 'Type', 'Required', 'About'], rows);
}

function rowOf({ path, type, lists, words, required, about }: Field): string[] {
  const taken = typeIn({ type, words: words.map((word) => (word === '…' ? word : `\`${word}\``)) }, ', ');
  return [
    `\`${path.replace(/(\[\])+$/, '')}\``,
    `${'list of '.repeat(lists)}${taken}`,
    required ? 'yes' : '',
    about,
  ];
}

/** What of a setting can be used, where the schema bounds it: words, a number, or how long a text may be. */
function takenBy(shape: JsonSchema): string {
  const { enum: words, type, minimum, maximum, minLength, maxLength } = shape;
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(', ');
  if (type === 'integer') return within(Number(minimum), Number(maximum));
  // That a text is not empty says nothing: an empty variable counts as absent.
  const least = Number(minLength ?? 1);
  if (least <= 1 && maxLength === undefined) return '';
  return `${within(least, Number(maxLength ?? Number.MAX_SAFE_INTEGER))} characters`;
}

function within(least: number, most: number): string {
  return most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
}

/** Every setting, from the schema that reads it. */
export function settingsTable(): string {
  const rows = Object.entries(settings.shape).map(([name, schema]) => {
    const shape = asFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    const { default: byDefault } = shape;
    return [
      `\`${variableOf(name, schema)}\``,
      byDefault === undefined || byDefault === '' ? '' : `\`${String(byDefault)}\``,
      takenBy(shape),
      String(schema.meta()?.description ?? ''),
    ];
  });
  return [
    NOTICE,
    '# Settings',
    'Settings are environment variables; a file `.env` beside `package.json` is read too. A setting that cannot ' +
      'be used stops the start and is named.',
    table(['Variable', 'Default', 'Takes', 'About'], rows),
    '',
  ].join('\n\n');
}
