// Calibrating by hand: the four corners are dragged on the live picture, by pointer or keys; the
// station says what grid they make and what is doubtful about it.
import * as api from './api';
import type { Board, Corner, Corners, Tried } from './api';
import { h } from './dom';
import { t } from './words';

const NAMES: Corner[] = ['a1', 'h1', 'h8', 'a8'];
/** How often the picture is fetched, milliseconds. */
const PICTURE_MS = 700;
/** Enlargement of what is under the corner that is moved. */
const LOUPE = 4;
const LOUPE_PX = 160;

const svg = <K extends keyof SVGElementTagNameMap>(tag: K): SVGElementTagNameMap[K] => document.createElementNS('http://www.w3.org/2000/svg', tag);

export class CalibrateView {
  readonly element = h('section', { class: 'calibrate', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'calibrate-title' });
  private readonly picture = h('img', { alt: '' });
  private readonly lines = svg('path');
  private readonly drawing = svg('svg');
  private readonly stage = h('div', { class: 'canvas' }, this.picture);
  private readonly loupe = h('div', { class: 'loupe', hidden: true, 'aria-hidden': 'true' });
  private readonly enlarged = h('img', { alt: '' });
  private readonly doubts = h('ul', { class: 'doubts' });
  private readonly state = h('p', { role: 'status' });
  private readonly said = h('p', { class: 'said', role: 'alert' });
  private readonly handles = new Map<Corner, HTMLButtonElement>();
  private corners: Corners | undefined;
  private begun: Corners | undefined;
  private tried: Tried | undefined;
  /** Whether an answer is awaited, and whether the corners have changed since it was asked for. */
  private asking = false;
  private changed = false;
  private timer = 0;

  constructor(
    private readonly board: Board,
    private readonly close: () => void,
  ) {
    const button = (label: string, shortcut: string, work: () => void, cls = '') =>
      h('button', { type: 'button', class: cls, 'aria-keyshortcuts': shortcut, onclick: work }, label, h('kbd', {}, shortcut));
    this.picture.alt = t('picture-of', { board: board.name });
    this.drawing.append(this.lines);
    this.drawing.setAttribute('aria-hidden', 'true');
    this.loupe.append(this.enlarged);
    this.stage.append(this.drawing, ...NAMES.map((name) => this.handle(name)), this.loupe);
    this.element.append(
      h('header', {}, h('h2', { id: 'calibrate-title', tabindex: '-1' }, t('calibrate-title', { board: board.name })), button(t('back'), 'Esc', () => this.close())),
      h('p', {}, t('calibrate-lead')),
      this.stage,
      h(
        'div',
        { class: 'verdict' },
        this.state,
        this.doubts,
        h(
          'div',
          { class: 'buttons' },
          button(t('calibrate-save'), 'S', () => void this.save(), 'upheld'),
          button(t('calibrate-snap'), 'F', () => this.snap()),
          button(t('calibrate-turn'), 'R', () => this.turn()),
          button(t('calibrate-reset'), 'Z', () => this.set(this.begun)),
          button(t('calibrate-forget'), 'A', () => void this.forget()),
        ),
        this.said,
      ),
    );
  }

  ready(): void {
    this.element.querySelector<HTMLElement>('#calibrate-title')?.focus();
    this.picture.addEventListener('load', () => this.sized(), { once: true });
    this.follow();
  }

  stop(): void {
    window.clearTimeout(this.timer);
  }

  async refresh(): Promise<void> {}

  key(event: KeyboardEvent): boolean {
    const does: Record<string, () => void> = {
      Escape: () => this.close(),
      s: () => void this.save(),
      f: () => this.snap(),
      r: () => this.turn(),
      z: () => this.set(this.begun),
      a: () => void this.forget(),
    };
    const work = does[event.key];
    work?.();
    return work !== undefined;
  }

  /** The picture goes on while corners are dragged. */
  private follow(): void {
    const next = new Image();
    const later = () => (this.timer = window.setTimeout(() => this.follow(), PICTURE_MS));
    next.onload = () => {
      this.picture.src = next.src;
      this.enlarged.src = next.src;
      later();
    };
    next.onerror = () => {
      this.state.textContent = t('calibrate-no-picture');
      later();
    };
    next.src = `/api/boards/${this.board.id}/picture?t=${Date.now()}`;
  }

  private get size(): [number, number] {
    return [this.picture.naturalWidth, this.picture.naturalHeight];
  }

  /** The first picture tells the size: the corners as they are, or where a board may lie. */
  private sized(): void {
    const [width, height] = this.size;
    this.drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.stage.style.aspectRatio = `${width} / ${height}`;
    const at = (x: number, y: number): [number, number] => [x * width, y * height];
    const guess: Corners = { a1: at(0.25, 0.8), h1: at(0.75, 0.8), h8: at(0.7, 0.25), a8: at(0.3, 0.25) };
    void this.attempt(async () => {
      const { corners } = await api.place(this.board.id);
      this.begun = corners ?? guess;
      this.set(this.begun);
    });
  }

