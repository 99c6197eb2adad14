// The queue of incidents, and what to do now.
import type { Board, Incident } from './api';
import { clock, h } from './dom';
import { isClosed, percent, sentence } from './sentence';
import { current, t } from './words';

/** Whether a person still has to decide something. */
export const waits = (incident: Incident): boolean => !incident.ruled && !isClosed(incident);

export class Queue {
  readonly element = h('section', { class: 'queue', 'aria-labelledby': 'queue-title' });
  private readonly count = h('span', { class: 'count' });
  private readonly next = h('div', { class: 'next' });
  private readonly off = h('p', { class: 'off' });
  private readonly list = h('div', { role: 'listbox', 'aria-labelledby': 'queue-title', tabindex: '0' });
  private incidents: Incident[] = [];
  private chosen: number | undefined;

  constructor(private readonly open: (id: number) => void) {
    this.element.append(h('h2', { id: 'queue-title' }, t('incidents')), this.count, this.next, this.off, this.list);
  }

  get first(): number | undefined {
    return this.chosen ?? this.incidents[0]?.id;
  }

  show(incidents: Incident[], boards: Board[]): void {
    this.incidents = incidents;
    if (!incidents.some((i) => i.id === this.chosen)) this.chosen = incidents[0]?.id;
    const waiting = incidents.filter(waits).length;
    this.count.textContent = t('to-rule', { count: waiting });
    this.list.replaceChildren(...incidents.map((i) => this.row(i)));
    this.mark();
    this.hint(boards);
  }

  /** What to do now. */
  hint(boards: Board[]): void {
    const names = (...states: string[]) => boards.filter((b) => states.includes(b.state.is)).map((b) => b.name).join(', ');
    const [looking, unseen] = [names('looking', 'starting'), names('camera_lost', 'not_seen', 'failed')];
    const what = this.incidents.some(waits) ? 'next-open' : !boards.length ? 'next-none' : looking ? 'next-looking' : unseen ? '' : 'next-wait';
    this.next.replaceChildren(
      h('h3', {}, t('next-title')),
      ...(what ? [h('p', {}, t(what))] : []),
      ...(unseen ? [h('p', { class: 'unseen' }, t('next-unseen', { boards: unseen }))] : []),
    );
  }

  /** Which kinds the event has not in use. */
  showOff(kinds: string[]): void {
    this.off.textContent = kinds.length ? t('alerts-off', { kinds: kinds.map((kind) => t(`kind-${kind}`)).join(', ') }) : '';
  }

  /** Chooses the one so many rows further down. */
  step(rows: number): void {
    const at = this.incidents.findIndex((i) => i.id === this.chosen);
    const next = this.incidents[Math.min(Math.max(at + rows, 0), this.incidents.length - 1)];
    this.chosen = next?.id;
    this.mark();
  }

  private row(incident: Incident): HTMLElement {
    const { ruled } = incident;
    const severity = isClosed(incident) ? 'closed' : `severity-${incident.severity}`;
    return h(
      'div',
      {
        role: 'option',
        id: `incident-${incident.id}`,
        class: `row ${incident.severity} ${waits(incident) ? '' : 'ruled'}`,
        onclick: () => {
          this.chosen = incident.id;
          this.open(incident.id);
        },
      },
      h(
        'p',
        { class: 'head' },
        h('b', {}, incident.board),
        ` ${clock(incident.at_ms, current())} `,
        h('span', { class: 'severity' }, ruled ? t(ruled.ruling) : t(severity)),
        isClosed(incident) ? null : h('span', { class: 'sure' }, t('sure', { percent: percent(incident.probability) })),
      ),
      h('p', {}, sentence(incident)),
      incident.withdrawn ? h('p', { class: 'withdrawn' }, t('withdrawn')) : null,
    );
  }

  private mark(): void {
    for (const row of this.list.children) {
      const chosen = row.id === `incident-${this.chosen}`;
      row.setAttribute('aria-selected', String(chosen));
      if (chosen) row.scrollIntoView({ block: 'nearest' });
    }
    if (this.chosen !== undefined) this.list.setAttribute('aria-activedescendant', `incident-${this.chosen}`);
  }
}
