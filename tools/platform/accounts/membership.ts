import { z } from 'zod';
import { outputId } from '../../domain/ids.ts';

/** How people come into an account (contract: MembershipSettingsResponse). */
export const membershipSettings = z
  .object({
    customerId: outputId('The account.'),
    allowDomainAutoJoin: z
      .boolean()
      .describe('Whether people with a verified address of one of its domains come in by themselves.'),
  })
  .meta({ id: 'MembershipSettings' });
