// Putting a board right by hand: who plays, what the last move was, what stands, how the game ended.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Color, Role } from '@lichess-org/chessground/types';
import * as api from './api';
import type { Board } from './api';
import { h, shown } from './dom';
import { t, written } from './words';

const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const COLORS: Color[] = ['white', 'black'];
/** Where king and rook stand for each right to castle. */
const HOMES: [string, string, string][] = [
  ['K', 'e1', 'h1'],
  ['Q', 'e1', 'a1'],
  ['k', 'e8', 'h8'],
  ['q', 'e8', 'a8'],
];

type Field = HTMLInputElement | HTMLSelectElement;

/** The rights to castle that can still be there: those there were, with king and rook at home. */
function castling(ground: Api, before: string): string {
  const { pieces } = ground.state;
  const home = ([right, king, rook]: [string, string, string]) => {
    const color = right === right.toUpperCase() ? 'white' : 'black';
    const is = (square: string, role: Role) => {
      const piece = pieces.get(square as never);
      return piece?.role === role && piece.color === color;
    };
    return before.includes(right) && is(king, 'king') && is(rook, 'rook');
  };
  return HOMES.filter(home).map(([right]) => right).join('') || '-';
}

export class Fix {
  readonly element = h('dialog', { class: 'fix', 'aria-labelledby': 'fix-title' });
  private readonly said = h('p', { class: 'said', role: 'status' });
  private readonly place = h('div', { class: 'position' });
  private readonly fen = h('input', { id: 'fix-fen', type: 'text', spellcheck: 'false', autocomplete: 'off' });
  private readonly turn = this.select('fix-turn', [['w', t('White')], ['b', t('Black')]]);
  private ground: Api | undefined;

  constructor(private readonly board: Board) {
    this.element.addEventListener('close', () => this.element.remove());
  }

  /** To be called when it is on the page. */
  async open(): Promise<void> {
    const game = await api.game(this.board.id).catch(() => undefined);
    const { board } = this;
    this.element.replaceChildren(
      h('header', {}, h('h2', { id: 'fix-title' }, t('fix-title', { board: board.name })), this.button(t('close'), () => this.element.close())),
      h('p', { class: 'lead' }, t('fix-lead')),
      this.said,
      h('div', { class: 'halves' }, this.stands(), h('div', {}, this.picture(), this.players(), this.lastMove(game), this.end())),
    );
    this.element.showModal();
    this.edit(board.fen);
  }

  /** What the camera sees, to be compared with. */
  private picture(): HTMLElement {
    const { id, name } = this.board;
    return h('img', { class: 'live', alt: t('picture-of', { board: name }), src: `/api/boards/${id}/picture?t=${Date.now()}` });
  }

  private button(label: string, work: () => void): HTMLElement {
    return h('button', { type: 'button', onclick: work }, label);
  }

  private select(id: string, options: [string, string][]): HTMLSelectElement {
    return h('select', { id }, ...options.map(([value, text]) => h('option', { value }, text)));
  }

  private labelled(text: string, field: Field): HTMLElement {
    return h('label', { for: field.id }, text, field);
  }

  private part(title: string, ...children: (Node | null)[]): HTMLElement {
    return h('section', {}, h('h3', {}, title), ...children);
  }

  /** Does something and tells how that went. */
  private async attempt(work: () => Promise<Response | unknown>, done: string): Promise<void> {
    this.said.classList.remove('bad');
    this.said.textContent = '';
    try {
      const answer = await work();
      const later = answer instanceof Response && answer.status === 202;
      this.said.textContent = t(later ? 'fix-later' : done);
    } catch (error) {
      this.said.classList.add('bad');
      this.said.textContent = t('failed', { why: (error as Error).message });
    }
  }

  private players(): HTMLElement {
    const { players } = this.board;
    const input = (id: string, value: string) => h('input', { id: `fix-${id}`, type: 'text', value, maxlength: '80', autocomplete: 'off' });
    const [white, black, round] = [input('white', players.white), input('black', players.black), input('round', players.round)];
    const save = () =>
      this.attempt(() => api.players(this.board.id, { ...players, white: white.value, black: black.value, round: round.value }), 'fix-done');
    return this.part(
      t('fix-players'),
      this.labelled(t('White'), white),
      this.labelled(t('Black'), black),
      this.labelled(t('round'), round),
      this.button(t('save'), () => void save()),
    );
  }

