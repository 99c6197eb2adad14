// The arbiter's page: who is there, the boards, the queue, an incident, and the keys for all of it.
import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.brown.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import './style.css';
import { AdminView } from './admin';
import * as api from './api';
import type { Board, Incident, User } from './api';
import { CalibrateView } from './calibrate';
import { h } from './dom';
import { entry, invited } from './entry';
import { IncidentView } from './incident';
import { Queue, waits } from './queue';
import { ReviewsView } from './reviews';
import { sentence } from './sentence';
import { current, setLanguage, t } from './words';
import { Wall } from './wall';

const app = document.querySelector<HTMLElement>('#app')!;

/** What the log tells of that changes the queue. */
const CHANGES = ['incident', 'incident_withdrawn', 'evidence', 'evidence_freed', 'held', 'let_go', 'ruling', 'judgement'];

/** What lies over the desk while it is open. */
interface Over {
  readonly element: HTMLElement;
  /** It is on the page now. */
  ready(): void;
  /** It will be taken off. */
  stop(): void;
  /** Something changed. */
  refresh(): Promise<void>;
  /** Whether the key meant something. */
  key(event: KeyboardEvent): boolean;
}

/** What is on the page after logging in. */
class Desk {
  private readonly boards = new Map<number, Board>();
  private incidents: Incident[] = [];
  /** Kinds of incidents that are not shown. */
  private off: string[] = [];
  /** Sees footage and incidents; rules and tends boards; keeps people. */
  private readonly sees: boolean;
  private readonly rules: boolean;
  private readonly keeps: boolean;
  private wall: Wall;
  private queue: Queue;
  private opened: Over | undefined;
  /** Opens what is open again, in another language. */
  private reopen: (() => Promise<void>) | undefined;
  /** Where the keyboard was before something was opened. */
  private before: Element | null = null;
  private readonly overlay = h('div', { class: 'overlay', hidden: true });
  private readonly link = h('span', { class: 'link', role: 'status' });
  private readonly news = h('p', { class: 'news', role: 'status', 'aria-live': 'polite' });
  private readonly help = h('dialog', { class: 'help' });
  private events: EventSource | undefined;
  private last = 0;

  constructor(
    private readonly user: User,
    private readonly leave: () => void,
  ) {
    this.sees = api.reaches(user.role, 'reviewer');
    this.rules = api.reaches(user.role, 'arbiter');
    this.keeps = api.reaches(user.role, 'administrator');
    this.wall = this.freshWall();
    this.queue = new Queue((id) => void this.open(id));
  }

  async start(): Promise<void> {
    await this.fetch();
    this.build();
    document.addEventListener('keydown', this.onkey);
    this.listen();
  }

  private async fetch(): Promise<void> {
    for (const board of await api.boards()) this.boards.set(board.id, board);
    if (!this.sees) return;
    this.incidents = await api.incidents();
    this.off = (await api.alerts()).filter((s) => !s.in_use).map((s) => s.kind);
  }

  /** All of it in the current language. */
  private build(): void {
    this.wall.stop();
    this.wall = this.freshWall();
    this.queue = new Queue((id) => void this.open(id));
    const button = (label: string, shortcut: string, work: () => void) =>
      h('button', { type: 'button', onclick: work }, label, shortcut ? h('kbd', {}, shortcut) : null);
    app.replaceChildren(
      h(
        'header',
        { class: 'top' },
        h('h1', {}, 'Adoube'),
        this.link,
        this.sees ? button(t('reviews-title'), '', () => this.openReviews()) : null,
        this.keeps ? button(t('admin-title'), '', () => this.openAdmin()) : null,
        button(t('language'), 'L', () => this.language()),
        button(t('keys'), '?', () => this.showHelp()),
        button(t('log-out', { name: this.user.name }), '', () => void this.logOut()),
      ),
      this.news,
      h(
        'main',
        { class: 'desk' },
        this.wall.element,
        this.sees ? this.queue.element : h('aside', { class: 'queue' }, h('p', {}, t('viewer-note'))),
      ),
      this.overlay,
      this.help,
    );
    for (const board of this.boards.values()) this.wall.show(board);
    this.showQueue();
  }

  private showQueue(): void {
    this.queue.show(this.incidents, [...this.boards.values()]);
    this.queue.showOff(this.off);
    const waiting = this.incidents.filter(waits).length;
    document.title = waiting ? `(${waiting}) Adoube` : 'Adoube';
  }

  /** One stream; a page that was cut off names the last event that it has, and hears what it missed. */
  private listen(): void {
    const events = new EventSource(`/api/events${this.last ? `?after=${this.last}` : ''}`);
    this.events = events;
    events.onopen = () => {
      this.link.textContent = t('connected');
      this.link.classList.remove('lost');
      // What was missed is told, but what changed before the first event is not.
      void this.same();
      void this.refresh();
    };
    events.onerror = () => {
      this.link.textContent = t('cut-off');
      this.link.classList.add('lost');
      // The browser tries again by itself, unless it was turned away.
      if (events.readyState === EventSource.CLOSED) window.setTimeout(() => void this.again(), 2000);
    };
    events.addEventListener('board', (event) => {
      const board = JSON.parse((event as MessageEvent<string>).data) as Board;
      this.boards.set(board.id, board);
      this.wall.show(board);
      this.queue.hint([...this.boards.values()]);
    });
    events.addEventListener('board_removed', (event) => {
      const message = event as MessageEvent<string>;
      this.last = Number(message.lastEventId) || this.last;
      const { board } = (JSON.parse(message.data) as { body: { board: number } }).body;
      this.boards.delete(board);
      this.wall.remove(board);
      this.queue.hint([...this.boards.values()]);
    });
    for (const kind of CHANGES)
      events.addEventListener(kind, (event) => {
        this.last = Number((event as MessageEvent<string>).lastEventId) || this.last;
        void this.refresh();
      });
  }

