//! The words: message catalogues, one file a language, built into the program.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use thiserror::Error;
use unic_langid::LanguageIdentifier;

/// A language of the explanations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German, in the terms of the official German text.
    German,
}

/// A language that there is no catalogue of.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown language: {name:?} (known: en, de)")]
pub struct UnknownLanguage {
    /// The name as given.
    pub name: String,
}

/// The messages of one language.
pub(crate) type Bundle = FluentBundle<FluentResource>;

/// The messages of every language, in the order of [`Language::ALL`].
pub(crate) type Catalogue = LazyLock<[Bundle; 2]>;

/// The messages of the rules.
pub(crate) static RULES: Catalogue =
    LazyLock::new(|| Language::ALL.map(|l| bundle(l, &[l.catalogue()])));

impl Language {
    /// Every language there is.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// As `en`, `de`.
    ///
    /// ```
    /// assert_eq!(adoube::rules::Language::German.as_str(), "de");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Moves in SAN as they are written in this language, with its letters of the pieces.
    ///
    /// ```
    /// use adoube::rules::Language;
    /// assert_eq!(Language::German.written("12. Nbd7, exd8=Q+"), "12. Sbd7, exd8=D+");
    /// assert_eq!(Language::English.written("O-O"), "O-O");
    /// ```
    #[must_use]
    pub fn written(self, san: &str) -> String {
        let letter = |c| match (self, c) {
            (Self::German, 'Q') => 'D',
            (Self::German, 'R') => 'T',
            (Self::German, 'B') => 'L',
            (Self::German, 'N') => 'S',
            (_, c) => c,
        };
        san.chars().map(letter).collect()
    }

    /// The text of the rules' catalogue.
    pub(crate) const fn catalogue(self) -> &'static str {
        match self {
            Self::English => include_str!("messages/en.ftl"),
            Self::German => include_str!("messages/de.ftl"),
        }
    }

    fn of(self, [english, german]: &[Bundle; 2]) -> &Bundle {
        match self {
            Self::English => english,
            Self::German => german,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|l| l.as_str() == name)
            .ok_or_else(|| UnknownLanguage {
                name: name.to_owned(),
            })
    }
}

/// What can be read of a language's texts; a test sees to it that this is all of them.
pub(crate) fn bundle(language: Language, texts: &[&str]) -> Bundle {
    let locale: LanguageIdentifier = language.as_str().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![locale]);
    // The terminal and the report show plain text, where marks of direction would be seen.
    bundle.set_use_isolating(false);
    for text in texts {
        let resource = match FluentResource::try_new((*text).to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// A message of the rules' catalogue; its name, if there is none.
pub(crate) fn message(language: Language, id: &str, args: &[(&'static str, String)]) -> String {
    let args = args.iter().map(|(name, value)| (*name, value.as_str()));
    say(&RULES, language, id, args)
}

/// A message of a catalogue; its name, if there is none.
pub(crate) fn say<'a, V: Into<FluentValue<'a>>>(
    catalogue: &Catalogue,
    language: Language,
    id: &str,
    args: impl IntoIterator<Item = (&'static str, V)>,
) -> String {
    let bundle = language.of(catalogue);
    let Some(pattern) = bundle.get_message(id).and_then(|m| m.value()) else {
        return id.to_owned();
    };
    let mut values = FluentArgs::new();
    for (name, value) in args {
        values.set(name, value);
    }
    let mut errors = Vec::new();
    bundle
        .format_pattern(pattern, Some(&values), &mut errors)
        .into_owned()
}

/// What every catalogue is tested for.
#[cfg(test)]
pub(crate) mod checks {
    use std::collections::BTreeSet;

    use super::*;

    /// Names of the messages and of the arguments they use.
    fn names(text: &str) -> BTreeSet<(String, BTreeSet<String>)> {
        let mut all = BTreeSet::new();
        let mut current: Option<(String, BTreeSet<String>)> = None;
        for line in text.lines() {
            if let Some((id, _)) = line.split_once(" =")
                && id.chars().all(|c| c.is_ascii_lowercase() || c == '-')
            {
                all.extend(current.take());
                current = Some((id.to_owned(), BTreeSet::new()));
            }
            let args = line.split('$').skip(1).map(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_lowercase());
                rest[..end.unwrap_or(rest.len())].to_owned()
            });
            if let Some((_, used)) = &mut current {
                used.extend(args);
            }
        }
        all.extend(current);
        all
    }

    /// The languages' texts can be read whole, and have the same messages with the same arguments.
    pub(crate) fn whole_and_alike(catalogue: &Catalogue, text: impl Fn(Language) -> &'static str) {
        for language in Language::ALL {
            let read = FluentResource::try_new(text(language).to_owned());
            assert!(read.is_ok(), "{language}: {:?}", read.err().map(|e| e.1));
            let names = names(text(language));
            assert_eq!(names, self::names(text(Language::English)), "{language}");
            for (id, args) in names {
                let args = args
                    .into_iter()
                    .map(|a| (&*Box::leak(a.into_boxed_str()), "x"));
                let text = say(catalogue, language, &id, args);
                assert!(
                    !text.is_empty() && !text.contains(['{', '}']),
                    "{id}: {text}"
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogues_are_whole_and_alike() {
        checks::whole_and_alike(&RULES, Language::catalogue);
    }
}
