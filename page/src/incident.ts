// An incident opened: its frames one by one, the position, what was allowed, why, and the ruling.
import { Chessground } from '@lichess-org/chessground';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import * as api from './api';
import type { Correction, Opened, Ruling } from './api';
import { clock, h, pairing, seconds } from './dom';
import { isClosed, percent, sentence } from './sentence';
import { Timeline } from './timeline';
import { current, t, written } from './words';

/** Zoom steps. */
const ZOOMS = [1, 1.5, 2, 3, 4];
/** Longest wait between two frames while playing, milliseconds: gaps are not sat through. */
const LONGEST_STEP_MS = 250;

const key = (square: string): Key => square as Key;

export class IncidentView {
  readonly element = h('section', { class: 'incident', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'incident-title' });
  private readonly image = h('img', { alt: '' });
  private readonly stage = h('div', { class: 'stage' }, this.image);
  private readonly caption = h('p', { class: 'caption', 'aria-live': 'off' });
  private board = h('div', { class: 'position' });
  private timeline: Timeline | undefined;
  private readonly note = h('textarea', { id: 'note', rows: '2', maxlength: '2000' });
  private readonly corrected = h('p', { class: 'corrected', role: 'status' });
  private readonly ruled = h('p', { class: 'ruled', role: 'status' });
  private readonly said = h('p', { class: 'said', role: 'alert' });
  private readonly held = h('button', { type: 'button', 'aria-keyshortcuts': 'H', onclick: () => void this.hold() });
  private readonly kept = h('p', { class: 'kept' });
  private readonly publicKey = h('code', {});
  private readonly play = h('button', { type: 'button', 'aria-keyshortcuts': 'Space', onclick: () => this.toggle() });
  private readonly loaded = new Map<number, HTMLImageElement>();
  private at = 0;
  private zoom = 0;
  private timer = 0;

  private constructor(
    private incident: Opened,
    private readonly rules: boolean,
    private readonly close: () => void,
  ) {}

  static async open(id: number, rules: boolean, close: () => void): Promise<IncidentView> {
    const view = new IncidentView(await api.incident(id, current()), rules, close);
    view.build();
    return view;
  }

  get id(): number {
    return this.incident.id;
  }

  private build(): void {
    const { incident } = this;
    const closed = isClosed(incident);
    this.board = h('div', { class: 'position' });
    const button = (label: string, shortcut: string, work: () => void, cls = '') =>
      h('button', { type: 'button', class: cls, 'aria-keyshortcuts': shortcut, onclick: work }, label, h('kbd', {}, shortcut));
    this.note.value = incident.ruled?.note ?? '';
    this.timeline = new Timeline(incident, (ms) => this.nearest(ms), (frame) => this.step(frame - this.at));
    this.element.replaceChildren(
      h(
        'header',
        {},
        h(
          'div',
          {},
          h('h2', { id: 'incident-title', tabindex: '-1' }, `${incident.board}: ${sentence(incident)}`),
          h('p', { class: 'names' }, this.who()),
        ),
        button(t('back'), 'Esc', () => this.close()),
      ),
      h(
        'div',
        { class: 'proof' },
        incident.times_ms.length ? this.stage : h('p', { class: 'none' }, t(incident.freed ? 'frames-freed' : 'no-frames')),
        this.caption,
        this.timeline.element,
        h(
          'div',
          { class: 'controls' },
          button('\u25c0', '\u2190', () => this.step(-1)),
          this.play,
          button('\u25b6', '\u2192', () => this.step(1)),
          button(t('zoom'), '+', () => this.zoomBy(1)),
          ...this.marks().map(({ id, ms }, k) => button(t(id), String(k + 1), () => this.step(this.nearest(ms) - this.at))),
        ),
      ),
      h(
        'div',
        { class: 'case' },
        h('div', { class: 'frame' }, this.board),
        h(
          'dl',
          {},
          h('dt', {}, t('article', { article: incident.article })),
          ...(closed ? [h('dd', {}, t('closed-what'))] : this.allowed()),
          h('dt', {}, t('played')),
          h('dd', {}, written(incident.played)),
        ),
        ...(closed ? [] : this.why()),
        incident.withdrawn ? h('p', { class: 'withdrawn' }, t('withdrawn')) : null,
      ),
      h(
        'div',
        { class: 'ruling' },
        h('h3', {}, t('ruling')),
        this.ruled,
        ...(this.rules ? this.ruling(button) : [incident.ruled?.note ? h('p', {}, incident.ruled.note) : null, this.corrected]),
      ),
      h(
        'div',
        { class: 'evidence' },
        h('h3', {}, t('evidence')),
        this.kept,
        this.rules && h(
          'div',
          { class: 'buttons' },
          h('a', { href: api.exportUrl(this.id), download: '', class: 'button', 'aria-keyshortcuts': 'X' }, t('export'), h('kbd', {}, 'X')),
          this.held,
        ),
        h('p', { class: 'hint' }, t('export-what'), ' ', this.publicKey),
      ),
    );
    void api.publicKey().then((key) => (this.publicKey.textContent = key));
    this.note.addEventListener('keydown', (event) => this.inNote(event));
    this.showRuling();
    this.label();
    const touch = this.contact()?.touch_ms;
    this.go(touch === undefined ? 0 : this.nearest(touch));
  }

