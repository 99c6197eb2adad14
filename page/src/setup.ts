// What the wall is set up with: boards that are added, and pairings from a file.
import * as api from './api';
import { h } from './dom';
import { t } from './words';

/** A button that reads pairings from a file; says what came of it. */
export function pairings(say: (text: string) => void): HTMLElement {
  const file = h('input', { type: 'file', accept: '.csv,.txt,.pgn,text/csv,text/plain', hidden: true });
  const read = async () => {
    const [chosen] = file.files ?? [];
    file.value = '';
    if (!chosen) return;
    try {
      const { boards } = await api.pair(await chosen.text());
      say(t('pairings-done', { boards: boards.join(', ') }));
    } catch (error) {
      say(t('failed', { why: (error as Error).message }));
    }
  };
  file.addEventListener('change', () => void read());
  return h('span', {}, h('button', { type: 'button', onclick: () => file.click() }, t('pairings')), file);
}

/** Asks for a board to be added. */
export function addBoard(): void {
  const input = (id: string, required: boolean, example: string) =>
    h('input', { id, name: id, type: 'text', required, placeholder: example, autocomplete: 'off', spellcheck: 'false' });
  const name = input('board-name', true, t('board-name-example'));
  const source = input('board-source', true, 'rtsp://192.168.1.20/stream1');
  const start = input('board-start', false, t('board-start-example'));
  const said = h('p', { class: 'said bad', role: 'alert' });
  const send = h('button', { type: 'submit' }, t('add-board-do'));
  const add = async (event: Event) => {
    event.preventDefault();
    said.textContent = t('board-trying');
    send.disabled = true;
    try {
      await api.addBoard(name.value, source.value, start.value || undefined);
      dialog.close();
    } catch (error) {
      said.textContent = t('failed', { why: (error as Error).message });
    }
    send.disabled = false;
  };
  const row = (id: string, field: HTMLElement, hint?: string) => h('label', { for: id }, t(id), field, hint ? h('small', {}, hint) : null);
  const dialog = h(
    'dialog',
    { class: 'fix small', 'aria-labelledby': 'add-title' },
    h(
      'form',
      { onsubmit: (e) => void add(e) },
      h('h2', { id: 'add-title' }, t('add-board')),
      row('board-name', name),
      row('board-source', source, t('board-source-hint')),
      row('board-start', start),
      said,
      h('div', { class: 'buttons' }, send, h('button', { type: 'button', onclick: () => dialog.close() }, t('close'))),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
