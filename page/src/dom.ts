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

export const seconds = (ms: number): string => (ms < 0 ? '\u2212' : '+') + (Math.abs(ms) / 1000).toFixed(2);

export const clock = (ms: number, language: string): string =>
  new Date(ms).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
