// What the administrator keeps: people, their sessions, keys of programs, and the log.
import * as api from './api';
import type { Board, Entry, Person, Role } from './api';
import { h, replaceRows } from './dom';
import { current, has, t } from './words';

const ROLES: Role[] = ['viewer', 'reviewer', 'arbiter', 'administrator'];

const moment = (ms: number): string =>
  new Date(ms).toLocaleString(current(), { dateStyle: 'medium', timeStyle: 'medium', hour12: false });

/** What a row of the log holds, in a line. */
function told(body: Entry['body']): string {
  const entries = Object.entries(body ?? {}).filter(([, value]) => value !== null && value !== '');
  return entries.map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`).join(', ');
}

type Work = () => Promise<unknown>;

export class AdminView {
  readonly element = h('section', { class: 'admin', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'admin-title' });
  private readonly said = h('p', { class: 'said', role: 'alert' });
  private readonly secret = h('div', { class: 'secret', role: 'status' });
  private readonly people = h('tbody');
  private readonly sessions = h('tbody');
  private readonly keys = h('tbody');
  private readonly alerts = h('div', { class: 'switches' });
  private readonly log = h('tbody');
  private readonly older = h('button', { type: 'button', onclick: () => void this.attempt(() => this.more()) }, t('log-older'));
  private oldest: number | undefined;

  constructor(
    private readonly boards: Board[],
    private readonly close: () => void,
  ) {
    const section = (id: string, ...children: (Node | null)[]) =>
      h('section', { 'aria-labelledby': id }, h('h3', { id }, t(id)), ...children);
    this.element.append(
      h(
        'header',
        {},
        h('h2', { id: 'admin-title', tabindex: '-1' }, t('admin-title')),
        h('button', { type: 'button', 'aria-keyshortcuts': 'Escape', onclick: () => this.close() }, t('back'), h('kbd', {}, 'Esc')),
      ),
      this.said,
      this.secret,
      section('people', this.newPerson(), this.table('people', this.people, ['name', 'role', 'boards', 'person-state', 'person-do'])),
      section('alerts', h('p', {}, t('alerts-lead')), this.alerts),
      section('sessions', this.table('sessions', this.sessions, ['name', 'since', 'address', 'browser', 'person-do'])),
      section('programs', h('p', {}, t('programs-lead')), this.newKey(), this.table('programs', this.keys, ['name', 'since', 'person-do'])),
      section('log', this.table('log', this.log, ['log-number', 'log-when', 'log-what', 'log-who', 'log-told']), this.older),
    );
  }

  ready(): void {
    this.element.querySelector<HTMLElement>('#admin-title')?.focus();
    void this.attempt(() => Promise.all([this.showPeople(), this.showAlerts(), this.showSessions(), this.showKeys(), this.more()]));
  }

  stop(): void {}

  async refresh(): Promise<void> {}

  key(event: KeyboardEvent): boolean {
    if (event.key !== 'Escape') return false;
    this.close();
    return true;
  }

  private table(label: string, body: HTMLElement, columns: string[]): HTMLElement {
    const head = h('tr', {}, ...columns.map((id) => h('th', { scope: 'col' }, t(id))));
    // A wide table scrolls by itself, by keyboard too.
    return h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': t(label) }, h('table', {}, h('thead', {}, head), body));
  }

  /** Carries something out, says why if it did not work, and shows what is there then. */
  private async attempt(work: Work, ...shown: Work[]): Promise<void> {
    this.said.textContent = '';
    try {
      await work();
      for (const show of shown) await show();
    } catch (error) {
      this.said.textContent = t('failed', { why: (error as Error).message });
      this.said.scrollIntoView({ block: 'nearest' });
    }
  }

  private button(label: string, work: Work, ...shown: Work[]): HTMLElement {
    return h('button', { type: 'button', onclick: () => void this.attempt(work, ...shown) }, label);
  }

  /** What is shown once and never again. */
  private tell(lead: string, ...lines: string[]): void {
    const hide = h('button', { type: 'button', onclick: () => this.secret.replaceChildren() }, t('close'));
    this.secret.replaceChildren(h('p', {}, lead), ...lines.map((line) => h('p', {}, h('code', {}, line))), hide);
    this.secret.scrollIntoView({ block: 'nearest' });
  }

  private tellCode(name: string, code: string): void {
    const words = new URLSearchParams({ code, name });
    this.tell(t('code-lead', { name }), code, `${location.origin}/#${words.toString()}`);
  }

  // ---- people

  private newPerson(): HTMLElement {
    const name = h('input', { id: 'new-name', required: true, maxlength: 60, autocomplete: 'off', spellcheck: 'false' });
    const role = this.roles('new-role', 'arbiter');
    const send = async () => {
      const { user, code } = await api.addUser(name.value, role.value as Role);
      this.tellCode(user.name, code);
      name.value = '';
    };
    return h(
      'form',
      {
        class: 'line',
        onsubmit: (event) => {
          event.preventDefault();
          void this.attempt(send, () => this.showPeople(), () => this.newest());
        },
      },
      h('label', { for: 'new-name' }, t('name'), name),
      h('label', { for: 'new-role' }, t('role'), role),
      h('button', { type: 'submit' }, t('person-add')),
    );
  }

  private roles(id: string, chosen: Role): HTMLSelectElement {
    const options = ROLES.map((role) => h('option', { value: role, selected: role === chosen }, t(`role-${role}`)));
    return h('select', { id }, ...options);
  }

  private async showPeople(): Promise<void> {
    const people = await api.users();
    replaceRows(this.people, people.map((person) => this.person(person)));
  }

  private person(person: Person): HTMLElement {
    const { id, name } = person;
    const show: Work[] = [() => this.showPeople(), () => this.showSessions(), () => this.newest()];
    const role = this.roles(`role-${id}`, person.role);
    role.setAttribute('aria-label', t('role-of', { name }));
    role.addEventListener('change', () => void this.attempt(() => api.changeUser(id, { role: role.value as Role }).finally(() => this.showPeople()), ...show));
    const state = person.disabled
      ? t('person-disabled')
      : person.has_password
        ? t('person-active')
        : person.code_until_ms !== null
          ? t('person-waits', { time: moment(person.code_until_ms) })
          : t('person-no-code');
    const code = async () => {
      if (confirm(t('code-sure', { name }))) this.tellCode(name, (await api.giveCode(id)).code);
    };
    return h(
      'tr',
      { class: person.disabled ? 'off' : '', 'data-row': id },
      h('th', { scope: 'row' }, name),
      h('td', {}, role),
      h('td', {}, person.role === 'administrator' ? t('boards-all') : this.boardsOf(person, show)),
      h('td', {}, state),
      h(
        'td',
        { class: 'do' },
        this.button(t('code-new'), code, ...show),
        this.button(t(person.disabled ? 'person-enable' : 'person-disable'), () => api.changeUser(id, { disabled: !person.disabled }), ...show),
      ),
    );
  }

  /** Which boards: all, or a choice. */
  private boardsOf(person: Person, show: Work[]): HTMLElement {
    const { id, boards } = person;
    const set = (chosen: number[] | null) => void this.attempt(() => api.changeUser(id, { boards: chosen }), ...show);
    const names = boards?.map((board) => this.boards.find((b) => b.id === board)?.name ?? String(board));
    const box = (label: string, checked: boolean, onchange: (event: Event) => void) => {
      const input = h('input', { type: 'checkbox', checked, onchange });
      return h('label', {}, input, ` ${label}`);
    };
    return h(
      'details',
      {},
      h('summary', {}, names ? names.join(', ') || t('boards-none') : t('boards-all')),
      h(
        'fieldset',
        {},
        h('legend', {}, t('boards-of', { name: person.name })),
        box(t('boards-all'), boards === null, () => set(boards === null ? [] : null)),
        ...this.boards.map((board) =>
          box(board.name, boards?.includes(board.id) ?? true, (event) => {
            const others = (boards ?? this.boards.map((b) => b.id)).filter((b) => b !== board.id);
            set((event.target as HTMLInputElement).checked ? [...others, board.id] : others);
          }),
        ),
      ),
    );
  }

  // ---- alerts in use

  private async showAlerts(): Promise<void> {
    const boxes = (await api.alerts()).map(({ kind, in_use }) => {
      const onchange = () => void this.attempt(() => api.switchAlert(kind, box.checked), () => this.newest());
      const box = h('input', { type: 'checkbox', name: kind, checked: in_use, onchange });
      return h('label', {}, box, ` ${t(`kind-${kind}`)}`);
    });
    this.alerts.replaceChildren(...boxes);
  }

  // ---- sessions and keys

  private async showSessions(): Promise<void> {
    const rows = (await api.sessions()).map((session) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, session.user),
        h('td', {}, moment(session.begun_ms)),
        h('td', {}, session.address),
        h('td', { class: 'long' }, session.browser),
        h('td', { class: 'do' }, this.button(t('session-end'), () => api.endSession(session.id), () => this.showSessions(), () => this.newest())),
      ),
    );
    this.sessions.replaceChildren(...rows);
  }

  private newKey(): HTMLElement {
    const name = h('input', { id: 'new-key', required: true, maxlength: 60, autocomplete: 'off', spellcheck: 'false' });
    const send = async () => {
      const { token } = await api.makeKey(name.value);
      this.tell(t('key-lead', { name: name.value }), `Authorization: Bearer ${token}`, `${location.origin}/key/${token}/`);
      name.value = '';
    };
    return h(
      'form',
      {
        class: 'line',
        onsubmit: (event) => {
          event.preventDefault();
          void this.attempt(send, () => this.showKeys(), () => this.newest());
        },
      },
      h('label', { for: 'new-key' }, t('name'), name),
      h('button', { type: 'submit' }, t('key-make')),
    );
  }

  private async showKeys(): Promise<void> {
    const rows = (await api.keys()).map((key) => {
      const revoke = async () => {
        if (confirm(t('key-sure', { name: key.name }))) await api.revokeKey(key.id);
      };
      return h(
        'tr',
        {},
        h('th', { scope: 'row' }, key.name),
        h('td', {}, moment(key.made_ms)),
        h('td', { class: 'do' }, this.button(t('key-revoke'), revoke, () => this.showKeys(), () => this.newest())),
      );
    });
    this.keys.replaceChildren(...rows);
  }

  // ---- the log

  /** From its newest row on again. */
  private async newest(): Promise<void> {
    this.oldest = undefined;
    await this.more();
  }

  private async more(): Promise<void> {
    const rows = await api.log(this.oldest);
    const shown = rows.map((entry) =>
      h(
        'tr',
        {},
        h('td', {}, String(entry.seq)),
        h('td', {}, moment(entry.at_ms)),
        h('td', {}, has(`log-${entry.kind}`) ? t(`log-${entry.kind}`) : entry.kind),
        h('td', {}, entry.who || t('log-station')),
        h('td', { class: 'long' }, told(entry.body)),
      ),
    );
    if (this.oldest === undefined) this.log.replaceChildren(...shown);
    else this.log.append(...shown);
    this.oldest = rows.at(-1)?.seq ?? this.oldest;
    this.older.hidden = (this.oldest ?? 1) <= 1;
  }
}