  private ruling(button: (label: string, shortcut: string, work: () => void, cls?: string) => HTMLElement): HTMLElement[] {
    return [
      h(
        'div',
        { class: 'buttons' },
        button(t('upheld'), 'U', () => void this.rule('upheld'), 'upheld'),
        button(t('dismissed'), 'D', () => void this.rule('dismissed'), 'dismissed'),
        button(t('unclear'), 'C', () => void this.rule('unclear'), 'unclear'),
        button(t('undo'), 'Z', () => void this.undo()),
      ),
      h('h3', {}, t('correction')),
      this.corrected,
      h(
        'div',
        { class: 'buttons' },
        button(t('announced'), 'J', () => void this.correct('announced')),
        button(t('accidental'), 'A', () => void this.correct('accidental')),
      ),
      h('label', { for: 'note' }, t('note'), h('kbd', {}, 'N')),
      this.note,
      this.said,
    ];
  }

  /** How sure it is, and what might have been played. */
  private allowed(): HTMLElement[] {
    const { allowed, probability } = this.incident;
    return [
      h('dd', {}, t('how-sure', { percent: percent(probability) })),
      h('dt', {}, t('allowed')),
      h('dd', {}, allowed.length ? written(allowed.join(', ')) : t('allowed-none')),
    ];
  }

  private why(): (HTMLElement | null)[] {
    const { facts, standing } = this.incident;
    return [
      h('h3', {}, t('why')),
      h('ul', {}, ...facts.map((fact) => h('li', {}, fact))),
      standing ? h('p', { class: 'standing' }, standing) : null,
    ];
  }

  /** To be called when it is on the page: the position needs its place to know its size. */
  ready(): void {
    Chessground(this.board, {
      fen: this.incident.fen,
      viewOnly: true,
      coordinates: true,
      orientation: this.incident.player,
      animation: { enabled: false },
      drawable: { enabled: false, visible: true, autoShapes: this.arrows() },
    });
    this.element.querySelector<HTMLElement>('#incident-title')?.focus();
  }

  /** Who plays, in which round, and when it happened. */
  private who(): string {
    const { players, at_ms } = this.incident;
    const round = players.round && `${t('round')} ${players.round}`;
    return [pairing(players), round, clock(at_ms, current())].filter(Boolean).join(' \u00b7 ');
  }

  private contact() {
    return this.incident.contacts.find((c) => c.id === this.incident.contact);
  }

  /** What was allowed in green, what was played in red. */
  private arrows(): DrawShape[] {
    const arrow = (uci: string, brush: string): DrawShape => ({ orig: key(uci.slice(0, 2)), dest: key(uci.slice(2, 4)), brush });
    const { obliged, played_uci } = this.incident;
    const shapes = obliged.map((uci) => arrow(uci, 'green'));
    if (played_uci) shapes.push(arrow(played_uci, 'red'));
    const square = this.contact()?.square;
    if (square) shapes.push({ orig: key(square), brush: 'yellow' });
    return shapes;
  }

  /** The marks in time: touch, release, the move. */
  private marks(): { id: string; ms: number }[] {
    const contact = this.contact();
    const marks = contact
      ? [
          { id: 'mark-touch', ms: contact.touch_ms },
          { id: 'mark-release', ms: contact.release_ms },
        ]
      : [];
    return [...marks, { id: 'mark-breach', ms: this.incident.at_ms }];
  }

  private nearest(ms: number): number {
    let best = 0;
    this.incident.times_ms.forEach((time, k) => {
      const known = this.incident.times_ms[best] ?? 0;
      if (Math.abs(time - ms) < Math.abs(known - ms)) best = k;
    });
    return best;
  }

  private frame(number: number): HTMLImageElement {
    let image = this.loaded.get(number);
    if (!image) {
      image = new Image();
      image.src = api.frameUrl(this.id, number);
      this.loaded.set(number, image);
    }
    return image;
  }

  private go(number: number): void {
    const { times_ms } = this.incident;
    if (!times_ms.length) return;
    this.at = Math.min(Math.max(number, 0), times_ms.length - 1);
    this.image.src = this.frame(this.at).src;
    for (let k = 1; k <= 4; k += 1) if (this.at + k < times_ms.length) this.frame(this.at + k);
    if (this.at > 0) this.frame(this.at - 1);
    const zero = this.contact()?.touch_ms ?? this.incident.at_ms;
    const text = t('frame-of', { number: this.at + 1, count: times_ms.length, offset: seconds((times_ms[this.at] ?? zero) - zero) });
    this.caption.textContent = text;
    this.image.alt = text;
    this.timeline?.at(this.at);
  }

