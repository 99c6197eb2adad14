//! Logging in and out, the first administrator, users, sessions, keys, and the log.

use std::sync::{Arc, PoisonError};

use axum::{
    Extension, Json,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    App, Refused,
    access::{Caller, Session, caller, cookie, peer},
};
use crate::station::store::{
    Entry,
    people::{
        Boards, Person, Role, User, UserChange,
        access::{Key, OpenSession},
    },
};

type AppState = State<Arc<App>>;

/// Rows of the log that are shown.
const LOG_ROWS: u32 = 200;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(me))
        .routes(routes!(claim))
        .routes(routes!(login))
        .routes(routes!(logout))
        .routes(routes!(list, add))
        .routes(routes!(change))
        .routes(routes!(give_code))
        .routes(routes!(sessions))
        .routes(routes!(end_session))
        .routes(routes!(keys, make_key))
        .routes(routes!(revoke_key))
        .routes(routes!(log))
}

/// Who asks, and whether there is anybody yet.
#[derive(Serialize, ToSchema)]
pub(super) struct Me {
    /// Who has logged in.
    user: Option<User>,
    /// The name of the key that asks.
    key: Option<String>,
    /// Whether the first administrator is still to be made.
    unclaimed: bool,
}

/// Who asks.
#[utoipa::path(get, path = "/api/me", tag = "people", responses((status = 200, body = Me)))]
pub(super) async fn me(State(app): AppState, headers: HeaderMap) -> Result<Json<Me>, Refused> {
    let (user, key) = match caller(&app, &headers).await? {
        Caller::Nobody => (None, None),
        Caller::Person(session) => (Some(session.user), None),
        Caller::Key(key) => (None, Some(key.name)),
    };
    let unclaimed = app.ask(|store| store.is_unclaimed()).await?;
    Ok(Json(Me {
        user,
        key,
        unclaimed,
    }))
}

/// A one-time code, and what it is used for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// The code that the station printed at its first start, or that an administrator gave.
    code: String,
    /// The first administrator's new name, or the name that the code was given for.
    name: String,
    /// At least 10 characters.
    password: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    name: String,
    password: String,
}

/// Not too often from one address.
fn attempt(app: &App, request: &axum::http::Extensions) -> Result<(), Refused> {
    app.attempts.retain_recent();
    app.attempts.check_key(&peer(request)).map_err(|_| {
        let why = "too many attempts: wait a minute".to_owned();
        Refused(StatusCode::TOO_MANY_REQUESTS, why)
    })
}

/// What a request says of the browser, and where from.
struct Asker {
    address: String,
    browser: String,
}

impl Asker {
    fn of(parts: &axum::http::request::Parts) -> Self {
        let browser = parts.headers.get(header::USER_AGENT);
        Self {
            address: peer(&parts.extensions).to_string(),
            browser: browser
                .and_then(|v| v.to_str().ok())
                .unwrap_or_default()
                .to_owned(),
        }
    }
}

/// Chooses a password with a one-time code, and logs in.
#[utoipa::path(post, path = "/api/claim", tag = "people", responses((status = 200, body = User)))]
pub(super) async fn claim(
    State(app): AppState,
    parts: axum::http::request::Parts,
    Json(claim): Json<Claim>,
) -> Result<Response, Refused> {
    attempt(&app, &parts.extensions)?;
    let from = Asker::of(&parts);
    let wrong = || {
        let why = "this is not the code, or it was used already".to_owned();
        Refused(StatusCode::FORBIDDEN, why)
    };
    let code = claim.code.trim().to_owned();
    if !app.ask(|store| store.is_unclaimed()).await? {
        let user = app
            .ask(move |store| store.use_code(&claim.name, &code, &claim.password))
            .await?;
        return begin(&app, user.ok_or_else(wrong)?, from).await;
    }
    let right = {
        let first = app.code.lock().unwrap_or_else(PoisonError::into_inner);
        first.as_deref() == Some(code.as_str())
    };
    if !right {
        return Err(wrong());
    }
    let user = app
        .ask(move |store| store.claim(&claim.name, &claim.password))
        .await?;
    *app.code.lock().unwrap_or_else(PoisonError::into_inner) = None;
    begin(&app, user, from).await
}

/// Logs in: the answer carries the session's cookie.
#[utoipa::path(post, path = "/api/login", tag = "people", responses((status = 200, body = User)))]
pub(super) async fn login(
    State(app): AppState,
    parts: axum::http::request::Parts,
    Json(login): Json<Login>,
) -> Result<Response, Refused> {
    attempt(&app, &parts.extensions)?;
    let from = Asker::of(&parts);
    let name = login.name.clone();
    let user = app
        .ask(move |store| store.authenticate(&login.name, &login.password))
        .await?;
    if let Some(user) = user {
        return begin(&app, user, from).await;
    }
    app.ask(move |store| {
        // What was typed as a name may be a password.
        let known = store.users()?.iter().any(|p| p.user.name == name);
        let body = json!({"address": from.address});
        store.note("login_failed", if known { &name } else { "" }, body)
    })
    .await?;
    let why = "name or password is wrong".to_owned();
    Err(Refused(StatusCode::UNAUTHORIZED, why))
}

/// Answers with a session's cookie.
async fn begin(app: &App, user: User, from: Asker) -> Result<Response, Refused> {
    let whose = user.clone();
    let token = app
        .ask(move |store| store.begin_session(&whose, &from.address, &from.browser))
        .await?;
    let cookie = cookie(app, Some(&token))?;
    Ok(([(header::SET_COOKIE, cookie)], Json(user)).into_response())
}

