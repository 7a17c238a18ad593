import {
  type AdmissionName,
  closePilotMarket,
  listPilotMarkets,
  openPilotMarket,
  readAdmission,
  setAdmission,
} from '../../../store/unscoped/admission.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor } from '../../core/context.ts';
import { admissionKind } from '../organizations/kinds.ts';

/** What the operator opens and closes is of the installation: its own log tells of it. */
function aboutAdmission(changes: AuditSubject['changes'], resourceId: string): AuditSubject {
  return { kind: admissionKind, resourceId, ...(changes && { changes }), tenant: 'installation' };
}

interface Market {
  readonly country: string;
  readonly channel: string;
}

export function openOrClose(
  actor: Actor,
  { name, isOpen }: { readonly name: AdmissionName; readonly isOpen: boolean },
): Promise<void> {
  return actor
    .write(
      async (tx) => {
        const isNews = (await readAdmission(tx))[name] !== isOpen;
        if (isNews) await setAdmission(tx, { name, isOpen, now: actor.now });
        return isNews;
      },
      (isNews) => (isNews ? aboutAdmission({ open: { from: !isOpen, to: isOpen } }, name) : undefined),
    )
    .then(() => undefined);
}

function pilotOf({ country, channel }: Market): string {
  return `pilot ${country} ${channel}`;
}

export async function startPilot(actor: Actor, market: Market): Promise<void> {
  await actor.write(
    (tx) => openPilotMarket(tx, { ...market, created_at: actor.now }),
    (isNew) => (isNew ? aboutAdmission({ open: { from: false, to: true } }, pilotOf(market)) : undefined),
  );
}

export async function endPilot(actor: Actor, market: Market): Promise<void> {
  await actor.write(
    (tx) => closePilotMarket(tx, market),
    (isClosed) =>
      isClosed ? aboutAdmission({ open: { from: true, to: false } }, pilotOf(market)) : undefined,
  );
}

/** What is open, for the operator. */
export async function admissionOf({ db }: Pick<Actor, 'db'>) {
  return { ...(await readAdmission(db)), pilots: await listPilotMarkets(db) };
}
