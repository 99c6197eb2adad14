//! Each route against each role, by the table in `tests/data/station_routes.txt`; the description of
//! the API against the routes.

use std::collections::BTreeSet;

use utoipa::openapi::{RefOr, path::Parameter};

use super::*;
use crate::station::web::{access::Access, openapi, page::Files};

const TABLE: &str = include_str!("../../../../tests/data/station_routes.txt");
/// Who asks, in the order of the table's columns.
const WHO: [&str; 7] = [
    "nobody",
    "key",
    "viewer",
    "reviewer",
    "arbiter",
    "other",
    "administrator",
];

/// A row of the table: what each of [`WHO`] gets.
struct Row {
    method: Method,
    path: &'static str,
    answers: Vec<&'static str>,
}

fn table() -> Vec<Row> {
    let rows = TABLE.lines().filter(|l| !l.starts_with('#'));
    rows.map(|line| {
        let mut words = line.split_whitespace();
        Row {
            method: words.next().unwrap().parse().unwrap(),
            path: words.next().unwrap(),
            answers: words.collect(),
        }
    })
    .collect()
}

/// The name of a parameter that stands where it is used.
fn name(parameter: &RefOr<Parameter>) -> Option<&str> {
    match parameter {
        RefOr::T(parameter) => Some(&parameter.name),
        RefOr::Ref(_) => None,
    }
}

/// The routes of something, in order.
fn names<'a>(routes: impl Iterator<Item = (&'a Method, &'a str)>) -> BTreeSet<String> {
    routes.map(|(m, p)| format!("{m} {p}")).collect()
}

/// A path that leads to something.
fn real(path: &str) -> String {
    let asset = Files::iter().find(|f| f.starts_with("assets/")).unwrap();
    path.replace("{name}", asset.trim_start_matches("assets/"))
        .replace("{id}", "1")
        .replace("{number}", "0")
        .replace("{kind}", "touch_move")
}

