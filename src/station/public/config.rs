//! What is broadcast, to whom, and how much later: the `[broadcast]` part of a station's file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::gate::LONGEST_S;
use crate::broadcast::feed::EventTags;

/// Where Lichess is.
const LICHESS: &str = "https://lichess.org";
/// Where LiveChess listens.
const LIVECHESS_PORT: u16 = 1982;
/// Where OBS listens.
const OBS: &str = "127.0.0.1:4455";
/// Characters of a broadcast round's number at Lichess.
const ROUND_LENGTH: usize = 8;

/// Something that is only to be told to whom it is for.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret itself.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("secret")
    }
}

/// What is broadcast.
#[derive(Debug, Clone, PartialEq)]
pub struct Broadcast {
    /// Nothing younger is shown to pages and pulled from here, seconds.
    pub delay_s: u32,
    /// Whether pictures of the camera are public.
    pub picture: bool,
    /// What all games have in common.
    pub event: EventTags,
    /// Where text files are written.
    pub files: Option<Files>,
    /// Where changes are sent.
    pub webhooks: Vec<Webhook>,
    /// A broadcast round at Lichess.
    pub lichess: Option<Lichess>,
    /// LiveChess' local interface.
    pub livechess: Option<LiveChess>,
    /// OBS.
    pub obs: Option<Obs>,
}

/// Text files.
#[derive(Debug, Clone, PartialEq)]
pub struct Files {
    /// The folder.
    pub folder: PathBuf,
    /// Nothing younger, seconds.
    pub delay_s: u32,
}

/// Where changes are sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Webhook {
    /// The address.
    pub url: String,
    /// Nothing younger, seconds.
    pub delay_s: u32,
}

/// A broadcast round at Lichess.
#[derive(Debug, Clone, PartialEq)]
pub struct Lichess {
    /// Where Lichess is.
    pub server: String,
    /// The round's number.
    pub round: String,
    /// A token that may write studies.
    pub token: Secret,
    /// Nothing younger, seconds.
    pub delay_s: u32,
}

/// LiveChess' local interface.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveChess {
    /// Port, on this machine only.
    pub port: u16,
    /// Nothing younger, seconds.
    pub delay_s: u32,
}

/// OBS.
#[derive(Debug, Clone, PartialEq)]
pub struct Obs {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Its password, if it asks for one.
    pub password: Option<Secret>,
    /// What it does when.
    pub rules: Vec<ObsRule>,
    /// Nothing younger, seconds.
    pub delay_s: u32,
}

/// Something that may happen to a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// It begins.
    GameBegun,
    /// Its moves change.
    Move,
    /// It ends.
    GameEnded,
}

/// What OBS does when something happens.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObsRule {
    /// When.
    pub when: When,
    /// On which board in their order from 1; on any without.
    pub board: Option<usize>,
    /// Shows this scene.
    pub scene: Option<String>,
    /// Marks a chapter in the recording (OBS 30.2 or newer).
    #[serde(default)]
    pub chapter: bool,
    /// Saves the replay buffer.
    #[serde(default)]
    pub replay: bool,
}