/// Ends the session.
#[utoipa::path(post, path = "/api/logout", tag = "people", responses((status = 204)))]
pub(super) async fn logout(
    State(app): AppState,
    Extension(session): Extension<Session>,
) -> Result<Response, Refused> {
    app.ask(move |store| store.end_session(&session.token, &session.user.name))
        .await?;
    let gone = [(header::SET_COOKIE, cookie(&app, None)?)];
    Ok((StatusCode::NO_CONTENT, gone).into_response())
}

/// All users.
#[utoipa::path(get, path = "/api/users", tag = "people", responses((status = 200, body = Vec<Person>)))]
pub(super) async fn list(State(app): AppState) -> Result<Json<Vec<Person>>, Refused> {
    Ok(Json(app.ask(|store| store.users()).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewUser {
    name: String,
    role: Role,
    /// All, if nothing is said.
    #[serde(default)]
    boards: Boards,
}

/// Somebody to be given a code.
#[derive(Serialize, ToSchema)]
pub(super) struct Invited {
    user: User,
    /// With it they choose a password, once, within 36 hours. It is not shown again.
    code: String,
}

/// Adds a user, and makes the code with which they choose a password.
#[utoipa::path(post, path = "/api/users", tag = "people", responses((status = 201, body = Invited)))]
pub(super) async fn add(
    State(app): AppState,
    Extension(session): Extension<Session>,
    Json(new): Json<NewUser>,
) -> Result<(StatusCode, Json<Invited>), Refused> {
    let who = session.user.name;
    let invited = app
        .ask(move |store| {
            let user = store.add_user(&new.name, new.role, &new.boards, &who)?;
            let code = store.give_code(user.id, &who)?;
            Ok(Invited { user, code })
        })
        .await?;
    Ok((StatusCode::CREATED, Json(invited)))
}

/// Changes a user's role or boards, or keeps them out.
#[utoipa::path(patch, path = "/api/users/{id}", tag = "people", responses((status = 200, body = Person)))]
pub(super) async fn change(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(change): Json<UserChange>,
) -> Result<Json<Person>, Refused> {
    let who = session.user.name;
    let person = app
        .ask(move |store| store.change_user(id, &change, &who))
        .await?;
    Ok(Json(person))
}

/// A one-time code.
#[derive(Serialize, ToSchema)]
pub(super) struct Code {
    /// It is not shown again.
    code: String,
}

/// A new code for a user: their password and sessions are over, and they choose a new one.
#[utoipa::path(post, path = "/api/users/{id}/code", tag = "people", responses((status = 201, body = Code)))]
pub(super) async fn give_code(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<(StatusCode, Json<Code>), Refused> {
    let who = session.user.name;
    let code = app.ask(move |store| store.give_code(id, &who)).await?;
    Ok((StatusCode::CREATED, Json(Code { code })))
}

/// All sessions that stand.
#[utoipa::path(get, path = "/api/sessions", tag = "people", responses((status = 200, body = Vec<OpenSession>)))]
pub(super) async fn sessions(State(app): AppState) -> Result<Json<Vec<OpenSession>>, Refused> {
    Ok(Json(app.ask(|store| store.sessions()).await?))
}

/// Ends somebody's session.
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "people", responses((status = 204)))]
pub(super) async fn end_session(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.revoke_session(id, &who)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// All keys of programs.
#[utoipa::path(get, path = "/api/keys", tag = "people", responses((status = 200, body = Vec<Key>)))]
pub(super) async fn keys(State(app): AppState) -> Result<Json<Vec<Key>>, Refused> {
    Ok(Json(app.ask(|store| store.keys()).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewKey {
    /// Who or what it is for.
    name: String,
}

#[derive(Serialize, ToSchema)]
pub(super) struct MadeKey {
    #[serde(flatten)]
    key: Key,
    /// The key itself, as `Authorization: Bearer TOKEN` or as `/key/TOKEN/...`. It is not shown again.
    token: String,
}

/// Makes a key with which a program reads what is public, never younger than the broadcast's delay.
#[utoipa::path(post, path = "/api/keys", tag = "people", responses((status = 201, body = MadeKey)))]
pub(super) async fn make_key(
    State(app): AppState,
    Extension(session): Extension<Session>,
    Json(new): Json<NewKey>,
) -> Result<(StatusCode, Json<MadeKey>), Refused> {
    let who = session.user.name;
    let (key, token) = app
        .ask(move |store| store.make_key(&new.name, &who))
        .await?;
    let token = token.expose().to_owned();
    Ok((StatusCode::CREATED, Json(MadeKey { key, token })))
}

/// Takes a key back.
#[utoipa::path(delete, path = "/api/keys/{id}", tag = "people", responses((status = 204)))]
pub(super) async fn revoke_key(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.revoke_key(id, &who)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct LogRange {
    /// Rows after this number, oldest first.
    after: Option<i64>,
    /// Rows before this number, newest first.
    before: Option<i64>,
}

/// Rows of the log: the newest ones first, or those after or before a number; at most 200.
#[utoipa::path(get, path = "/api/log", tag = "people", params(LogRange),
    responses((status = 200, body = Vec<Entry>)))]
pub(super) async fn log(
    State(app): AppState,
    Query(range): Query<LogRange>,
) -> Result<Json<Vec<Entry>>, Refused> {
    let rows = app.ask(move |store| match range.after {
        Some(seq) => store.log_after(seq, LOG_ROWS as usize),
        None => store.log_before(range.before.unwrap_or(i64::MAX), LOG_ROWS),
    });
    Ok(Json(rows.await?))
}
