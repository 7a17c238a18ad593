import { z } from 'zod';
import { open } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { invalid } from '../../core/errors/refusals.ts';
import { nearestNames } from '../../core/schemas/nearest-names.ts';
import { topicsFor } from './topics.ts';

const START = 'getting_started';

export const help = defineTool({
  name: 'help',
  title: 'Get help',
  example: { topic: START },
  description:
    'Explains this service in short: how to begin, the main jobs step by step, how to read errors, and what each ' +
    'toolset holds. Without a topic it begins at the beginning and lists the topics. For one operation use ' +
    'capability_search.',
  effect: 'read',
  access: open,
  input: z.strictObject({
    topic: z.string().max(64).optional().describe(`${START}, jobs, errors, or the name of a toolset.`),
  }),
  output: z.object({
    topic: z.string().describe('What it is about.'),
    text: z.string().describe('The explanation, in Markdown.'),
    topics: z.array(z.string()).describe('What else can be asked for.'),
  }),
  errors: [],
  handler: async (ctx, { topic = START }) => {
    const topics = topicsFor(ctx);
    const names = [...topics.keys()];
    const text = topics.get(topic);
    if (text !== undefined) return { topic, text: text(), topics: names };
    const near = nearestNames(topic, names);
    throw invalid('topic', `Give one of: ${names.join(', ')}.`, {
      suggestion:
        near.length === 0 ? 'Leave it out to begin at the beginning.' : `Did you mean ${near.join(' or ')}?`,
    });
  },
});
