//! What a person puts right: the position, the last move, how a game ended, who plays.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use shakmaty::{Position, san::SanPlus, uci::UciMove};
use tokio::{sync::oneshot, time::timeout};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session, boards::board};
use crate::{
    events::position_from_fen,
    station::{
        hub::{Answer, Command},
        pairings,
        store::{
            contacts::StoredContact,
            games::{Game, GameResult},
            players::{Named, Players, Which},
        },
    },
};

type AppState = State<Arc<App>>;

/// Longest wait for a board that is busy with being looked for.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(new_game))
        .routes(routes!(position))
        .routes(routes!(last_move))
        .routes(routes!(game))
        .routes(routes!(players))
        .routes(routes!(pair))
        .routes(routes!(contacts))
}

fn unprocessable(why: impl ToString) -> Refused {
    Refused(StatusCode::UNPROCESSABLE_ENTITY, why.to_string())
}

/// What a board answered: done, will be done, or why not.
async fn answered(told: oneshot::Receiver<Answer>) -> Result<StatusCode, Refused> {
    match timeout(PATIENCE, told).await {
        Ok(Ok(Ok(()))) => Ok(StatusCode::NO_CONTENT),
        Ok(Ok(Err(why))) => Err(Refused(StatusCode::CONFLICT, why)),
        Ok(Err(_)) => Err(Refused(
            StatusCode::CONFLICT,
            "the board was told something else before it could do this".to_owned(),
        )),
        Err(_) => Ok(StatusCode::ACCEPTED),
    }
}

/// How the last game ended, and where the next one begins.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NewGame {
    /// How the game that is on ended, if that is known.
    result: Option<GameResult>,
    /// FEN of where the next one begins, if not where this board's games do.
    fen: Option<String>,
}

/// Ends the game; the next one begins when its start position stands.
#[utoipa::path(post, path = "/api/boards/{id}/new-game", tag = "boards", responses((status = 202)))]
pub(super) async fn new_game(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    new: Option<Json<NewGame>>,
) -> Result<StatusCode, Refused> {
    let board = board(&app, id)?;
    let Json(new) = new.unwrap_or_default();
    if let Some(fen) = &new.fen {
        position_from_fen(fen).map_err(unprocessable)?;
    }
    board.tell(Command::NewGame {
        who: session.user.name,
        result: new.result,
        start: new.fen,
    });
    Ok(StatusCode::ACCEPTED)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Standing {
    /// FEN.
    fen: String,
}

/// Says which position stands; the game goes on from it. 202 when that will be done as soon as the
/// board is looked at again.
#[utoipa::path(post, path = "/api/boards/{id}/position", tag = "boards",
    responses((status = 204), (status = 202)))]
pub(super) async fn position(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(Standing { fen }): Json<Standing>,
) -> Result<StatusCode, Refused> {
    let board = board(&app, id)?;
    position_from_fen(&fen).map_err(unprocessable)?;
    let who = session.user.name;
    answered(board.tell(Command::Position { who, fen })).await
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LastMove {
    /// UCI, as `e2e4` or `e7e8q`.
    uci: String,
}

/// Says what the last move was. 202 when that will be done as soon as the board is looked at again.
#[utoipa::path(post, path = "/api/boards/{id}/last-move", tag = "boards",
    responses((status = 204), (status = 202)))]
pub(super) async fn last_move(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(LastMove { uci }): Json<LastMove>,
) -> Result<StatusCode, Refused> {
    let board = board(&app, id)?;
    let uci: UciMove = uci
        .parse()
        .map_err(|_| unprocessable("a move is written as e2e4 or e7e8q"))?;
    let who = session.user.name;
    answered(board.tell(Command::LastMove { who, uci })).await
}

/// A move in both notations.
#[derive(Serialize, ToSchema)]
pub(super) struct Written {
    uci: String,
    san: String,
}

/// The game that is on, and what its last move could have been.
#[derive(Serialize, ToSchema)]
pub(super) struct Present {
    #[serde(flatten)]
    game: Game,
    /// What the last move could have been instead.
    alternatives: Vec<Written>,
}

