// The wall of boards: position, live picture, what each is doing, the last moves.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import * as api from './api';
import type { Board, Role } from './api';
import { h, pairing, shown } from './dom';
import { Fix } from './fix';
import { addBoard, pairings } from './setup';
import { t, written } from './words';

/** How often a live picture is fetched, milliseconds. */
const PICTURE_MS = 700;
/** Half-moves shown of a game. */
const LAST_MOVES = 12;

const keys = (uci: string): Key[] => [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];

/** The last moves with their numbers. */
function moves(board: Board): string {
  const from = Math.max(0, board.moves.length - LAST_MOVES);
  const first = from - (from % 2);
  return board.moves
    .slice(first)
    .map((san, k) => ((first + k) % 2 === 0 ? `${(first + k) / 2 + 1}.\u00a0${written(san)}` : written(san)))
    .join(' ');
}

/** What a person should do about a board, if anything. */
function advice(board: Board): string[] {
  const { state } = board;
  const said: string[] = [];
  if (state.is === 'looking') said.push(state.why ?? t('looking-what'));
  else if (state.is === 'out_of_step') said.push(t('out-of-step-what', { squares: (state.squares ?? []).join(', ') }));
  else if (state.is === 'over') said.push(t('over-what'));
  else if (state.why) said.push(state.why);
  if (board.sign) said.push(t('sign-what', { result: shown(board.sign) }));
  if (board.not_recording) said.push(t('not-recording', { why: board.not_recording }));
  else if (board.space?.short) said.push(t(`short-${board.space.limit}`, { hours: board.space.hours_left }));
  return said;
}

export class Wall {
  readonly element = h('section', { class: 'wall', 'aria-labelledby': 'wall-title' });
  private readonly cards = new Map<number, Card>();
  private readonly empty: HTMLElement;

  constructor(
    private readonly role: Role,
    private readonly calibrate: (board: Board) => void,
  ) {
    const said = h('p', { class: 'said', role: 'status' });
    const keeps = api.reaches(role, 'administrator');
    const add = keeps && h('button', { type: 'button', onclick: addBoard }, t('add-board'));
    const round = api.reaches(role, 'arbiter') && pairings((text) => (said.textContent = text));
    this.empty = h('p', { class: 'empty' }, t(keeps ? 'no-boards-add' : 'no-boards'));
    this.element.append(h('header', {}, h('h2', { id: 'wall-title' }, t('boards')), add, round), said, this.empty);
  }

  show(board: Board): void {
    let card = this.cards.get(board.id);
    if (!card) {
      card = new Card(board, this.role, this.calibrate);
      this.cards.set(board.id, card);
      this.element.append(card.element);
      card.ready();
    }
    card.show(board);
    this.empty.hidden = true;
  }

  remove(id: number): void {
    const card = this.cards.get(id);
    card?.stop();
    card?.element.remove();
    this.cards.delete(id);
    this.empty.hidden = this.cards.size > 0;
  }

  stop(): void {
    for (const card of this.cards.values()) card.stop();
  }
}

class Card {
  readonly element: HTMLElement;
  private readonly position = h('div', { class: 'position' });
  private readonly picture = h('img', { alt: '' });
  private readonly state = h('span', { class: 'state' });
  private readonly names = h('p', { class: 'names' });
  private readonly line = h('p', { class: 'moves' });
  private readonly advice = h('div', { class: 'advice' });
  private ground: Api | undefined;
  private timer = 0;

  constructor(private board: Board, role: Role, calibrate: (board: Board) => void) {
    const sees = api.reaches(role, 'reviewer');
    const tends = api.reaches(role, 'arbiter');
    this.picture.alt = t('picture-of', { board: board.name });
    const button = (label: string, work: () => Promise<unknown>) =>
      h('button', { type: 'button', onclick: () => void work().catch((e: Error) => this.say([e.message])) }, label);
    const fresh = button(t('new-game'), async () => {
      if (confirm(t('new-game-sure'))) await api.newGame(board.id);
    });
    const fix = button(t('fix'), () => this.fix());
    const remove =
      api.reaches(role, 'administrator') &&
      button(t('remove-board'), async () => {
        if (confirm(t('remove-board-sure', { board: board.name }))) await api.removeBoard(board.id);
      });
    const again = button(t('look-again'), () => api.lookAgain(board.id));
    const place = h('button', { type: 'button', onclick: () => calibrate(board) }, t('calibrate'));
    this.element = h(
      'article',
      { class: 'card', 'aria-label': board.name },
      h('header', {}, h('h3', {}, board.name), this.state),
      this.names,
      this.advice,
      h('div', { class: 'views' }, h('div', { class: 'frame' }, this.position), sees && this.picture),
      this.line,
      tends && h('footer', {}, fix, fresh, again, place, remove),
    );
    if (sees) this.follow(board.id);
  }

  /** The position needs its place on the page to know its size. */
  ready(): void {
    this.ground = Chessground(this.position, { viewOnly: true, coordinates: false, animation: { enabled: false } });
  }

  private async fix(): Promise<void> {
    const fix = new Fix(this.board);
    this.element.append(fix.element);
    await fix.open();
  }

  show(board: Board): void {
    this.board = board;
    const next = board.next && pairing(board.next);
    this.names.textContent = [pairing(board.players), next && t('next-pairing', { pairing: next })].filter(Boolean).join(' \u00b7 ');
    this.ground?.set({ fen: board.fen, lastMove: board.last ? keys(board.last) : [] });
    this.state.textContent = t(`state-${board.state.is}`);
    this.element.dataset['state'] = board.state.is;
    this.line.textContent = board.moves.length ? moves(board) : t('no-moves');
    this.say(advice(board));
  }

  private say(lines: string[]): void {
    this.advice.replaceChildren(...lines.map((line) => h('p', {}, line)));
  }

  /** A new picture once the one before has come; none while the page is hidden. */
  private follow(id: number): void {
    const next = () => {
      const loading = new Image();
      const later = () => (this.timer = window.setTimeout(next, PICTURE_MS));
      if (document.hidden) {
        later();
        return;
      }
      loading.onload = () => {
        this.picture.src = loading.src;
        this.picture.classList.add('live');
        later();
      };
      loading.onerror = later;
      loading.src = `/api/boards/${id}/picture?t=${Date.now()}`;
    };
    next();
  }

  stop(): void {
    window.clearTimeout(this.timer);
    this.picture.removeAttribute('src');
  }
}