  private step(frames: number): void {
    this.stop();
    this.go(this.at + frames);
  }

  private zoomBy(steps: number): void {
    this.zoom = (this.zoom + steps + ZOOMS.length) % ZOOMS.length;
    this.image.style.transform = `scale(${ZOOMS[this.zoom] ?? 1})`;
  }

  private toggle(): void {
    if (this.timer) this.stop();
    else this.run();
  }

  /** Plays in a loop at the frames' own pace. */
  private run(): void {
    const { times_ms } = this.incident;
    if (times_ms.length < 2) return;
    const next = this.at + 1 < times_ms.length ? this.at + 1 : 0;
    const apart = next ? (times_ms[next] ?? 0) - (times_ms[this.at] ?? 0) : LONGEST_STEP_MS;
    this.timer = window.setTimeout(() => {
      // A frame that has not come yet is waited for.
      const image = this.frame(next);
      if (image.complete) this.go(next);
      this.run();
    }, Math.min(Math.max(apart, 10), LONGEST_STEP_MS));
    this.label();
  }

  stop(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.label();
  }

  private label(): void {
    this.play.replaceChildren(t(this.timer ? 'pause' : 'play'), h('kbd', {}, '\u2423'));
  }

  private showRuling(): void {
    const { ruled, corrected } = this.incident;
    const said = corrected && t(`said-${corrected.correction}`, { who: corrected.who, time: clock(corrected.at_ms, current()) });
    const left = isClosed(this.incident) ? t('nothing-left') : t('judged-again');
    this.corrected.textContent = said ? `${said} ${left}` : '';
    this.ruled.textContent = ruled
      ? t('ruled', { ruling: t(ruled.ruling), who: ruled.who, time: clock(ruled.at_ms, current()) })
      : t('not-ruled');
    this.ruled.dataset['ruling'] = ruled?.ruling ?? '';
    const { held, freed } = this.incident;
    this.kept.textContent = t(freed ? 'frames-freed' : held ? 'held' : 'not-held');
    this.held.replaceChildren(t(held ? 'let-go' : 'hold'), h('kbd', {}, 'H'));
    this.held.disabled = freed;
  }

  private async hold(): Promise<void> {
    await this.attempt(() => api.hold(this.id, !this.incident.held));
  }

  /** What another page did to it. */
  async refresh(): Promise<void> {
    const state = (i: Opened) => JSON.stringify([i.times_ms.length, i.corrected, i.probability, i.obliged, i.withdrawn]);
    const had = state(this.incident);
    this.incident = await api.incident(this.id, current());
    this.showRuling();
    // Its last frames may only have come now, or it was judged again.
    if (state(this.incident) !== had) {
      const at = this.at;
      const note = this.note.value;
      this.loaded.clear();
      this.build();
      this.ready();
      this.note.value = note;
      this.go(at);
    }
  }

  private async rule(ruling: Ruling): Promise<void> {
    await this.attempt(() => api.rule(this.id, ruling, this.note.value));
  }

  private async correct(correction: Correction): Promise<void> {
    await this.attempt(() => api.correct(this.id, correction));
  }

  /** Takes back what was done last. */
  private async undo(): Promise<void> {
    const { ruled, corrected } = this.incident;
    const correction = corrected && corrected.at_ms > (ruled?.at_ms ?? 0);
    await this.attempt(() => (correction ? api.takeCorrectionBack(this.id) : api.undo(this.id)));
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    this.said.textContent = '';
    try {
      await work();
      await this.refresh();
    } catch (error) {
      this.said.textContent = t('failed', { why: (error as Error).message });
    }
  }

  private inNote(event: KeyboardEvent): void {
    event.stopPropagation();
    if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Escape') {
      event.preventDefault();
      this.note.blur();
      this.element.querySelector<HTMLElement>('#incident-title')?.focus();
    }
  }

  /** Whether the key meant something here. */
  key(event: KeyboardEvent): boolean {
    const jump = this.marks()[Number(event.key) - 1];
    const does: Record<string, () => void> = {
      Escape: () => this.close(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      ' ': () => this.toggle(),
      '+': () => this.zoomBy(1),
      '-': () => this.zoomBy(-1),
      ...(this.rules && {
        u: () => void this.rule('upheld'),
        d: () => void this.rule('dismissed'),
        c: () => void this.rule('unclear'),
        j: () => void this.correct('announced'),
        a: () => void this.correct('accidental'),
        z: () => void this.undo(),
        h: () => void this.hold(),
        x: () => this.element.querySelector<HTMLAnchorElement>('.evidence a')?.click(),
        n: () => this.note.focus(),
      }),
    };
    const work = jump ? () => this.step(this.nearest(jump.ms) - this.at) : does[event.key];
    work?.();
    return work !== undefined;
  }
}