  private lastMove(game: api.Game | undefined): HTMLElement | null {
    const last = game?.moves.at(-1);
    if (!game?.alternatives.length || !last) return null;
    const number = `${Math.floor(last.ply / 2) + 1}.${last.ply % 2 ? '..' : ''}`;
    const choice = this.select('fix-move', game.alternatives.map((m) => [m.uci, written(m.san)]));
    choice.value = last.uci;
    const save = () => this.attempt(() => api.lastMove(this.board.id, choice.value), 'fix-done');
    return this.part(
      t('fix-last'),
      this.labelled(t('fix-instead', { move: `${number}\u00a0${written(last.san)}` }), choice),
      this.button(t('fix-played'), () => void save()),
    );
  }

  private end(): HTMLElement {
    const result = this.select('fix-result', [['', t('result-open')], ...['1-0', '0-1', '1/2-1/2'].map((r): [string, string] => [r, shown(r)])]);
    // Asked, not assumed: it is the arbiter who ends the game.
    result.value = this.board.sign ?? '';
    const end = () => this.attempt(() => api.newGame(this.board.id, { result: result.value || null }), 'fix-ended');
    return this.part(t('fix-end'), this.labelled(t('result'), result), this.button(t('fix-end-do'), () => void end()));
  }

  /** The board with pieces to drag, and the same as FEN. */
  private stands(): HTMLElement {
    const trays = COLORS.map((color) => this.tray(color));
    this.fen.addEventListener('input', () => this.read());
    this.turn.addEventListener('change', () => this.write());
    const stands = () => this.attempt(() => api.position(this.board.id, this.fen.value), 'fix-done');
    const begin = () => this.attempt(() => api.newGame(this.board.id, { fen: this.fen.value }), 'fix-begun');
    return this.part(
      t('fix-position'),
      ...trays.slice(1),
      h('div', { class: 'frame' }, this.place),
      ...trays.slice(0, 1),
      this.labelled(t('fix-turn'), this.turn),
      this.labelled(t('fix-fen'), this.fen),
      h('div', { class: 'buttons' }, this.button(t('fix-stands'), () => void stands()), this.button(t('fix-begin'), () => void begin())),
    );
  }

  /** Pieces to drag onto the board. */
  private tray(color: Color): HTMLElement {
    const piece = (role: Role) => {
      // The pieces' pictures are for elements of this name.
      const spare = document.createElement('piece');
      spare.className = `spare ${color} ${role}`;
      spare.title = t('piece-name', { letter: role === 'knight' ? 'N' : role.charAt(0).toUpperCase() });
      const drag = (event: Event) => {
        event.preventDefault();
        this.ground?.dragNewPiece({ color, role }, event as MouseEvent, true);
      };
      spare.addEventListener('mousedown', drag);
      spare.addEventListener('touchstart', drag, { passive: false });
      return spare;
    };
    return h('div', { class: 'tray cg-wrap', 'aria-hidden': 'true' }, ...ROLES.map(piece));
  }

  private edit(fen: string): void {
    this.ground = Chessground(this.place, {
      coordinates: true,
      animation: { enabled: false },
      movable: { free: true, color: 'both' },
      premovable: { enabled: false },
      highlight: { lastMove: false },
      draggable: { deleteOnDropOff: true, showGhost: true },
      events: { change: () => this.write() },
    });
    this.fen.value = fen;
    this.read();
  }

  /** From the field onto the board. */
  private read(): void {
    const [placement, turn] = this.fen.value.trim().split(/\s+/);
    this.ground?.set({ fen: placement ?? '' });
    if (turn === 'w' || turn === 'b') this.turn.value = turn;
  }

  /** From the board into the field. */
  private write(): void {
    if (!this.ground) return;
    const rights = castling(this.ground, this.board.fen.split(' ')[2] ?? '-');
    this.fen.value = `${this.ground.getFen()} ${this.turn.value} ${rights} - 0 1`;
  }
}
