// What the station tells of the boards, and what the overlay's address asks for.
import { written, type Language } from '../words';

export interface Pairing {
  white: string;
  black: string;
  round: string;
  tags?: Record<string, string>;
}

export interface Move {
  uci: string;
  san: string;
  legal: boolean;
  made_ms: number;
  fen: string;
}

export interface Game {
  id: number;
  start_fen: string;
  fen: string;
  pairing: Pairing;
  moves: Move[];
  over: boolean;
  result: string;
}

export interface Board {
  number: number;
  name: string;
  game: Game | null;
  next: Pairing | null;
}

export interface State {
  delay_s: number;
  picture: boolean;
  boards: Board[];
}

export const PARTS = ['board', 'names', 'captured', 'moves', 'picture'] as const;
export type Part = (typeof PARTS)[number];

export interface Asked {
  /** The board's number; all without. */
  board: number | undefined;
  theme: string;
  language: Language;
  /** Seconds, at least. */
  delay: number | undefined;
  show: ReadonlySet<Part>;
  /** Black's side down. */
  flipped: boolean;
}

const number = (text: string | null): number | undefined => (text && /^\d+$/.test(text) ? Number(text) : undefined);

/** What an address asks for; what makes no sense is as if it were not there. */
export function parameters(search: string): Asked {
  const query = new URLSearchParams(search);
  const board = number(query.get('board'));
  const wanted = (query.get('show') ?? '').split(',').filter((p): p is Part => (PARTS as readonly string[]).includes(p));
  const usual: readonly Part[] = board === undefined ? ['board', 'names'] : ['board', 'names', 'captured', 'moves'];
  return {
    board,
    theme: /^[a-z]+$/.test(query.get('theme') ?? '') ? query.get('theme')! : 'dark',
    language: (query.get('lang') ?? navigator.language).startsWith('de') ? 'de' : 'en',
    delay: number(query.get('delay')),
    show: new Set(wanted.length ? wanted : usual),
    flipped: query.get('flip') === '1',
  };
}

const ROLES = ['q', 'r', 'b', 'n', 'p'] as const;
const VALUE = { q: 9, r: 5, b: 3, n: 3, p: 1 } as const;

export interface Material {
  /** White's pieces that are gone, and Black's, dearest first: `q`, `r`, ... */
  white: string[];
  black: string[];
  /** White's lead in pawns. */
  lead: number;
}

/** What was taken, by what stood at first and what stands. A pawn that became a queen is a pawn less. */
export function material(start: string, now: string): Material {
  const count = (fen: string, piece: string) => [...(fen.split(' ')[0] ?? '')].filter((c) => c === piece).length;
  const gone = (of: (role: string) => string) =>
    ROLES.flatMap((role) => Array<string>(Math.max(0, count(start, of(role)) - count(now, of(role)))).fill(role));
  const sum = (of: (role: string) => string) => ROLES.reduce((all, role) => all + VALUE[role] * count(now, of(role)), 0);
  const [white, black] = [(r: string) => r.toUpperCase(), (r: string) => r];
  return { white: gone(white), black: gone(black), lead: sum(white) - sum(black) };
}

export interface Line {
  number: number;
  white: string;
  black: string;
}

/** The moves in lines of two; a move that was illegal has a cross. */
export function lines(game: Game): Line[] {
  const [, turn, , , , full] = game.start_fen.split(' ');
  const made: Line[] = [];
  let ply = turn === 'b' ? 1 : 0;
  const first = Number(full) || 1;
  for (const { san, legal } of game.moves) {
    const text = legal ? written(san) : `${san} \u2717`;
    if (ply % 2 === 0) made.push({ number: first + ply / 2, white: text, black: '' });
    else if (made.length) made[made.length - 1]!.black = text;
    else made.push({ number: first, white: '\u2026', black: text });
    ply += 1;
  }
  return made;
}