  // ---- moving corners

  private handle(name: Corner): HTMLButtonElement {
    const handle = h('button', { type: 'button', class: 'corner', 'aria-label': t('corner', { name }) }, name);
    handle.addEventListener('keydown', (event) => this.nudge(name, event));
    handle.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener('pointermove', (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = this.stage.getBoundingClientRect();
      const [width, height] = this.size;
      this.move(name, [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height]);
    });
    handle.addEventListener('focus', () => this.look(name));
    handle.addEventListener('blur', () => (this.loupe.hidden = true));
    this.handles.set(name, handle);
    return handle;
  }

  private nudge(name: Corner, event: KeyboardEvent): void {
    const way: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = way[event.key];
    const at = this.corners?.[name];
    if (!step || !at) return;
    event.preventDefault();
    event.stopPropagation();
    const px = event.shiftKey ? 10 : 1;
    this.move(name, [at[0] + step[0] * px, at[1] + step[1] * px]);
  }

  private move(name: Corner, to: [number, number]): void {
    if (!this.corners) return;
    this.set({ ...this.corners, [name]: to.map((v) => Math.round(v * 10) / 10) as [number, number] });
    this.look(name);
  }

  private set(corners: Corners | undefined): void {
    if (!corners) return;
    this.corners = corners;
    const [width, height] = this.size;
    for (const [name, handle] of this.handles) {
      const [x, y] = corners[name];
      handle.style.left = `${(100 * x) / width}%`;
      handle.style.top = `${(100 * y) / height}%`;
    }
    this.changed = true;
    void this.ask();
  }

  /** What is under a corner, larger. */
  private look(name: Corner): void {
    const at = this.corners?.[name];
    if (!at) return;
    const [width, height] = this.size;
    this.loupe.hidden = false;
    // On the other side, so that it does not hide what it shows.
    this.loupe.classList.toggle('right', at[0] < width / 2);
    this.enlarged.style.width = `${width * LOUPE}px`;
    this.enlarged.style.transform = `translate(${LOUPE_PX / 2 - at[0] * LOUPE}px, ${LOUPE_PX / 2 - at[1] * LOUPE}px)`;
    this.enlarged.style.height = `${height * LOUPE}px`;
  }

  private snap(): void {
    if (this.tried?.snapped) this.set(this.tried.snapped);
    else this.state.textContent = t('calibrate-no-edges');
  }

  /** The names move on by one corner: for a board that lies otherwise. */
  private turn(): void {
    if (!this.corners) return;
    const { a1, h1, h8, a8 } = this.corners;
    this.set({ a1: h1, h1: h8, h8: a8, a8: a1 });
  }

  // ---- what the station says of them

  /** One question at a time; the last corners are always asked about. */
  private async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    while (this.changed && this.corners) {
      this.changed = false;
      try {
        this.show(await api.tryPlace(this.board.id, this.corners));
      } catch (error) {
        this.show(undefined, (error as Error).message);
      }
    }
    this.asking = false;
  }

  private show(tried: Tried | undefined, why?: string): void {
    this.tried = tried;
    const doubts = tried ? tried.doubts : [why ?? ''];
    this.lines.setAttribute('d', tried ? grid(tried.grid) : '');
    this.element.dataset['good'] = String(doubts.length === 0);
    this.state.textContent = t(doubts.length ? 'calibrate-doubts' : 'calibrate-good');
    this.doubts.replaceChildren(...doubts.map((doubt) => h('li', {}, doubt)));
  }

  private async save(): Promise<void> {
    const { corners } = this;
    if (!corners) return;
    await this.attempt(async () => {
      await api.keepPlace(this.board.id, corners);
      this.begun = corners;
      this.state.textContent = t('calibrate-saved');
    });
  }

  private async forget(): Promise<void> {
    await this.attempt(async () => {
      await api.forgetPlace(this.board.id);
      this.state.textContent = t('calibrate-forgotten');
    });
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    this.said.textContent = '';
    try {
      await work();
    } catch (error) {
      this.said.textContent = t('failed', { why: (error as Error).message });
    }
  }
}

/** The lines through the 9 x 9 crossings. */
function grid(points: [number, number][]): string {
  const line = (indexes: number[]) => `M${indexes.map((k) => points[k]?.map((v) => v.toFixed(1)).join(' ') ?? '').join('L')}`;
  const nine = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  return nine.flatMap((a) => [line(nine.map((b) => a * 9 + b)), line(nine.map((b) => b * 9 + a))]).join('');
}