  private async again(): Promise<void> {
    try {
      if ((await api.me()).user) this.listen();
      else this.end();
    } catch {
      window.setTimeout(() => void this.again(), 2000);
    }
  }

  /** Whoever may do something else now gets another page. */
  private async same(): Promise<void> {
    const { user } = await api.me().catch(() => ({ user: this.user }));
    if (JSON.stringify(user) !== JSON.stringify(this.user)) this.end();
  }

  private async refresh(): Promise<void> {
    if (!this.sees) return;
    try {
      const known = new Set(this.incidents.map((i) => i.id));
      this.incidents = await api.incidents();
      const fresh = this.incidents.find((i) => !known.has(i.id));
      if (fresh) this.news.textContent = t('new-alert', { sentence: `${fresh.board}: ${sentence(fresh)}` });
      this.showQueue();
      await this.opened?.refresh();
    } catch (error) {
      if (error instanceof api.Refused && error.status === 401) this.end();
    }
  }

  private async open(id: number): Promise<void> {
    this.over(await IncidentView.open(id, this.rules, () => this.shut()), () => this.open(id));
  }

  private freshWall(): Wall {
    return new Wall(this.user.role, (board) => this.calibrate(board));
  }

  private calibrate(board: Board): void {
    this.over(new CalibrateView(board, () => this.shut()), async () => this.calibrate(board));
  }

  private openAdmin(): void {
    this.over(new AdminView([...this.boards.values()], () => this.shut()), async () => this.openAdmin());
  }

  private openReviews(): void {
    this.over(new ReviewsView(this.rules, () => this.shut()), async () => this.openReviews());
  }

  /** Lays something over the desk, which nobody reaches by keyboard until it is shut. */
  private over(view: Over, reopen: () => Promise<void>): void {
    this.before ??= document.activeElement;
    this.opened?.stop();
    this.opened = view;
    this.reopen = reopen;
    this.covered(true);
    this.overlay.replaceChildren(view.element);
    view.ready();
  }

  private covered(covered: boolean): void {
    this.overlay.hidden = !covered;
    for (const part of app.children) if (part !== this.overlay && part !== this.help) part.toggleAttribute('inert', covered);
  }

  private shut(): void {
    // The administrator may have switched some.
    if (this.opened instanceof AdminView) void this.fetch().then(() => this.showQueue());
    this.opened?.stop();
    this.opened = undefined;
    this.reopen = undefined;
    this.overlay.replaceChildren();
    this.covered(false);
    if (this.before instanceof HTMLElement) this.before.focus();
    this.before = null;
  }

  private language(): void {
    setLanguage(current() === 'de' ? 'en' : 'de');
    const { reopen } = this;
    this.shut();
    this.news.textContent = '';
    this.build();
    this.link.textContent = t(this.link.classList.contains('lost') ? 'cut-off' : 'connected');
    void reopen?.();
  }

  private showHelp(): void {
    const keys: [string, string][] = [
      ['\u2191 \u2193', 'key-queue'],
      ['Enter', 'key-open'],
      ['\u2190 \u2192', 'key-step'],
      ['Home End', 'key-ends'],
      ['1 2 3', 'key-jump'],
      ['\u2423', 'key-play'],
      ['+ \u2212', 'key-zoom'],
      ['U D C', 'key-rule'],
      ['J A', 'key-correct'],
      ['N', 'key-note'],
      ['Z', 'key-undo'],
      ['X', 'key-export'],
      ['H', 'key-hold'],
      ['Esc', 'key-close'],
      ['L', 'key-language'],
    ];
    this.help.replaceChildren(
      h('h2', {}, t('keys')),
      h('dl', {}, ...keys.flatMap(([key, id]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, t(id))])),
      h('button', { type: 'button', onclick: () => this.help.close() }, t('close')),
    );
    this.help.showModal();
  }

  private readonly onkey = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
    if (target.matches('input, textarea, select') && event.key !== 'Escape') return;
    // A button does by itself what it is for.
    if (target.matches('button, summary') && (event.key === 'Enter' || event.key === ' ')) return;
    if (this.key(event)) event.preventDefault();
  };

  private key(event: KeyboardEvent): boolean {
    if (event.key === '?') this.showHelp();
    else if (event.key === 'l') this.language();
    else if (this.opened) return this.opened.key(event);
    else if (event.key === 'ArrowDown' || event.key === 'j') this.queue.step(1);
    else if (event.key === 'ArrowUp' || event.key === 'k') this.queue.step(-1);
    else if (event.key === 'Enter' && this.queue.first !== undefined) void this.open(this.queue.first);
    else return false;
    return true;
  }

  private async logOut(): Promise<void> {
    await api.logout().catch(() => undefined);
    this.end();
  }

  private end(): void {
    this.events?.close();
    this.wall.stop();
    this.shut();
    document.removeEventListener('keydown', this.onkey);
    this.leave();
  }
}

async function begin(): Promise<void> {
  try {
    const { user, unclaimed } = await api.me();
    if (user && !invited()) await new Desk(user, () => void begin()).start();
    else app.replaceChildren(entry(unclaimed, () => void begin()));
  } catch {
    app.replaceChildren(h('main', {}, h('p', { class: 'said' }, t('cut-off'))));
    window.setTimeout(() => void begin(), 2000);
  }
}

setLanguage(current());
void begin();
