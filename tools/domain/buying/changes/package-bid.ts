import { z } from 'zod';

/** What a change may say of the bid of a package (contract: UpdateMediaBuyRequest). */
export const packageBid = z
  .number()
  .positive()
  .max(1e9)
  .nullable()
  .optional()
  .describe('What is bid for a unit; null: none, where none stands.');
