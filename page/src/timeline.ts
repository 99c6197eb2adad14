// What hands did, under the picture: a lane for each contact with its touch, lift, place and release,
// the move, and where the picture is. Frames lie side by side, not their times: there may be a long
// thought between.
import type { Contact, Opened } from './api';
import { h, s, seconds } from './dom';
import { t } from './words';

/** Height of a lane, pixels. */
const LANE = 30;
/** Where a lane's line lies in it, below its label, pixels. */
const LINE = 21;
/** Contacts further than this from every frame are not shown, milliseconds. */
const FAR_MS = 1500;

/** The edges of a contact and their signs. */
const EDGES = [
  ['touch', 'touch_ms'],
  ['lift', 'lift_ms'],
  ['place', 'place_ms'],
  ['release', 'release_ms'],
] as const;
type Edge = (typeof EDGES)[number][0];

/** A sign around a point: open circle, up, down, full circle. */
function sign(edge: Edge): SVGElement {
  if (edge === 'touch') return s('circle', { r: 4.5, class: 'open' });
  if (edge === 'lift') return s('path', { d: 'M-5 4 L0 -5 L5 4 Z' });
  if (edge === 'place') return s('path', { d: 'M-5 -4 L0 5 L5 -4 Z' });
  return s('circle', { r: 4.5 });
}

/** What a contact was, in words. */
export function contactText(contact: Contact): string {
  const moved = contact.square !== null && contact.to !== null && contact.to !== contact.square;
  return t(moved ? 'contact-label-to' : 'contact-label', {
    player: t(contact.player === 'white' ? 'White' : 'Black'),
    piece: t('piece-name', { letter: contact.piece.toUpperCase() }),
    square: contact.square ?? contact.to ?? '',
    kind: t(`contact-${contact.kind}`),
    to: contact.to ?? '',
  });
}

export class Timeline {
  readonly element = h('div', { class: 'timeline' });
  private readonly now = s('line', { class: 'now', y1: 0, y2: '100%' });

  constructor(
    private readonly incident: Opened,
    private readonly nearest: (ms: number) => number,
    go: (frame: number) => void,
  ) {
    const { times_ms } = incident;
    if (times_ms.length < 2) return;
    const contacts = this.shown();
    const svg = s('svg', { height: contacts.length * LANE + 8, role: 'img', 'aria-label': this.said(contacts) });
    svg.append(s('line', { class: 'move', x1: this.x(incident.at_ms), x2: this.x(incident.at_ms), y1: 0, y2: '100%' }));
    contacts.forEach((contact, lane) => svg.append(...this.lane(contact, lane * LANE)));
    svg.append(this.now);
    svg.addEventListener('click', (event) => {
      const { left, width } = svg.getBoundingClientRect();
      go(Math.round(((event.clientX - left) / width) * (times_ms.length - 1)));
    });
    this.element.append(svg, this.legend());
  }

  /** Marks the frame that is shown. */
  at(frame: number): void {
    const x = this.percent(frame);
    this.now.setAttribute('x1', x);
    this.now.setAttribute('x2', x);
  }

  private percent(frame: number): string {
    return `${(frame / Math.max(this.incident.times_ms.length - 1, 1)) * 100}%`;
  }

  private x(ms: number): string {
    return this.percent(this.nearest(ms));
  }

  /** The contacts of which there are frames, the one that it is about first. */
  private shown(): Contact[] {
    const { contacts, contact, times_ms } = this.incident;
    const seen = (c: Contact) => times_ms.some((ms) => ms > c.touch_ms - FAR_MS && ms < c.release_ms + FAR_MS);
    const about = (c: Contact) => (c.id === contact ? 0 : 1);
    return contacts.filter(seen).sort((a, b) => about(a) - about(b) || a.touch_ms - b.touch_ms);
  }

  private lane(contact: Contact, top: number): SVGElement[] {
    const kind = `lane ${contact.player} ${contact.id === this.incident.contact ? 'about' : ''}`;
    const [from, to] = [this.x(contact.touch_ms), this.x(contact.release_ms)];
    const late = parseFloat(from) > 55;
    const label = s(
      'text',
      { class: kind, x: late ? to : from, y: top + 12, 'text-anchor': late ? 'end' : 'start' },
      contactText(contact),
    );
    const line = s('line', { class: kind, x1: from, x2: to, y1: top + LINE, y2: top + LINE });
    const marks = EDGES.flatMap(([edge, at]) => {
      const ms = contact[at];
      if (ms === null) return [];
      const mark = s('svg', { x: this.x(ms), y: top + LINE, overflow: 'visible', class: kind }, sign(edge));
      mark.append(s('title', {}, `${t(`edge-${edge}`)} ${seconds(ms - this.zero)} s`));
      return [mark];
    });
    return [line, label, ...marks];
  }

  private get zero(): number {
    const { contacts, contact, at_ms } = this.incident;
    return contacts.find((c) => c.id === contact)?.touch_ms ?? at_ms;
  }

  private legend(): HTMLElement {
    const signs = EDGES.flatMap(([edge]) => [
      s('svg', { width: 14, height: 14, viewBox: '-7 -7 14 14', 'aria-hidden': 'true' }, sign(edge)),
      h('span', {}, t(`edge-${edge}`)),
    ]);
    return h('p', { class: 'legend' }, ...signs);
  }

  /** The same for who does not see it. */
  private said(contacts: Contact[]): string {
    const times = (c: Contact) =>
      EDGES.flatMap(([edge, at]) => {
        const ms = c[at];
        return ms === null ? [] : [`${t(`edge-${edge}`)} ${seconds(ms - this.zero)} s`];
      }).join(', ');
    return [t('timeline'), ...contacts.map((c) => `${contactText(c)}: ${times(c)}`)].join('. ');
  }
}
