const plies = JSON.parse(document.getElementById('plies').textContent);
const board = document.getElementById('board'), buttons = [...document.querySelectorAll('.moves button')];
let at = 0;
function show(ply, push = true) {
  at = Math.max(0, Math.min(plies.length - 1, ply));
  board.innerHTML = plies[at];
  buttons.forEach((b) => b.setAttribute('aria-current', +b.dataset.ply === at));
  if (push) history.replaceState(null, '', '#ply=' + at);
}
buttons.forEach((b) => b.addEventListener('click', () => show(+b.dataset.ply)));
document.querySelectorAll('[data-step]').forEach((b) => b.addEventListener('click', () => show(b.dataset.step === 'first' ? 0 : b.dataset.step === 'last' ? plies.length - 1 : at + +b.dataset.step)));
addEventListener('keydown', (e) => { if (e.key === 'ArrowLeft') show(at - 1); else if (e.key === 'ArrowRight') show(at + 1); else if (e.key === 'Home') show(0); else if (e.key === 'End') show(plies.length - 1); else if (e.key === 'Escape') document.querySelectorAll('.big').forEach((f) => f.classList.remove('big')); else return; });
document.querySelectorAll('figure').forEach((f) => f.addEventListener('click', () => f.classList.toggle('big')));
document.querySelectorAll('a[data-ply]').forEach((a) => a.addEventListener('click', () => show(+a.dataset.ply, false)));
const asked = /ply=(\d+)/.exec(location.hash);
show(asked ? +asked[1] : plies.length - 1, false);