/// The game that is on, and what its last move could have been.
#[utoipa::path(get, path = "/api/boards/{id}/game", tag = "boards", responses((status = 200, body = Present)))]
pub(super) async fn game(
    State(app): AppState,
    Path(id): Path<i64>,
) -> Result<Json<Present>, Refused> {
    board(&app, id)?;
    let game = app.ask(move |store| store.open_game(id)).await?;
    let game = game.ok_or_else(|| Refused::missing("game on this board"))?;
    Ok(Json(Present {
        alternatives: alternatives(&game).unwrap_or_default(),
        game,
    }))
}

/// The legal moves in the place of the last one.
fn alternatives(game: &Game) -> Option<Vec<Written>> {
    if game.told_fen.is_some() {
        return None;
    }
    let before = match game.moves.split_last()? {
        (_, [.., earlier]) => &earlier.fen,
        _ => &game.start_fen,
    };
    let before = position_from_fen(before).ok()?;
    let written = |m: &shakmaty::Move| Written {
        uci: crate::events::uci(m),
        san: SanPlus::from_move(before.clone(), *m).to_string(),
    };
    Some(before.legal_moves().iter().map(written).collect())
}

/// What hands did in a game, turn by turn.
#[utoipa::path(get, path = "/api/games/{id}/contacts", tag = "incidents",
    responses((status = 200, body = Vec<StoredContact>)))]
pub(super) async fn contacts(
    State(app): AppState,
    Path(id): Path<i64>,
) -> Result<Json<Vec<StoredContact>>, Refused> {
    Ok(Json(app.ask(move |store| store.contacts(id)).await?))
}

/// Says who plays on a board: the game that is on, else the next one.
#[utoipa::path(post, path = "/api/boards/{id}/players", tag = "boards", responses((status = 200, body = Named)))]
pub(super) async fn players(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(players): Json<Players>,
) -> Result<Json<Named>, Refused> {
    board(&app, id)?;
    let players = players.checked().map_err(unprocessable)?;
    let named = name(&app, vec![(id, players)], Which::Present, session).await?;
    let named = named.first().copied();
    named.map(Json).ok_or_else(|| Refused::missing("board"))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// A table as CSV, or a PGN.
    text: String,
}

/// What became of a file of pairings.
#[derive(Serialize, ToSchema)]
pub(super) struct Paired {
    /// Names of the boards whose players are known now.
    boards: Vec<String>,
    /// Rows of boards that this station does not watch.
    others: usize,
}

/// Says who plays the next games, from a file.
#[utoipa::path(post, path = "/api/pairings", tag = "boards", responses((status = 200, body = Paired)))]
pub(super) async fn pair(
    State(app): AppState,
    Extension(session): Extension<Session>,
    Json(File { text }): Json<File>,
) -> Result<Json<Paired>, Refused> {
    let rows = pairings::read(&text).map_err(unprocessable)?;
    let known: Vec<(i64, String)> = app
        .common
        .hub
        .boards()
        .iter()
        .map(|b| b.snapshot())
        .filter(|s| session.user.boards.include(s.id))
        .map(|s| (s.id, s.name))
        .collect();
    let mut named: Vec<(i64, Players)> = Vec::new();
    let mut boards: Vec<String> = Vec::new();
    for row in &rows {
        let is = |(_, name): &&(i64, String)| pairings::is_board(&row.board, name);
        if let Some((id, name)) = known.iter().find(is) {
            named.push((*id, row.players.clone()));
            boards.push(name.clone());
        }
    }
    if named.is_empty() {
        let names: Vec<&str> = known.iter().map(|k| k.1.as_str()).collect();
        let why = "no row is of a board of this station that you see, which are";
        return Err(unprocessable(format!("{why}: {}", names.join(", "))));
    }
    let others = rows.len() - named.len();
    name(&app, named, Which::Next, session).await?;
    Ok(Json(Paired { boards, others }))
}

/// Stores names, and shows them.
async fn name(
    app: &App,
    pairings: Vec<(i64, Players)>,
    which: Which,
    session: Session,
) -> Result<Vec<Named>, Refused> {
    let who = session.user.name;
    let all = pairings.clone();
    let named = app
        .ask(move |store| store.name_players(&all, which, &who))
        .await?;
    for ((id, players), named) in pairings.into_iter().zip(&named) {
        let Some(board) = app.common.hub.board(id) else {
            continue;
        };
        app.common.hub.update(&board, |snapshot| match named {
            Named::Present => snapshot.players = players,
            Named::Next => snapshot.next = Some(players),
        });
    }
    Ok(named)
}
