//! The page's files, built into the program (an unoptimised build reads them where they lie). `page/`
//! has their sources; `npm run build` there makes `page/dist`.

use axum::{
    extract::Path,
    http::header,
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::Refused;

#[derive(RustEmbed)]
#[folder = "page/dist"]
pub(super) struct Files;

pub(super) fn routes() -> OpenApiRouter<std::sync::Arc<super::App>> {
    OpenApiRouter::new()
        .routes(routes!(index))
        .routes(routes!(asset))
}

/// The page.
#[utoipa::path(get, path = "/", tag = "service",
    responses((status = 200, content_type = "text/html", body = String)))]
pub(super) async fn index() -> Result<Response, Refused> {
    file("index.html", "no-cache")
}

/// A file of the page. Names carry a hash of what is in them: they never change.
#[utoipa::path(get, path = "/assets/{name}", tag = "service",
    responses((status = 200, content((String = "text/javascript"), (String = "text/css")))))]
pub(super) async fn asset(Path(name): Path<String>) -> Result<Response, Refused> {
    file(
        &format!("assets/{name}"),
        "public, max-age=31536000, immutable",
    )
}

pub(super) fn file(path: &str, cache: &'static str) -> Result<Response, Refused> {
    let file = Files::get(path).ok_or_else(|| Refused::missing("file"))?;
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)];
    Ok((headers, file.data.into_owned()).into_response())
}
