import { auditLogList } from './audit-log-list.ts';

export const auditLogs = [auditLogList];