/// Asks as one of [`WHO`], from another machine.
async fn ask_as(rig: &Rig, who: &str, method: &Method, path: &str) -> (StatusCode, String) {
    let cookie = (!matches!(who, "nobody" | "key")).then(|| rig.cookie(who));
    let mut asked = request(method.clone(), &real(path), cookie.as_deref(), None);
    if who == "key" {
        let name = random_hex::<4>().unwrap();
        let (_, token) = rig.app.common.store.make_key(&name, "anna").unwrap();
        let bearer = format!("Bearer {}", token.expose()).parse().unwrap();
        asked.headers_mut().insert(header::AUTHORIZATION, bearer);
    }
    let far = SocketAddr::from(([10, 0, 0, 7], 4321));
    asked.extensions_mut().insert(ConnectInfo(far));
    let (status, _, bytes) = rig.ask(asked).await;
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn a_route_without_a_row_in_the_table_fails_here() {
    let table = table();
    let rows = names(table.iter().map(|r| (&r.method, r.path)));
    assert_eq!(rows.len(), table.len(), "a row stands twice");
    let routes = names(ROUTES.iter().map(|(m, p, _)| (m, *p)));
    assert_eq!(routes.len(), ROUTES.len(), "a route stands twice");
    assert_eq!(
        rows, routes,
        "tests/data/station_routes.txt and access::ROUTES differ"
    );
    assert!(table.iter().all(|r| r.answers.len() == WHO.len()));
}

#[test]
fn the_description_has_every_route_and_no_other() {
    let document = openapi::document();
    let mut described = BTreeSet::new();
    for (path, mut item) in document.paths.paths {
        let methods = [
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ];
        for method in methods {
            if let Some(operation) = openapi::operation(&mut item, &method) {
                assert!(
                    operation.summary.is_some(),
                    "{method} {path} says nothing of itself"
                );
                let parameters = operation.parameters.iter().flatten();
                let named: BTreeSet<&str> = parameters.filter_map(name).collect();
                let parts = path.split('/').filter_map(|p| p.strip_prefix('{'));
                let wanted = match path.as_str() {
                    "/api/boards/{id}/clip" => &["from_ms", "to_ms"][..],
                    "/api/boards/{id}/still" => &["at_ms"],
                    "/api/events" => &["after"],
                    "/api/incidents/{id}" if method == Method::GET => &["lang"],
                    "/api/log" => &["after", "before"],
                    "/api/reviews/recording" => &["name", "start", "language"],
                    public if public.starts_with("/api/public/") => &["delay"],
                    _ => &[],
                };
                let wanted: BTreeSet<&str> = parts
                    .map(|p| p.trim_end_matches('}'))
                    .chain(wanted.iter().copied())
                    .collect();
                assert_eq!(named, wanted, "{method} {path}");
                described.insert(format!("{method} {path}"));
            }
        }
    }
    let routes = names(ROUTES.iter().map(|(m, p, _)| (m, *p)));
    assert_eq!(
        described, routes,
        "the router's routes and access::ROUTES differ"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_route_answers_only_those_it_is_for() {
    for (column, who) in WHO.into_iter().enumerate() {
        let rig = Rig::peopled();
        // The event stream does not end by itself.
        rig.stop.send(true).unwrap();
        for row in table() {
            let expected = row.answers[column];
            let (status, said) = ask_as(&rig, who, &row.method, row.path).await;
            let hidden = ["board", "incident", "game"]
                .iter()
                .any(|what| said.contains(&format!("there is no such {what}\"")));
            let got = match status {
                StatusCode::UNAUTHORIZED if who == "nobody" => "-",
                StatusCode::FORBIDDEN => "-",
                StatusCode::NOT_FOUND if hidden => ".",
                StatusCode::UNAUTHORIZED => panic!("{who} is not known: {said}"),
                status if status.is_server_error() => panic!("{who}: {said}"),
                _ => "+",
            };
            assert_eq!(
                got, expected,
                "{} {} by {who}: {status} {said}",
                row.method, row.path
            );
        }
    }
}

/// What must not reach somebody, whatever they read.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_leaks_through_any_route() {
    const MOVE: &[&str] = &["d2d4", "\"d4\"", "8/8/8/8"];
    const INCIDENT: &[&str] = &["So it was.", "b1c3", "JPEG of the board"];
    for who in WHO {
        let forbidden = match who {
            "nobody" | "key" | "other" => [MOVE, INCIDENT].concat(),
            "viewer" => INCIDENT.to_vec(),
            _ => continue,
        };
        let rig = Rig::peopled();
        rig.stop.send(true).unwrap();
        let read = |r: &&Row| r.method == Method::GET && !r.path.starts_with("/assets");
        for row in table().iter().filter(read) {
            let path = format!("{}?after=0", row.path);
            let (_, said) = ask_as(&rig, who, &row.method, &path).await;
            for secret in &forbidden {
                assert!(!said.contains(secret), "{} tells {who} {secret}", row.path);
            }
        }
    }
    // They are there for those who may.
    let rig = Rig::peopled();
    let (_, incident) = ask_as(&rig, "reviewer", &Method::GET, "/api/incidents/{id}").await;
    let (_, boards) = ask_as(&rig, "viewer", &Method::GET, "/api/boards").await;
    let (_, picture) = ask_as(&rig, "reviewer", &Method::GET, "/api/boards/{id}/picture").await;
    assert!(incident.contains("So it was.") && incident.contains("b1c3"));
    assert!(boards.contains("8/8/8/8") && picture.contains("JPEG of the board"));
}

#[test]
fn no_route_is_open_by_oversight() {
    let open = ROUTES.iter().filter(|r| r.2 == Access::Anyone);
    assert_eq!(open.count(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_in_the_address_opens_as_one_in_the_header() {
    let rig = &Rig::peopled();
    let (key, token) = rig.app.common.store.make_key("board feed", "anna").unwrap();
    let path = |token: &str, rest: &str| format!("/key/{token}{rest}");
    let get = |path: String| async move { rig.send(Method::GET, &path, None, None).await };
    let get = &get;
    let me = get(path(token.expose(), "/api/me")).await.1;
    assert_eq!(
        (&me["key"], &me["user"]),
        (&json!("board feed"), &Value::Null)
    );
    let refused = get(path(token.expose(), "/api/incidents?x=1")).await;
    assert_eq!(refused.0, StatusCode::FORBIDDEN);
    assert_eq!(
        get(path("wrong", "/api/me")).await.0,
        StatusCode::UNAUTHORIZED
    );
    for odd in ["/key/", "/key/x", "/key//key/x/api/me", "/key/%20/api/me"] {
        assert!(get(odd.to_owned()).await.0.is_client_error(), "{odd}");
    }
    assert!(key.id > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_way_that_a_route_does_not_have_names_those_it_has() {
    let rig = Rig::peopled();
    let asked = request(Method::PUT, "/api/users", None, None);
    let (status, headers, _) = rig.ask(asked).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(headers[header::ALLOW], "GET, POST");
}
