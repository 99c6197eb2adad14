// Coming in: the first administrator, and logging in.
import * as api from './api';
import { h } from './dom';
import { t } from './words';

export function entry(unclaimed: boolean, entered: () => void): HTMLElement {
  const field = (id: string, type: string, autocomplete: string, value = '', hint?: string) => {
    const input = h('input', { id, name: id, type, autocomplete, value, required: true, spellcheck: 'false' });
    return { input, row: h('label', { for: id }, t(id), input, hint ? h('small', {}, hint) : null) };
  };
  const given = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  const code = field('code', 'text', 'off', given);
  const name = field('name', 'text', 'username');
  const password = field(
    'password',
    'password',
    unclaimed ? 'new-password' : 'current-password',
    '',
    unclaimed ? t('password-hint') : undefined,
  );
  const said = h('p', { class: 'said', role: 'alert' });
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      if (unclaimed) await api.claim(code.input.value, name.input.value, password.input.value);
      else await api.login(name.input.value, password.input.value);
      history.replaceState(null, '', '/');
      entered();
    } catch (error) {
      said.textContent = t('failed', { why: String((error as Error).message) });
    }
  };
  const form = h(
    'form',
    { class: 'entry', onsubmit: (e) => void send(e) },
    h('h1', {}, t(unclaimed ? 'claim-title' : 'login-title')),
    unclaimed ? h('p', {}, t('claim-lead')) : null,
    unclaimed ? code.row : null,
    name.row,
    password.row,
    h('button', { type: 'submit' }, t(unclaimed ? 'claim-do' : 'login-do')),
    said,
  );
  const first = unclaimed && !given ? code.input : name.input;
  queueMicrotask(() => first.focus());
  return h('main', {}, form);
}
