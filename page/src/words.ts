// The page's words, by Fluent catalogues as the rules' own are.
import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';
import de from '../words/de.ftl?raw';
import en from '../words/en.ftl?raw';

export type Language = 'en' | 'de';

function bundle(language: Language, text: string): FluentBundle {
  // No marks around arguments: words are also compared and put into attributes.
  const made = new FluentBundle(language, { useIsolating: false });
  made.addResource(new FluentResource(text));
  return made;
}

const bundles = { en: bundle('en', en), de: bundle('de', de) };
const KEPT = 'adoube-language';

let language: Language = kept();

function kept(): Language {
  const said = localStorage.getItem(KEPT) ?? navigator.language.slice(0, 2);
  return said === 'de' ? 'de' : 'en';
}

export const current = (): Language => language;

/** Speaks a language on this page alone. */
export function speak(next: Language): void {
  language = next;
  document.documentElement.lang = next;
}

export function setLanguage(next: Language): void {
  speak(next);
  localStorage.setItem(KEPT, next);
}

/** A message in the current language; one that is missing shows its name. */
export function t(id: string, args?: Record<string, FluentVariable>): string {
  const in_ = bundles[language];
  const message = in_.getMessage(id);
  return message?.value ? in_.formatPattern(message.value, args) : id;
}

const LETTERS: Partial<Record<Language, Record<string, string>>> = { de: { Q: 'D', R: 'T', B: 'L', N: 'S' } };

/** Moves in SAN as they are written in the current language, with its letters of the pieces. */
export const written = (san: string): string => san.replace(/[QRBN]/g, (letter) => LETTERS[language]?.[letter] ?? letter);

export const has = (id: string): boolean => bundles[language].hasMessage(id);
