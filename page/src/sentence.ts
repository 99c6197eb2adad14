// An incident in one sentence.
import type { Incident } from './api';
import { has, t, written } from './words';

export function sentence(incident: Incident): string {
  const contact = incident.contacts.find((c) => c.id === incident.contact);
  const what = contact?.square
    ? t('the-piece', { piece: t('piece', { letter: contact.piece.toUpperCase() }), square: contact.square })
    : t('some-piece');
  const id = `what-${incident.kind}`;
  return t(has(id) ? id : 'what-other', {
    player: t(incident.player === 'white' ? 'White' : 'Black'),
    what,
    played: written(incident.played),
    kind: incident.kind.replaceAll('_', ' '),
  });
}

/** With what was said of its touch there is no breach left. */
export const isClosed = (incident: Incident): boolean => incident.corrected !== null && incident.severity === 'log';

export const percent = (probability: number): number => Math.round(probability * 100);
