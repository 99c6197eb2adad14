// The overlay: a page for OBS and for screens in the hall, transparent around what it shows. It knows
// nothing but what is public, and what its address asks for: see docs/broadcast.md.
import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.brown.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import './overlay.css';
import { h } from '../dom';
import { speak, t } from '../words';
import { BoardView } from './board';
import { parameters, type State } from './state';

/** Heard nothing for so long: what is shown is old, milliseconds. The station says something every 5 s. */
const STALE_MS = 16_000;
/** Before a line that was closed is opened again, milliseconds. */
const AGAIN_MS = 3000;

const asked = parameters(location.search);
speak(asked.language);
document.documentElement.dataset['theme'] = asked.theme;

/** Where the page lies, its key included. */
const base = location.pathname.replace(/overlay$/, '');
const root = document.querySelector<HTMLElement>('#overlay')!;
const stale = h('p', { class: 'stale', role: 'status', hidden: true });
const boards = h('div', { class: asked.board === undefined ? 'wall' : 'single' });
root.append(boards, stale);

const views = new Map<number, BoardView>();
let heard = performance.now();
let heardAt = new Date();

function show(state: State): void {
  const wanted = state.boards.filter(({ number }) => asked.board === undefined || number === asked.board);
  for (const [number, view] of views) {
    if (wanted.some((board) => board.number === number)) continue;
    view.element.remove();
    views.delete(number);
  }
  for (const board of wanted) {
    let view = views.get(board.number);
    if (!view) {
      view = new BoardView(asked);
      views.set(board.number, view);
      boards.append(view.element);
      view.ready();
    }
    view.show(board, state.picture ? `${base}api/public/picture-${board.number}.jpg?delay=${state.delay_s}` : undefined);
  }
  fit();
}

/** A wall shows its boards as large as they can be side by side. */
function fit(): void {
  if (asked.board !== undefined) return;
  const count = Math.max(1, views.size);
  // Around the boards: the margins, the gaps, and two lines of names for each.
  const [wide, high] = [innerWidth * 0.94, innerHeight * 0.94];
  const side = (columns: number) => Math.min(wide / columns - 0.02 * innerHeight, high / Math.ceil(count / columns) - 0.11 * innerHeight);
  const columns = Array.from({ length: count }, (_, n) => n + 1).reduce((best, n) => (side(n) > side(best) ? n : best));
  boards.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
  boards.style.setProperty('--board', `${Math.max(40, Math.floor(side(columns)))}px`);
}

function listen(): void {
  const query = asked.delay === undefined ? '' : `?delay=${asked.delay}`;
  const source = new EventSource(`${base}api/public/stream${query}`);
  const alive = () => {
    heard = performance.now();
    heardAt = new Date();
    look();
  };
  source.addEventListener('alive', alive);
  source.addEventListener('state', (event) => {
    alive();
    show(JSON.parse(event.data) as State);
  });
  source.addEventListener('error', () => {
    // The browser opens a line again that broke, not one that was refused.
    if (source.readyState !== EventSource.CLOSED) return;
    source.close();
    setTimeout(listen, AGAIN_MS);
  });
}

/** What is old is marked, and not frozen in silence. */
function look(): void {
  const old = performance.now() - heard > STALE_MS;
  document.documentElement.classList.toggle('is-stale', old);
  stale.hidden = !old;
  const time = heardAt.toLocaleTimeString(asked.language, { hour: '2-digit', minute: '2-digit', hour12: false });
  stale.textContent = old ? t('overlay-stale', { time }) : '';
}

setInterval(look, 1000);
addEventListener('resize', fit);
listen();
