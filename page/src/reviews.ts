// Recordings that are reviewed after the games: which, how far, and their reports.
import * as api from './api';
import type { Review } from './api';
import { h } from './dom';
import { current, t } from './words';

/** How often it is looked how far they are, milliseconds. */
const LOOK_MS = 2000;

const percent = (share: number): string => `${Math.round(100 * share)}\u00a0%`;

export class ReviewsView {
  readonly element = h('section', { class: 'admin reviews', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'reviews-title' });
  private readonly said = h('p', { class: 'said', role: 'alert' });
  private readonly rows = h('tbody');
  private readonly recordings = h('select', { id: 'review-recording' });
  private readonly file = h('input', { id: 'review-file', type: 'file', accept: 'video/*,.mkv,.ts,.mts,.m2ts' });
  private readonly start = h('input', { id: 'review-start', type: 'text', autocomplete: 'off', spellcheck: 'false' });
  private readonly sent = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': t('review-sending') });
  private shown = '';
  private timer = 0;

  constructor(
    private readonly rules: boolean,
    private readonly close: () => void,
  ) {
    this.element.append(
      h(
        'header',
        {},
        h('h2', { id: 'reviews-title', tabindex: '-1' }, t('reviews-title')),
        h('button', { type: 'button', 'aria-keyshortcuts': 'Escape', onclick: () => this.close() }, t('back'), h('kbd', {}, 'Esc')),
      ),
      h('p', {}, t('reviews-lead')),
      this.said,
      ...(rules ? [this.form()] : []),
      h('table', {}, h('thead', {}, h('tr', {}, ...['review-name', 'review-state', 'review-results'].map((id) => h('th', { scope: 'col' }, t(id))))), this.rows),
    );
  }

  ready(): void {
    this.element.querySelector<HTMLElement>('#reviews-title')?.focus();
    void this.look();
  }

  stop(): void {
    window.clearTimeout(this.timer);
  }

  async refresh(): Promise<void> {}

  key(event: KeyboardEvent): boolean {
    if (event.key !== 'Escape') return false;
    this.close();
    return true;
  }

  private async look(): Promise<void> {
    window.clearTimeout(this.timer);
    try {
      const { reviews, recordings } = await api.reviews();
      this.show(reviews, recordings);
    } catch (error) {
      this.say(error);
    }
    if (this.element.isConnected) this.timer = window.setTimeout(() => void this.look(), LOOK_MS);
  }

  private say(error: unknown): void {
    this.said.textContent = t('failed', { why: (error as Error).message });
  }

  private form(): HTMLElement {
    const label = (id: string, input: HTMLElement) => h('label', { for: input.id }, t(id), input);
    const send = async (event: Event) => {
      event.preventDefault();
      this.said.textContent = '';
      const wishes = { language: current(), ...(this.start.value.trim() ? { start: this.start.value.trim() } : {}) };
      try {
        const file = this.file.files?.[0];
        if (file) {
          this.sent.hidden = false;
          await api.sendRecording(file, wishes, (share) => (this.sent.value = share));
          this.file.value = '';
        } else if (this.recordings.value) await api.addReview(this.recordings.value, wishes);
        else throw new Error(t('review-which'));
        await this.look();
      } catch (error) {
        this.say(error);
      }
      this.sent.hidden = true;
    };
    return h(
      'form',
      { class: 'line', onsubmit: (event) => void send(event) },
      label('review-file', this.file),
      label('review-recording', this.recordings),
      label('review-start', this.start),
      h('button', { type: 'submit' }, t('review-do')),
      this.sent,
    );
  }

  private show(reviews: Review[], recordings: string[]): void {
    // Only what has changed is made anew: else a link would be taken from under the pointer.
    const now = JSON.stringify([reviews, recordings]);
    if (now === this.shown) return;
    this.shown = now;
    const chosen = this.recordings.value;
    this.recordings.replaceChildren(h('option', { value: '' }, '\u2013'), ...recordings.map((name) => h('option', { value: name }, name)));
    this.recordings.value = recordings.includes(chosen) ? chosen : '';
    const empty = h('tr', {}, h('td', { colspan: 3 }, t('review-none')));
    this.rows.replaceChildren(...(reviews.length ? reviews.map((review) => this.row(review)) : [empty]));
  }

  private row(review: Review): HTMLElement {
    const { progress } = review;
    const share = progress?.of ? progress.frames / progress.of : undefined;
    const state = h('td', {}, t(`review-${review.state}`), share === undefined ? null : ` \u00b7 ${percent(share)}`);
    if (review.state === 'running') state.append(h('progress', share === undefined ? { 'aria-label': review.name } : { max: 1, value: share, 'aria-label': review.name }));
    if (review.said) state.append(h('p', { class: 'said' }, review.said));
    const link = (name: string) => h('li', {}, h('a', { href: api.resultOf(review.id, name), target: '_blank', rel: 'noopener' }, name === 'report.html' ? t('review-report') : name));
    const remove = async () => {
      if (!confirm(t('review-remove-sure', { name: review.name }))) return;
      await api.removeReview(review.id).catch((error: unknown) => this.say(error));
      await this.look();
    };
    return h(
      'tr',
      {},
      h('td', {}, review.name),
      state,
      h(
        'td',
        {},
        h('ul', { class: 'results' }, ...review.results.map(link)),
        this.rules && review.state !== 'running' && h('button', { type: 'button', onclick: () => void remove() }, t('remove-board')),
      ),
    );
  }
}
