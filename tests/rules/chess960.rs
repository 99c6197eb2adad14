//! Castling in Chess960: written as the king's move onto its rook, bound by the same clauses.

use adoube::rules::{Edition, adjudicate, parse_fen, parse_script};

#[test]
fn castling_binds_as_in_standard_chess() {
    let far = "1r2k1r1/1p4p1/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
    // The king can simply step to its castled square.
    let near = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    // The rook stands on its castled square already.
    let rook_placed = "4k3/8/8/8/8/8/8/4KR2 w F - 0 1";
    // The king stands on its castled square already.
    let king_placed = "4k3/8/8/8/8/8/8/6KR w H - 0 1";
    // The rook cannot move, castling is legal.
    let rook_shut_in = "4k3/8/8/8/8/8/7P/6KR w H - 0 1";
    let cases = [
        (
            rook_shut_in,
            "touch w h1; touch w g1; ?; move w g1h1",
            "g1f1 g1f2 g1g2",
            "violation",
            "4.4.2",
        ),
        // What is touched later does not give castling back.
        (
            rook_shut_in,
            "touch w h1; touch w g1; touch w e8; ?; move w g1h1",
            "g1f1 g1f2 g1g2",
            "violation",
            "4.4.2",
        ),
        (
            far,
            "touch w e1; touch w g1; ?; move w e1g1",
            "e1g1",
            "ok",
            "4.4.1",
        ),
        (
            far,
            "touch w e1; touch w g1; ?; move w e1f1",
            "e1g1",
            "violation",
            "4.4.1",
        ),
        (
            far,
            "touch w e1; touch w b1; ?; move w e1b1",
            "e1b1",
            "ok",
            "4.4.1",
        ),
        (
            far,
            "touch w g1; touch w e1; ?; move w e1g1",
            "*",
            "violation",
            "4.4.2",
        ),
        (
            far,
            "lift w e1; lift w g1; ?; release w g1; release w f1",
            "e1g1",
            "ok",
            "4.4.1",
        ),
        (near, "lift w f1; release w g1; ?", "*", "ok", "4.7"),
        (
            near,
            "touch w f1; touch w h1; ?; move w f1g1",
            "f1h1",
            "violation",
            "4.4.1",
        ),
        (
            near,
            "lift w f1; lift w h1; release w g1; ?; release w f1",
            "f1h1",
            "ok",
            "4.7.2",
        ),
        (
            rook_placed,
            "touch w e1; touch w f1; ?; move w e1f1",
            "e1f1",
            "ok",
            "4.4.1",
        ),
        (rook_placed, "lift w e1; release w g1; ?", "*", "ok", "4.7"),
        (
            king_placed,
            "touch w g1; lift w h1; ?; release w f1",
            "g1h1",
            "ok",
            "4.4.1",
        ),
        (
            king_placed,
            "lift w h1; ?; release w f1",
            "*",
            "illegal_pending",
            "4.3.1",
        ),
    ];
    for (fen, events, moves, verdict, article) in cases {
        let steps = parse_script(events).unwrap();
        let ruling = adjudicate(parse_fen(fen).unwrap(), Edition::Fide2023, &steps, false).unwrap();
        let found: Vec<String> = ruling
            .obligation
            .moves
            .iter()
            .map(ToString::to_string)
            .collect();
        if moves != "*" {
            assert_eq!(found.join(" "), moves, "{events}");
        }
        assert_eq!(ruling.verdict.as_str(), verdict, "{events}: {ruling:?}");
        assert_eq!(ruling.articles.first(), Some(&article), "{events}");
    }
}
