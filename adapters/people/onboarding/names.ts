import { invalid } from '../../../tools/core/errors/refusals.ts';
import { shortText } from '../../../tools/domain/text.ts';

const COMPANY_MAX = 255;

/** The name of a company, as a form has it. */
export function companyIn(fields: URLSearchParams): string {
  const read = shortText(COMPANY_MAX).safeParse(fields.get('name') ?? '');
  if (read.success) return read.data;
  throw invalid('name', `Give the name of your company, in ${COMPANY_MAX} characters at the most.`);
}
