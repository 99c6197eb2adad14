//! Who may ask for what: roles, sessions, keys, and the boards that somebody sees.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, MatchedPath, RawPathParams, Request, State},
    http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{App, Refused};
use crate::station::store::{
    StoreError,
    people::{
        Boards, Role, User,
        access::{Key, Token},
    },
};

/// The name of the session's cookie ...
pub(super) const COOKIE: &str = "adoube_session";
/// ... and by TLS.
pub(super) const COOKIE_TLS: &str = "__Host-adoube_session";

/// What a route needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Nothing.
    Anyone,
    /// To be asked from this machine, or by an administrator.
    Here,
    /// A session or key of this role or a higher one.
    From(Role),
}

use Access::{Anyone, From, Here};
use Role::{Administrator, Arbiter, Broadcast, Reviewer, Viewer};

/// Every route. What a key of a broadcast reads stands here as `From(Broadcast)`, and answers with
/// nothing younger than the broadcast's delay.
pub(super) const ROUTES: &[(Method, &str, Access)] = &[
    (Method::GET, "/", Anyone),
    (Method::GET, "/assets/{name}", Anyone),
    (Method::GET, "/healthz", Anyone),
    (Method::GET, "/metrics", Here),
    (Method::GET, "/api/openapi.json", Anyone),
    (Method::GET, "/api/me", Anyone),
    (Method::POST, "/api/claim", Anyone),
    (Method::POST, "/api/login", Anyone),
    (Method::POST, "/api/logout", From(Viewer)),
    (Method::GET, "/overlay", From(Broadcast)),
    (Method::GET, "/api/public/stream", From(Broadcast)),
    (Method::GET, "/api/public/{name}", From(Broadcast)),
    (Method::GET, "/api/public/{folder}/{name}", From(Broadcast)),
    (Method::GET, "/api/broadcast", From(Administrator)),
    (Method::GET, "/api/reviews", From(Reviewer)),
    (Method::POST, "/api/reviews", From(Arbiter)),
    (Method::POST, "/api/reviews/recording", From(Arbiter)),
    (Method::DELETE, "/api/reviews/{id}", From(Arbiter)),
    (Method::GET, "/api/reviews/{id}/{name}", From(Reviewer)),
    (Method::GET, "/api/boards", From(Viewer)),
    (Method::GET, "/api/events", From(Viewer)),
    (Method::GET, "/api/boards/{id}/picture", From(Reviewer)),
    (Method::GET, "/api/boards/{id}/clip", From(Reviewer)),
    (Method::GET, "/api/boards/{id}/still", From(Reviewer)),
    (Method::POST, "/api/boards/{id}/new-game", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/look-again", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/announcement", From(Arbiter)),
    (Method::GET, "/api/boards/{id}/game", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/position", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/last-move", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/players", From(Arbiter)),
    (Method::GET, "/api/boards/{id}/place", From(Arbiter)),
    (Method::PUT, "/api/boards/{id}/place", From(Arbiter)),
    (Method::DELETE, "/api/boards/{id}/place", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/place/look", From(Arbiter)),
    (Method::POST, "/api/boards", From(Administrator)),
    (Method::DELETE, "/api/boards/{id}", From(Administrator)),
    (Method::POST, "/api/pairings", From(Arbiter)),
    (Method::GET, "/api/games/{id}/contacts", From(Reviewer)),
    (Method::GET, "/api/incidents", From(Reviewer)),
    (Method::GET, "/api/incidents/{id}", From(Reviewer)),
    (
        Method::GET,
        "/api/incidents/{id}/frames/{number}",
        From(Reviewer),
    ),
    (Method::POST, "/api/incidents/{id}/ruling", From(Arbiter)),
    (Method::DELETE, "/api/incidents/{id}/ruling", From(Arbiter)),
    (Method::GET, "/api/incidents/{id}/export", From(Arbiter)),
    (Method::POST, "/api/incidents/{id}/hold", From(Arbiter)),
    (Method::DELETE, "/api/incidents/{id}/hold", From(Arbiter)),
    (
        Method::POST,
        "/api/incidents/{id}/correction",
        From(Arbiter),
    ),
    (
        Method::DELETE,
        "/api/incidents/{id}/correction",
        From(Arbiter),
    ),
    (Method::GET, "/api/key", From(Reviewer)),
    (Method::GET, "/api/alerts", From(Reviewer)),
    (Method::PUT, "/api/alerts/{kind}", From(Administrator)),
    (Method::GET, "/api/users", From(Administrator)),
    (Method::POST, "/api/users", From(Administrator)),
    (Method::PATCH, "/api/users/{id}", From(Administrator)),
    (Method::POST, "/api/users/{id}/code", From(Administrator)),
    (Method::GET, "/api/sessions", From(Administrator)),
    (Method::DELETE, "/api/sessions/{id}", From(Administrator)),
    (Method::GET, "/api/keys", From(Administrator)),
    (Method::POST, "/api/keys", From(Administrator)),
    (Method::DELETE, "/api/keys/{id}", From(Administrator)),
    (Method::GET, "/api/log", From(Administrator)),
];

/// The session of a request.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) user: User,
    pub(super) token: String,
}

/// Who asks.
pub(super) enum Caller {
    Nobody,
    Person(Session),
    Key(Key),
}

impl Caller {
    fn role(&self) -> Option<Role> {
        match self {
            Self::Nobody => None,
            Self::Person(session) => Some(session.user.role),
            Self::Key(_) => Some(Role::Broadcast),
        }
    }
}

/// Lets a request through, with its session, if its route, role and board allow it.
pub(super) async fn guard(
    State(app): State<Arc<App>>,
    path: MatchedPath,
    params: RawPathParams,
    mut request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let access = match access(request.method(), path.as_str()) {
        Ok(access) => access,
        Err(others) => return Ok(not_so(&others)),
    };
    let caller = caller(&app, request.headers()).await?;
    match (access, caller.role()) {
        (Here, role) if is_here(request.extensions()) || role == Some(Administrator) => {}
        (From(_) | Here, None) => {
            return Err(Refused(StatusCode::UNAUTHORIZED, "log in first".to_owned()));
        }
        (Here, Some(_)) => return Err(for_role(Administrator)),
        (From(needed), Some(role)) if role < needed => return Err(for_role(needed)),
        _ => {}
    }
    if let Caller::Person(session) = caller {
        sees(&app, &session.user.boards, path.as_str(), &params).await?;
        request.extensions_mut().insert(session);
    }
    Ok(next.run(request).await)
}

fn for_role(needed: Role) -> Refused {
    let why = format!("this is for the role {} and above", needed.as_str());
    Refused(StatusCode::FORBIDDEN, why)
}

/// What a route needs, or the methods with which it can be asked for.
fn access(method: &Method, path: &str) -> Result<Access, Vec<&'static str>> {
    let method = match method {
        &Method::HEAD => &Method::GET,
        method => method,
    };
    let here = || ROUTES.iter().filter(|(_, p, _)| *p == path);
    here()
        .find(|(m, ..)| m == method)
        .map(|(.., access)| *access)
        .ok_or_else(|| here().map(|(m, ..)| m.as_str()).collect())
}

