'use strict';
const all = (what, from = document) => [...from.querySelectorAll(what)];
const one = (what) => document.getElementById(what);
const plies = JSON.parse(one('plies').textContent);
const board = one('board');
let at = plies.length - 1, turned = false;
document.body.classList.add('live');
const words = document.body.dataset;

// The board: what src/review/report/board.rs draws, for any ply.
function cell(square) {
  const x = square.charCodeAt(0) - 97, y = 8 - square[1];
  return turned ? [7 - x, 7 - y] : [x, y];
}
function draw({ fen, last, touched }) {
  const parts = ['<use href="#squares" width="8" height="8"/>'];
  for (const s of last) { const [x, y] = cell(s); parts.push(`<rect class="last" x="${x}" y="${y}" width="1" height="1"/>`); }
  for (let i = 0; i < 8; i++) parts.push(
    `<text class="co" x=".06" y="${i}.2">${turned ? i + 1 : 8 - i}</text>`,
    `<text class="co" x="${i}.94" y="7.94" text-anchor="end">${'abcdefgh'[turned ? 7 - i : i]}</text>`);
  fen.split('/').forEach((row, y) => {
    let x = 0;
    for (const c of row) {
      if (c >= '1' && c <= '8') { x += +c; continue; }
      parts.push(`<use href="#p-${c}" x="${turned ? 7 - x : x}" y="${turned ? 7 - y : y}" width="1" height="1"/>`);
      x++;
    }
  });
  for (const s of touched) { const [x, y] = cell(s); parts.push(`<circle class="touched" cx="${x}.5" cy="${y}.5" r=".45"/>`); }
  return parts.join('');
}
function show(ply, remember = true) {
  at = Math.max(0, Math.min(plies.length - 1, ply));
  const now = plies[at], name = now.name ? `${now.name}  (${now.at})` : words.startPosition;
  board.innerHTML = draw(now);
  board.dataset.ply = at;
  board.setAttribute('aria-label', `${words.boardAfter} ${name}`);
  one('now').textContent = name;
  for (const link of all('a[data-ply]')) {
    const here = +link.dataset.ply === at && !('jump' in link.dataset);
    link.setAttribute('aria-current', here);
    const list = here && link.closest('.moves');
    if (list && (link.offsetTop < list.scrollTop || link.offsetTop + 40 > list.scrollTop + list.clientHeight)) list.scrollTop = link.offsetTop - list.clientHeight / 2;
  }
  if (remember) history.replaceState(null, '', '#ply=' + at);
}
for (const link of all('a[data-ply]')) link.addEventListener('click', (event) => {
  event.preventDefault();
  show(+link.dataset.ply);
  if ('jump' in link.dataset) one('game').scrollIntoView();
});
const steps = { first: () => show(0), last: () => show(plies.length - 1), turn: () => { turned = !turned; show(at, false); } };
for (const button of all('[data-step]')) button.addEventListener('click', () => (steps[button.dataset.step] ?? (() => show(at + +button.dataset.step)))());
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('.time, dialog')) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by) { event.preventDefault(); show(at + by); }
});
const asked = () => /^#ply=(\d+)$/.exec(location.hash);
addEventListener('hashchange', () => { if (asked()) show(+asked()[1], false); });
show(asked() ? +asked()[1] : at, false);

// The timeline: zoom is one number; a contact tells about itself below.
const time = document.querySelector('.time'), track = time.firstElementChild;
const width = () => +track.style.getPropertyValue('--w');
let zoom = 96;
function setZoom(next, around = time.clientWidth / 2) {
  const second = (time.scrollLeft + around) / zoom;
  zoom = Math.max(2, Math.min(600, next));
  time.style.setProperty('--z', zoom);
  time.scrollLeft = second * zoom - around;
}
const fit = () => time.clientWidth / width();
for (const button of all('[data-zoom]')) button.addEventListener('click', () => setZoom(button.dataset.zoom === 'fit' ? fit() : zoom * button.dataset.zoom));
time.addEventListener('wheel', (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  setZoom(zoom * Math.exp(-event.deltaY / 300), event.clientX - time.getBoundingClientRect().left);
}, { passive: false });
time.addEventListener('keydown', (event) => {
  if (event.key === '+' || event.key === '=') setZoom(zoom * 1.5);
  else if (event.key === '-') setZoom(zoom / 1.5);
});
setZoom(Math.max(fit(), 96), 0);
const tell = (event) => { const bar = event.target.closest('.ct'); if (bar) one('detail').textContent = bar.getAttribute('aria-label'); };
time.addEventListener('mouseover', tell);
time.addEventListener('focusin', tell);
function find(id) {
  const bar = document.querySelector(`.ct[data-contact="${id}"]`);
  if (!bar) return;
  for (const other of all('.ct.found')) other.classList.remove('found');
  one('time').scrollIntoView();
  time.scrollLeft = bar.offsetLeft - time.clientWidth / 2;
  bar.classList.add('found');
  bar.focus({ preventScroll: true });
}
for (const link of all('[data-find]')) link.addEventListener('click', (event) => { event.preventDefault(); find(link.dataset.find); });

// Frames: enlarged, and stepped through with the arrow keys.
const dialog = one('photo');
let photos = [], shown = 0;
function enlarge(index) {
  shown = (index + photos.length) % photos.length;
  const [image, big] = [photos[shown].querySelector('img'), dialog.querySelector('img')];
  big.src = image.src;
  big.alt = image.alt;
  dialog.querySelector('p').textContent = `${image.alt} (${shown + 1} ${words.ofPhotos} ${photos.length}; ${words.photoKeys})`;
}
for (const button of all('.photo')) button.addEventListener('click', () => {
  photos = all('.photo', button.closest('.frames'));
  enlarge(photos.indexOf(button));
  dialog.showModal();
});
dialog.addEventListener('keydown', (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by) { event.preventDefault(); enlarge(shown + by); }
});
dialog.addEventListener('click', (event) => { if (event.target === dialog || event.target.tagName === 'IMG') dialog.close(); });

// The table: one filter at a time.
for (const button of all('[data-filter]')) button.addEventListener('click', () => {
  for (const other of all('[data-filter]')) other.setAttribute('aria-pressed', other === button);
  const wanted = button.dataset.filter;
  for (const row of all('#contacts tbody tr')) row.hidden = wanted !== 'all' && !row.classList.contains(wanted);
});
// A link into the table must find its row, whatever the filter; paper shows everything.
const showAll = () => document.querySelector('[data-filter=all]')?.click();
for (const bar of all('.ct')) bar.addEventListener('click', showAll);
for (const flag of all('.flag')) flag.addEventListener('click', () => { const folded = document.querySelector(flag.getAttribute('href'))?.closest('details'); if (folded) folded.open = true; });
addEventListener('beforeprint', () => { showAll(); for (const folded of all('.logged, .dates')) folded.open = true; });
