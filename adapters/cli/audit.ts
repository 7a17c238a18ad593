import { makeTenant } from '../../store/engine/scope.ts';
import { listRefusedSignIns, listRefusedSignInsOf } from '../../store/unscoped/refused-sign-ins.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { requireOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { agentList, auditList } from './audit-lines.ts';
import { idOf } from './option-values.ts';
import type { CommandParts } from './task-runner.ts';

interface Options {
  readonly organization?: number;
}

/** What the operator reads of deeds, and of what was refused. */
export function addAudit({ program, run }: CommandParts): void {
  const audit = program.command('audit').description('What was done, by whom');
  audit
    .command('list')
    .description(
      'List the newest entries of an organization, or what the operator did: who, from what to what, and why',
    )
    .option('--organization <id>', 'the organization; without it, the deeds of the operator', idOf)
    .action(({ organization }: Options) => run((operator) => auditList(operator, organization)));
  audit
    .command('agents')
    .description('List the newest entries of agents that work in no organization yet')
    .action(() => run(agentList));
  audit
    .command('refused')
    .description('List credentials that were refused, by the hour: for whom, from where and how often')
    .option('--organization <id>', 'only those for its people, keys and applications', idOf)
    .action(({ organization }: Options) => run((operator) => refusedList(operator, organization)));
}

const REFUSED_SHOWN = 100;

/** Credentials that were refused lately, the newest hour first. */
async function refusedList({ db }: Operator, organizationId?: number): Promise<string> {
  if (organizationId !== undefined) await requireOrganization({ db }, organizationId);
  const rows =
    organizationId === undefined
      ? await listRefusedSignIns(db, REFUSED_SHOWN)
      : await listRefusedSignInsOf(db, makeTenant(organizationId), REFUSED_SHOWN);
  if (rows.length === 0) return 'Nothing was refused in the last 30 days.';
  return rows
    .map(({ hour, kind, subject, network, count, last_at }) =>
      [hour, kind, subject || 'nobody known', network || 'many networks', count, last_at].join('\t'),
    )
    .join('\n');
}
