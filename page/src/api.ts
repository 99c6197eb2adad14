// What the station says and is told: the shapes of its API.

export type Role = 'viewer' | 'reviewer' | 'arbiter' | 'administrator';
export type Ruling = 'upheld' | 'dismissed' | 'unclear';
export type Correction = 'announced' | 'accidental';
export type Player = 'white' | 'black';

export interface User {
  id: number;
  name: string;
  role: Role;
  /** Numbers of the boards that they see; null: all. */
  boards: number[] | null;
}

/** Whether a role may do what another one may. */
export const reaches = (role: Role, needed: Role): boolean => {
  const order: Role[] = ['viewer', 'reviewer', 'arbiter', 'administrator'];
  return order.indexOf(role) >= order.indexOf(needed);
};

export interface Person extends User {
  disabled: boolean;
  has_password: boolean;
  code_until_ms: number | null;
}

export interface Session {
  id: number;
  user: string;
  begun_ms: number;
  address: string;
  browser: string;
}

export interface Key {
  id: number;
  name: string;
  made_ms: number;
}

export type Corner = 'a1' | 'h1' | 'h8' | 'a8';
/** Pixels of the board's picture. */
export type Corners = Record<Corner, [number, number]>;

/** Where a board lies. */
export interface Place {
  corners: Corners | null;
  dragged: boolean;
  doubts: string[];
}

/** What corners amount to. */
export interface Tried {
  grid: [number, number][];
  doubts: string[];
  snapped: Corners | null;
}

/** Whether a kind of incident is shown. */
export interface Switch {
  kind: string;
  in_use: boolean;
}

/** A row of the log. */
export interface Entry {
  seq: number;
  at_ms: number;
  kind: string;
  who: string;
  body: Record<string, unknown> | null;
}

export interface Players {
  white: string;
  black: string;
  round: string;
  /** Titles, ratings and the like, by their names in PGN. */
  tags?: Record<string, string>;
}

export interface Move {
  uci: string;
  san: string;
}

export interface Game {
  id: number;
  players: Players;
  moves: (Move & { ply: number })[];
  /** What the last move could have been. */
  alternatives: Move[];
}

export interface BoardState {
  is: 'starting' | 'looking' | 'playing' | 'hand' | 'out_of_step' | 'not_seen' | 'camera_lost' | 'over' | 'failed';
  why?: string | null;
  squares?: string[];
}

export interface Board {
  id: number;
  name: string;
  state: BoardState;
  since_ms: number;
  fen: string;
  moves: string[];
  last: string | null;
  game: number | null;
  players: Players;
  next: Players | null;
  doubts: string[];
  not_recording: string | null;
  /** What result the kings in the centre show. */
  sign: '1-0' | '0-1' | '1/2-1/2' | null;
  space: { hours_left: number; limit: 'disk' | 'share'; short: boolean } | null;
}

export interface Contact {
  id: number;
  player: Player;
  square: string | null;
  piece: string;
  kind: string;
  touch_ms: number;
  lift_ms: number | null;
  place_ms: number | null;
  release_ms: number;
  to: string | null;
  probability?: number;
}

export interface Incident {
  id: number;
  board: string;
  players: Players;
  at_ms: number;
  kind: string;
  player: Player;
  severity: 'alert' | 'review' | 'log';
  probability: number;
  article: string;
  fen: string;
  played: string;
  obliged: string[];
  contacts: Contact[];
  contact: number | null;
  frames: number;
  withdrawn: boolean;
  corrected: { correction: Correction; contact: number; who: string; at_ms: number } | null;
  ruled: { ruling: Ruling; note: string; who: string; at_ms: number } | null;
  held: boolean;
  freed: boolean;
}

export interface Opened extends Incident {
  facts: string[];
  standing: string | null;
  allowed: string[];
  played_uci: string | null;
  times_ms: number[];
}

export interface Me {
  user: User | null;
  unclaimed: boolean;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    why: string,
  ) {
    super(why);
  }
}

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const text = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(path, { method, headers, body: text });
  if (!answer.ok) {
    const said: { error?: string } = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, said.error ?? answer.statusText);
  }
  return answer;
}

const json = async <T>(method: string, path: string, body?: unknown): Promise<T> => (await ask(method, path, body)).json() as Promise<T>;
const get = <T>(path: string): Promise<T> => json('GET', path);

