// One board of the overlay: names, position, what was taken, the moves, a picture.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import { h } from '../dom';
import { t } from '../words';
import { type Asked, type Board, type Pairing, lines, material } from './state';

/** A picture is asked for again this long after the last one came, milliseconds. */
const PICTURE_MS = 500;
const SIGNS: Record<string, string> = { q: '\u265b', r: '\u265c', b: '\u265d', n: '\u265e', p: '\u265f\ufe0e' };

const keys = (uci: string): Key[] => [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];

/** What half of the result is a player's. */
function points(result: string, side: 'white' | 'black'): string {
  if (result === '1/2-1/2') return '\u00bd';
  const halves = result.split('-');
  return halves.length === 2 ? (side === 'white' ? halves[0]! : halves[1]!) : '';
}

/** One player's line. */
class Name {
  private readonly flag = h('span', { class: 'flag' });
  private readonly title = h('span', { class: 'title' });
  private readonly name = h('span', { class: 'name' });
  private readonly elo = h('span', { class: 'elo' });
  private readonly taken = h('span', { class: 'taken', 'aria-hidden': 'true' });
  private readonly points = h('span', { class: 'points' });
  readonly element = h('div', { class: 'player' }, this.flag, this.title, this.name, this.elo, this.taken, this.points);

  constructor(private readonly side: 'white' | 'black') {
    this.element.classList.add(side);
  }

  show(pairing: Pairing | undefined, taken: string[], lead: number, result: string): void {
    const tag = (of: string) => pairing?.tags?.[(this.side === 'white' ? 'White' : 'Black') + of] ?? '';
    this.flag.textContent = tag('Federation');
    this.title.textContent = tag('Title');
    this.name.textContent = pairing?.[this.side] || t(`overlay-${this.side}`);
    this.elo.textContent = tag('Elo');
    this.taken.textContent = taken.map((role) => SIGNS[role]).join('') + (lead > 0 ? ` +${lead}` : '');
    this.points.textContent = points(result, this.side);
  }

  turn(on: boolean): void {
    this.element.classList.toggle('turn', on);
  }
}

export class BoardView {
  readonly element = h('article', { class: 'view' });
  private readonly white = new Name('white');
  private readonly black = new Name('black');
  private readonly position = h('div', { class: 'position' });
  private readonly moves = h('ol', { class: 'moves' });
  private readonly picture = h('img', { class: 'picture', alt: '', hidden: true });
  private readonly label = h('p', { class: 'label' });
  private ground: Api | undefined;
  private source: string | undefined;

  constructor(private readonly asked: Asked) {
    const { show, flipped } = asked;
    const [above, below] = flipped ? [this.white, this.black] : [this.black, this.white];
    const has = (part: 'board' | 'names' | 'moves' | 'picture', ...nodes: Node[]) => (show.has(part) ? nodes : []);
    const middle = h('div', { class: 'frame' }, this.position);
    const left = h(
      'div',
      { class: 'main' },
      ...has('names', above.element),
      ...has('board', middle),
      ...has('names', below.element),
    );
    const side = h('div', { class: 'side' }, this.label, ...has('moves', this.moves), ...has('picture', this.picture));
    this.element.append(left, side);
    this.element.classList.toggle('with-side', show.has('moves') || show.has('picture'));
    this.element.classList.toggle('no-taken', !show.has('captured'));
  }

  /** The position needs its place on the page to know its size. */
  ready(): void {
    if (!this.asked.show.has('board')) return;
    this.ground = Chessground(this.position, {
      viewOnly: true,
      coordinates: this.asked.board !== undefined,
      // Nothing is drawn on it, and the station's policy allows no style of its own.
      drawable: { visible: false },
      orientation: this.asked.flipped ? 'black' : 'white',
      animation: { enabled: true, duration: 250 },
    });
    new ResizeObserver(() => this.ground?.redrawAll()).observe(this.position);
  }

  show(board: Board, picture: string | undefined): void {
    const { game } = board;
    // A game that is over stays until the next one begins; before any, those who will play are named.
    const pairing = game?.pairing ?? board.next ?? undefined;
    const round = pairing?.round ? ` \u00b7 ${t('overlay-round', { round: pairing.round })}` : '';
    this.label.textContent = board.name + round;
    const taken = game && material(game.start_fen, game.fen);
    this.white.show(pairing, taken?.black ?? [], taken?.lead ?? 0, game?.result ?? '*');
    this.black.show(pairing, taken?.white ?? [], -(taken?.lead ?? 0), game?.result ?? '*');
    const turn = game && !game.over ? game.fen.split(' ')[1] : '';
    this.white.turn(turn === 'w');
    this.black.turn(turn === 'b');
    const last = game?.moves.at(-1);
    this.ground?.set({ fen: game?.fen ?? '8/8/8/8/8/8/8/8', lastMove: last ? keys(last.uci) : [] });
    this.list(board);
    this.follow(picture);
  }

  private list({ game }: Board): void {
    if (!this.asked.show.has('moves')) return;
    const rows = game ? lines(game) : [];
    const row = ({ number, white, black }: (typeof rows)[number]) =>
      h('li', {}, h('span', { class: 'n' }, `${number}.`), h('span', {}, white), h('span', {}, black));
    const end = game && game.result !== '*' ? [h('li', { class: 'result' }, game.result.replaceAll('1/2', '\u00bd'))] : [];
    this.moves.replaceChildren(...rows.map(row), ...end);
    this.moves.scrollTop = this.moves.scrollHeight;
  }

  /** A new picture once the one before has come. */
  private follow(source: string | undefined): void {
    if (!this.asked.show.has('picture') || source === this.source) return;
    this.source = source;
    if (!source) {
      this.picture.hidden = true;
      return;
    }
    const next = () => {
      if (this.source !== source || !this.element.isConnected) return;
      const loading = new Image();
      loading.onload = () => {
        this.picture.src = loading.src;
        this.picture.hidden = false;
        setTimeout(next, PICTURE_MS);
      };
      loading.onerror = () => {
        this.picture.hidden = true;
        setTimeout(next, 4 * PICTURE_MS);
      };
      loading.src = `${source}&at=${Date.now()}`;
    };
    next();
  }
}