/// The part of the file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileBroadcast {
    delay_s: u32,
    #[serde(default)]
    picture: bool,
    event: Option<String>,
    site: Option<String>,
    date: Option<String>,
    time_control: Option<String>,
    files: Option<FileFiles>,
    #[serde(default)]
    webhook: Vec<FileWebhook>,
    lichess: Option<FileLichess>,
    livechess: Option<FileLiveChess>,
    obs: Option<FileObs>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileFiles {
    folder: PathBuf,
    delay_s: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWebhook {
    url: String,
    delay_s: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLichess {
    round: String,
    token_file: PathBuf,
    server: Option<String>,
    delay_s: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLiveChess {
    port: Option<u16>,
    delay_s: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileObs {
    address: Option<String>,
    password_file: Option<PathBuf>,
    #[serde(default)]
    rule: Vec<ObsRule>,
    delay_s: Option<u32>,
}

impl FileBroadcast {
    /// Pages and PGN with this delay, seconds, and nothing else.
    #[must_use]
    pub fn plain(delay_s: u32) -> Self {
        Self {
            delay_s,
            picture: false,
            event: None,
            site: None,
            date: None,
            time_control: None,
            files: None,
            webhook: Vec::new(),
            lichess: None,
            livechess: None,
            obs: None,
        }
    }

    /// What is meant; paths are seen from `base`, the folder of the station's file.
    ///
    /// # Errors
    /// A sentence that says what to do.
    pub fn resolve(self, base: &Path) -> Result<Broadcast, String> {
        let common_s = self.delay_s;
        let delay = |own: Option<u32>, of: &str| {
            let delay_s = own.unwrap_or(common_s);
            let fits = delay_s <= LONGEST_S;
            let why = || format!("{of}delay_s = {delay_s}: at most {LONGEST_S} seconds");
            fits.then_some(delay_s).ok_or_else(why)
        };
        let mut webhooks = Vec::new();
        for hook in self.webhook {
            webhooks.push(Webhook {
                url: address(&hook.url, "webhook.url")?,
                delay_s: delay(hook.delay_s, "webhook.")?,
            });
        }
        Ok(Broadcast {
            delay_s: delay(None, "")?,
            picture: self.picture,
            event: EventTags {
                event: self.event,
                site: self.site,
                date: self.date.map(|d| date(&d)).transpose()?,
                time_control: self.time_control,
            },
            files: match self.files {
                Some(files) => Some(Files {
                    folder: base.join(files.folder),
                    delay_s: delay(files.delay_s, "files.")?,
                }),
                None => None,
            },
            webhooks,
            lichess: match self.lichess {
                Some(lichess) => Some(Lichess {
                    delay_s: delay(lichess.delay_s, "lichess.")?,
                    server: address(lichess.server.as_deref().unwrap_or(LICHESS), "server")?,
                    round: round(&lichess.round)?,
                    token: secret(&base.join(lichess.token_file), "lichess.token_file")?,
                }),
                None => None,
            },
            livechess: match self.livechess {
                Some(livechess) => Some(LiveChess {
                    port: livechess.port.unwrap_or(LIVECHESS_PORT),
                    delay_s: delay(livechess.delay_s, "livechess.")?,
                }),
                None => None,
            },
            obs: match self.obs {
                Some(obs) => Some(obs.resolve(base, delay)?),
                None => None,
            },
        })
    }
}

impl FileObs {
    fn resolve(
        self,
        base: &Path,
        delay: impl Fn(Option<u32>, &str) -> Result<u32, String>,
    ) -> Result<Obs, String> {
        let address = self.address.as_deref().unwrap_or(OBS);
        let wrong = || format!("obs.address = \"{address}\": give host and port, as {OBS}");
        let (host, port) = address.rsplit_once(':').ok_or_else(wrong)?;
        for rule in &self.rule {
            if rule.scene.is_none() && !rule.chapter && !rule.replay {
                return Err(
                    "obs.rule: say what OBS is to do: scene = \"...\", chapter = true or replay = true"
                        .to_owned(),
                );
            }
        }
        Ok(Obs {
            host: host.to_owned(),
            port: port.parse().map_err(|_| wrong())?,
            password: self
                .password_file
                .map(|file| secret(&base.join(file), "obs.password_file"))
                .transpose()?,
            rules: self.rule,
            delay_s: delay(self.delay_s, "obs.")?,
        })
    }
}

/// The first line of a file.
fn secret(path: &Path, what: &str) -> Result<Secret, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{what}: {}: {e}", path.display()))?;
    let line = text.trim();
    if line.is_empty() || line.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(format!(
            "{what}: {}: it should hold the secret on one line and nothing else",
            path.display()
        ));
    }
    Ok(Secret(line.to_owned()))
}

fn address(url: &str, what: &str) -> Result<String, String> {
    let url = url.trim_end_matches('/');
    let web = url.starts_with("https://") || url.starts_with("http://");
    let why = || format!("{what} = \"{url}\": give an address that begins with https://");
    web.then(|| url.to_owned()).ok_or_else(why)
}

/// The number of a round, which may be given with its address.
fn round(text: &str) -> Result<String, String> {
    let last = text.trim_end_matches('/').rsplit('/').next();
    let last = last.unwrap_or_default();
    let fits = last.len() == ROUND_LENGTH && last.bytes().all(|b| b.is_ascii_alphanumeric());
    let why = || {
        format!(
            "lichess.round = \"{text}\": give the {ROUND_LENGTH} characters at the end of the \
             round's address at Lichess"
        )
    };
    fits.then(|| last.to_owned()).ok_or_else(why)
}

fn date(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split(['.', '-']).collect();
    let sizes: Vec<usize> = parts.iter().map(|p| p.len()).collect();
    let plain = |p: &&str| p.bytes().all(|b| b.is_ascii_digit() || b == b'?');
    if sizes == [4, 2, 2] && parts.iter().all(plain) {
        Ok(parts.join("."))
    } else {
        Err(format!("date = \"{text}\": give it as 2026.11.30"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str) -> Result<Broadcast, String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("token"), "lip_secret\n").unwrap();
        fs::write(folder.path().join("empty"), "\n").unwrap();
        let file: FileBroadcast = toml::from_str(text).map_err(|e| e.to_string())?;
        file.resolve(folder.path())
    }

    #[test]
    fn everything_may_have_a_delay_of_its_own() {
        let all = "delay_s = 900\nevent = \"Open\"\ndate = \"2026-11-30\"\n\
            [files]\nfolder = \"out\"\ndelay_s = 0\n\
            [[webhook]]\nurl = \"https://example.org/hook/\"\n\
            [lichess]\nround = \"https://lichess.org/broadcast/open/round-3/abcdEF12\"\ntoken_file = \"token\"\ndelay_s = 60\n\
            [livechess]\n\
            [obs]\npassword_file = \"token\"\n[[obs.rule]]\nwhen = \"game_ended\"\nscene = \"Results\"\n";
        let all = resolved(all).unwrap();
        assert_eq!(all.event.date.as_deref(), Some("2026.11.30"));
        assert_eq!(all.files.unwrap().delay_s, 0);
        assert_eq!(all.webhooks[0].url, "https://example.org/hook");
        let lichess = all.lichess.unwrap();
        assert_eq!((lichess.round.as_str(), lichess.delay_s), ("abcdEF12", 60));
        assert_eq!(lichess.token.expose(), "lip_secret");
        assert!(!format!("{lichess:?}").contains("lip_"));
        let livechess = all.livechess.unwrap();
        assert_eq!((livechess.port, livechess.delay_s), (1982, 900));
        let obs = all.obs.unwrap();
        assert_eq!((obs.host.as_str(), obs.port), ("127.0.0.1", 4455));
        assert_eq!(obs.rules.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, why) in [
            ("event = \"x\"", "delay_s"),
            ("delay_s = 7200", "at most 3600"),
            ("delay_s = 0\ndate = \"30.11.2026\"", "2026.11.30"),
            (
                "delay_s = 0\n[lichess]\nround = \"x\"\ntoken_file = \"token\"",
                "8 characters",
            ),
            (
                "delay_s = 0\n[lichess]\nround = \"abcdefgh\"\ntoken_file = \"none\"",
                "none: No such file",
            ),
            (
                "delay_s = 0\n[lichess]\nround = \"abcdefgh\"\ntoken_file = \"empty\"",
                "on one line",
            ),
            ("delay_s = 0\n[[webhook]]\nurl = \"ftp://x\"", "https://"),
            ("delay_s = 0\n[obs]\naddress = \"here\"", "host and port"),
            (
                "delay_s = 0\n[obs]\n[[obs.rule]]\nwhen = \"move\"",
                "what OBS is to do",
            ),
            (
                "delay_s = 0\n[obs]\n[[obs.rule]]\nwhen = \"mate\"",
                "unknown variant",
            ),
            ("delay_s = 0\nlichess_token = \"x\"", "unknown field"),
        ] {
            let said = resolved(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
