// Coming in: the first administrator, and logging in.
import * as api from './api';
import { h } from './dom';
import { t } from './words';

/** What an invitation's address carries. */
const given = () => new URLSearchParams(location.hash.slice(1));

/** Whether somebody comes by an invitation, with a code. */
export const invited = (): boolean => given().has('code');

export function entry(unclaimed: boolean, entered: () => void): HTMLElement {
  const kind = unclaimed ? 'claim' : invited() ? 'invited' : 'login';
  const chooses = kind !== 'login';
  const field = (id: string, type: string, autocomplete: string, value = '', hint?: string) => {
    const input = h('input', { id, name: id, type, autocomplete, value, required: true, spellcheck: 'false' });
    return { input, row: h('label', { for: id }, t(id), input, hint ? h('small', {}, hint) : null) };
  };
  const code = field('code', 'text', 'off', given().get('code') ?? '');
  const name = field('name', 'text', 'username', given().get('name') ?? '');
  const password = field(
    'password',
    'password',
    chooses ? 'new-password' : 'current-password',
    '',
    chooses ? t('password-hint') : undefined,
  );
  const said = h('p', { class: 'said', role: 'alert' });
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      if (chooses) await api.claim(code.input.value, name.input.value, password.input.value);
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
    h('h1', {}, t(`${kind}-title`)),
    chooses ? h('p', {}, t(`${kind}-lead`)) : null,
    chooses ? code.row : null,
    name.row,
    password.row,
    h('button', { type: 'submit' }, t(`${kind}-do`)),
    said,
  );
  const fields = chooses ? [code, name, password] : [name, password];
  const first = fields.find(({ input }) => !input.value)?.input ?? password.input;
  queueMicrotask(() => first.focus());
  return h('main', {}, form);
}