export const me = (): Promise<Me> => get('/api/me');
export const boards = (): Promise<Board[]> => get('/api/boards');
export const incidents = (): Promise<Incident[]> => get('/api/incidents');
export const incident = (id: number, lang: string): Promise<Opened> => get(`/api/incidents/${id}?lang=${lang}`);
export const frameUrl = (id: number, number: number): string => `/api/incidents/${id}/frames/${number}`;
export const claim = (code: string, name: string, password: string) => ask('POST', '/api/claim', { code, name, password });
export const login = (name: string, password: string) => ask('POST', '/api/login', { name, password });
export const logout = () => ask('POST', '/api/logout');
export const rule = (id: number, ruling: Ruling, note: string) => ask('POST', `/api/incidents/${id}/ruling`, { ruling, note });
export const undo = (id: number) => ask('DELETE', `/api/incidents/${id}/ruling`);
export const exportUrl = (id: number): string => `/api/incidents/${id}/export`;
export const hold = (id: number, held: boolean) => ask(held ? 'POST' : 'DELETE', `/api/incidents/${id}/hold`);
export const publicKey = async (): Promise<string> => (await get<{ public_key: string }>('/api/key')).public_key;
export const correct = (id: number, correction: Correction) => ask('POST', `/api/incidents/${id}/correction`, { correction });
export const takeCorrectionBack = (id: number) => ask('DELETE', `/api/incidents/${id}/correction`);
export const newGame = (board: number, more: { result?: string | null; fen?: string } = {}) =>
  ask('POST', `/api/boards/${board}/new-game`, more);
export const game = (board: number): Promise<Game> => get(`/api/boards/${board}/game`);
export const position = (board: number, fen: string) => ask('POST', `/api/boards/${board}/position`, { fen });
export const lastMove = (board: number, uci: string) => ask('POST', `/api/boards/${board}/last-move`, { uci });
export const players = (board: number, who: Players) => ask('POST', `/api/boards/${board}/players`, who);
export const pair = async (text: string): Promise<{ boards: string[]; others: number }> =>
  (await ask('POST', '/api/pairings', { text })).json() as Promise<{ boards: string[]; others: number }>;
export const addBoard = (name: string, source: string, start?: string) => ask('POST', '/api/boards', { name, source, start });
export const removeBoard = (board: number) => ask('DELETE', `/api/boards/${board}`);
export const lookAgain = (board: number) => ask('POST', `/api/boards/${board}/look-again`);

export const users = (): Promise<Person[]> => get('/api/users');
export const addUser = (name: string, role: Role): Promise<{ user: User; code: string }> => json('POST', '/api/users', { name, role });
export const changeUser = (id: number, change: Partial<Pick<Person, 'role' | 'boards' | 'disabled'>>) => ask('PATCH', `/api/users/${id}`, change);
export const giveCode = (id: number): Promise<{ code: string }> => json('POST', `/api/users/${id}/code`);
export const sessions = (): Promise<Session[]> => get('/api/sessions');
export const endSession = (id: number) => ask('DELETE', `/api/sessions/${id}`);
export const keys = (): Promise<Key[]> => get('/api/keys');
export const makeKey = (name: string): Promise<Key & { token: string }> => json('POST', '/api/keys', { name });
export const revokeKey = (id: number) => ask('DELETE', `/api/keys/${id}`);
export const log = (before?: number): Promise<Entry[]> => get(`/api/log${before === undefined ? '' : `?before=${before}`}`);
export const alerts = (): Promise<Switch[]> => get('/api/alerts');
export const switchAlert = (kind: string, in_use: boolean) => ask('PUT', `/api/alerts/${kind}`, { in_use });
export const place = (board: number): Promise<Place> => get(`/api/boards/${board}/place`);
export const tryPlace = (board: number, corners: Corners): Promise<Tried> => json('POST', `/api/boards/${board}/place/look`, { corners });
export const keepPlace = (board: number, corners: Corners): Promise<Place> => json('PUT', `/api/boards/${board}/place`, { corners });
export const forgetPlace = (board: number) => ask('DELETE', `/api/boards/${board}/place`);

export interface Review {
  id: number;
  name: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  said: string | null;
  who: string;
  made_ms: number;
  progress: { frames: number; of: number | null } | null;
  results: string[];
}

export interface Reviews {
  reviews: Review[];
  recordings: string[];
}

/** What a report is to be like. */
export interface ReviewWishes {
  start?: string;
  language: string;
}

export const reviews = async (): Promise<Reviews> => (await ask('GET', '/api/reviews')).json() as Promise<Reviews>;
export const addReview = (recording: string, wishes: ReviewWishes) => ask('POST', '/api/reviews', { recording, ...wishes });
export const removeReview = (id: number) => ask('DELETE', `/api/reviews/${id}`);
export const resultOf = (id: number, name: string): string => `/api/reviews/${id}/${name}`;

/** Sends a recording, and tells how much of it has gone. */
export function sendRecording(file: File, wishes: ReviewWishes, sent: (share: number) => void): Promise<void> {
  const query = new URLSearchParams({ name: file.name, language: wishes.language });
  if (wishes.start) query.set('start', wishes.start);
  return new Promise((done, failed) => {
    // Unlike fetch it tells how much was sent.
    const request = new XMLHttpRequest();
    request.open('POST', `/api/reviews/recording?${query.toString()}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = (event) => event.lengthComputable && sent(event.loaded / event.total);
    request.onload = () => {
      if (request.status < 300) return done();
      let why = request.statusText;
      try {
        why = (JSON.parse(request.responseText) as { error: string }).error;
      } catch {
        // Its status says what there is to say.
      }
      failed(new Refused(request.status, why));
    };
    request.onerror = () => failed(new Error('the station does not answer'));
    request.send(file);
  });
}