/// The answer to a method that a route does not have; a route without any is none.
fn not_so(methods: &[&str]) -> Response {
    if methods.is_empty() {
        return Refused::missing("page").into_response();
    }
    let why = "this cannot be asked for in this way".to_owned();
    let mut response = Refused(StatusCode::METHOD_NOT_ALLOWED, why).into_response();
    if let Ok(allow) = HeaderValue::from_str(&methods.join(", ")) {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

/// Who sends this request: a key goes before a session, and one that is not there opens nothing.
pub(super) async fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Refused> {
    if let Some(given) = headers.get(header::AUTHORIZATION) {
        let token = given.to_str().ok().and_then(|v| v.strip_prefix("Bearer "));
        let token = token.unwrap_or_default().trim().to_owned();
        let key = app.ask(move |store| store.key(&token)).await?;
        let unknown = || "this key is unknown, or was taken back".to_owned();
        return key
            .map(Caller::Key)
            .ok_or_else(|| Refused(StatusCode::UNAUTHORIZED, unknown()));
    }
    let cookies = headers.get_all(header::COOKIE);
    let token = cookies
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == app.cookie_name())
        .map(|(_, token)| token.to_owned());
    let Some(token) = token else {
        return Ok(Caller::Nobody);
    };
    let asked = token.clone();
    let user = app.ask(move |store| store.session(&asked)).await?;
    Ok(user.map_or(Caller::Nobody, |user| {
        Caller::Person(Session { user, token })
    }))
}

/// Whose request it is, for those who see some boards only: what is of another board is not there.
async fn sees(
    app: &App,
    boards: &Boards,
    path: &str,
    params: &RawPathParams,
) -> Result<(), Refused> {
    if *boards == Boards::ALL {
        return Ok(());
    }
    let number = params
        .iter()
        .next()
        .and_then(|(_, v)| v.parse::<i64>().ok());
    // A number that cannot be read is refused where it is needed.
    let Some(number) = number else {
        return Ok(());
    };
    let (board, what) = if path.starts_with("/api/boards/{") {
        (number, "board")
    } else if path.starts_with("/api/incidents/{") {
        let board = app.ask(move |store| store.board_of(number)).await?;
        (board, "incident")
    } else if path.starts_with("/api/games/{") {
        let board = app.ask(move |store| store.board_of_game(number)).await?;
        (board, "game")
    } else {
        return Ok(());
    };
    if boards.include(board) {
        Ok(())
    } else {
        Err(StoreError::Missing(what).into())
    }
}

/// The address that a request comes from; this machine's own where it did not come over a network.
pub(super) fn peer(extensions: &Extensions) -> IpAddr {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| {
        info.0.ip().to_canonical()
    })
}

fn is_here(extensions: &Extensions) -> bool {
    peer(extensions).is_loopback()
}

/// The cookie that begins a session, or ends it.
pub(super) fn cookie(app: &App, token: Option<&Token>) -> Result<HeaderValue, Refused> {
    let name = app.cookie_name();
    let secure = if app.tls { "; Secure" } else { "" };
    let (value, age) = match token {
        Some(token) => (token.expose(), ""),
        None => ("", "; Max-Age=0"),
    };
    let text = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/{secure}{age}");
    HeaderValue::from_str(&text)
        .map_err(|e| Refused(StatusCode::INTERNAL_SERVER_ERROR, e.to_string()))
}
