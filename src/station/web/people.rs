//! Logging in and out, the first administrator, users, and the log.

use std::sync::{Arc, PoisonError};

use axum::{
    Extension, Json,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    App, Refused,
    access::{COOKIE, Session, session},
};
use crate::station::store::{
    Entry,
    people::{Role, User},
};

type AppState = State<Arc<App>>;

/// Rows of the log that are shown.
const LOG_ROWS: u32 = 200;

/// What the page needs to know first.
pub(super) async fn me(State(app): AppState, headers: HeaderMap) -> Result<Json<Value>, Refused> {
    let user = session(&app, &headers).await?.map(|s| s.user);
    let unclaimed = app.ask(|store| store.is_unclaimed()).await?;
    Ok(Json(json!({"user": user, "unclaimed": unclaimed})))
}

#[derive(Deserialize)]
pub(super) struct Claim {
    code: String,
    name: String,
    password: String,
}

#[derive(Deserialize)]
pub(super) struct Login {
    name: String,
    password: String,
}

/// Not too often, by whomever.
fn attempt(app: &App) -> Result<(), Refused> {
    app.attempts.check().map_err(|_| {
        let why = "too many attempts: wait a minute".to_owned();
        Refused(StatusCode::TOO_MANY_REQUESTS, why)
    })
}

pub(super) async fn claim(
    State(app): AppState,
    Json(claim): Json<Claim>,
) -> Result<Response, Refused> {
    attempt(&app)?;
    let right = {
        let code = app.code.lock().unwrap_or_else(PoisonError::into_inner);
        code.as_deref() == Some(claim.code.trim())
    };
    if !right {
        let why = "this is not the code that was shown when the station was started".to_owned();
        return Err(Refused(StatusCode::FORBIDDEN, why));
    }
    let user = app
        .ask(move |store| store.claim(&claim.name, &claim.password))
        .await?;
    *app.code.lock().unwrap_or_else(PoisonError::into_inner) = None;
    begin(&app, user).await
}

pub(super) async fn login(
    State(app): AppState,
    Json(login): Json<Login>,
) -> Result<Response, Refused> {
    attempt(&app)?;
    let name = login.name.clone();
    let user = app
        .ask(move |store| store.authenticate(&login.name, &login.password))
        .await?;
    let Some(user) = user else {
        app.ask(move |store| {
            // What was typed as a name may be a password.
            let known = store.users()?.iter().any(|u| u.name == name);
            store.note("login_failed", if known { &name } else { "" }, json!({}))
        })
        .await?;
        let why = "name or password is wrong".to_owned();
        return Err(Refused(StatusCode::UNAUTHORIZED, why));
    };
    begin(&app, user).await
}

/// Answers with a session's cookie.
async fn begin(app: &App, user: User) -> Result<Response, Refused> {
    let whose = user.clone();
    let token = app.ask(move |store| store.begin_session(&whose)).await?;
    let cookie = format!(
        "{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/",
        token.expose()
    );
    let cookie = HeaderValue::from_str(&cookie)
        .map_err(|e| Refused(StatusCode::INTERNAL_SERVER_ERROR, e.to_string()))?;
    Ok(([(header::SET_COOKIE, cookie)], Json(user)).into_response())
}

pub(super) async fn logout(
    State(app): AppState,
    Extension(session): Extension<Session>,
) -> Result<Response, Refused> {
    app.ask(move |store| store.end_session(&session.token, &session.user.name))
        .await?;
    let gone = format!("{COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, gone)]).into_response())
}

pub(super) async fn list(State(app): AppState) -> Result<Json<Vec<User>>, Refused> {
    Ok(Json(app.ask(|store| store.users()).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewUser {
    name: String,
    password: String,
    role: Role,
}

pub(super) async fn add(
    State(app): AppState,
    Extension(session): Extension<Session>,
    Json(new): Json<NewUser>,
) -> Result<(StatusCode, Json<User>), Refused> {
    let who = session.user.name;
    let user = app
        .ask(move |store| store.add_user(&new.name, &new.password, new.role, &who))
        .await?;
    Ok((StatusCode::CREATED, Json(user)))
}

pub(super) async fn remove(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.remove_user(id, &who)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
pub(super) struct After {
    after: Option<i64>,
}

/// The newest rows of the log, or those after a number.
pub(super) async fn log(
    State(app): AppState,
    Query(After { after }): Query<After>,
) -> Result<Json<Vec<Entry>>, Refused> {
    let rows = app.ask(move |store| match after {
        Some(seq) => store.log_after(seq, LOG_ROWS as usize),
        None => store.log_newest(LOG_ROWS),
    });
    Ok(Json(rows.await?))
}
