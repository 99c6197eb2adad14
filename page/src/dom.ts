// Making elements. Text is only ever set as text.

type Props = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** An element: attributes, `onclick` and the like, and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Node | string | null | undefined | false)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** An SVG element: attributes, and children. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

const CONTROLS = 'summary, input, select, button';

/** Puts rows, told apart by `data-row`, in place of others. What was unfolded stays so, and the keyboard
    stays on the control it was on: whoever ticks three boxes is not sent back after the first. */
export function replaceRows(body: HTMLElement, rows: HTMLElement[]): void {
  const controls = (row: Element) => [...row.querySelectorAll<HTMLElement>(CONTROLS)];
  const folds = (row: Element) => [...row.querySelectorAll('details')];
  const old = new Map([...body.children].map((row) => [row.getAttribute('data-row'), row]));
  const active = document.activeElement;
  let focused: HTMLElement | undefined;
  for (const row of rows) {
    const before = old.get(row.getAttribute('data-row'));
    if (!before) continue;
    const unfolded = folds(before).map((details) => details.open);
    folds(row).forEach((details, index) => (details.open = unfolded[index] ?? false));
    if (before.contains(active)) focused = controls(row)[controls(before).findIndex((control) => control === active)];
  }
  body.replaceChildren(...rows);
  focused?.focus();
}

export const seconds = (ms: number): string => (ms < 0 ? '\u2212' : '+') + (Math.abs(ms) / 1000).toFixed(2);

export const clock = (ms: number, language: string): string =>
  new Date(ms).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

/** A result as people write it. */
export const shown = (result: string): string => result.replaceAll('1/2', '\u00bd').replace('-', '\u2013');

/** "Anna – Ben", as far as that is known. */
export const pairing = ({ white, black }: { white: string; black: string }): string =>
  white || black ? `${white || '?'} \u2013 ${black || '?'}` : '';
