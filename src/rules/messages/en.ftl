# English. Every message of the rules core; docs/rules.md tells how to add a language.

white = White
black = Black
and = and
none = none
moves-more = { $moves } and { $more } more

pawn = pawn
knight = knight
bishop = bishop
rook = rook
queen = queen
king = king

piece = { $owner ->
    [own] the own { $role ->
        [pawn] pawn
        [knight] knight
        [bishop] bishop
        [rook] rook
        [queen] queen
       *[king] king
    } on { $square }
    [enemy] the enemy { $role ->
        [pawn] pawn
        [knight] knight
        [bishop] bishop
        [rook] rook
        [queen] queen
       *[king] king
    } on { $square }
   *[gone] the piece from { $square }
}

by-article = { $article ->
    [none] { $fact }.
   *[other] { $fact }: Article { $article }.
}
ruled = { $article ->
    [none] { $rule }.
   *[other] Article { $article }: { $rule }.
}

# ---- what binds
touched-nothing = { $player } has touched nothing that binds.
touched = { $player } touched { $pieces }.
let-go = { $player } let go: what is left is { $moves }.
any-move = Any legal move may be played.
one-of-these = One of these must be played: { $moves }.
this-move = { $moves } must be played.

rule-own = it can be moved, so it must be moved
rule-enemy = it can be captured, so it must be captured
rule-both = pieces of both colours were touched: the own one takes the enemy one, or else the first that can be moved or captured binds
rule-castle-must = castling with that rook is legal, so it must be done
rule-castle-rook-first = the rook was touched before the king, so castling on that side is out
rule-castle-illegal = castling on that side is illegal, so the king makes another move
rule-nothing-movable = no touched piece can be moved or captured, so any move is free
rule-promotion-final = the new piece has touched its square, so the choice is final
rule-release = the move was made when the piece was released, so it stands
rule-release-capture = the piece was released on its square, so this capture stands
rule-release-castling = the king was released two squares away, so castling on that side must be finished
rule-release-promotion = the pawn has reached its square, so only that promotion is left
rule-free = nothing binds

# ---- what was broken
two-hands = { $player } used two hands for one move
both-hands = { $player } used both hands for one move
adjusted-no-notice = { $player } adjusted without saying so first
adjusted-piece-no-notice = { $player } adjusted a piece without saying so first
adjusted-out-of-turn = { $player } adjusted without having the move
adjusted-piece-out-of-turn = { $player } adjusted a piece without having the move
touched-out-of-turn = { $player } touched a piece without having the move
illegal-completed = { $player } completed an illegal move
clock-other-hand = { $player } pressed the clock with the hand that did not move
empty-press = { $player } pressed the clock without having moved
took-back = { $player } took a made move back
played = { $player } played { $played }
not-done = { $player } did not do what was due
instead-of = { $fact } instead of { $moves }
played-instead = { $player } played { $played } instead.
not-legal = { $played } is not legal

# ---- who may raise it
raise-both = The opponent may raise it until he touches a piece; the arbiter acts without being asked.
raise-opponent = Only the opponent may raise it, until he touches a piece.
raise-both-any-time = It can be raised at any time during the game; the arbiter acts without being asked.
raise-opponent-any-time = The opponent can raise it at any time during the game.
raise-until-reply = It can be raised until the opponent has made his next move.
raise-discretion = What follows is at the arbiter's discretion.
raise-lost = the opponent has touched a piece and can no longer raise it
raise-arbiter-after-touch = The opponent has lost the right to raise it; the arbiter may still act.
raise-upheld = It was raised in time.
raise-corrected = It was put right.
left-to-a-person = The events alone do not decide this: a person must.

# ---- verdicts
verdict-no-obligation = Nothing binds.
verdict-pending = Something binds, and no move is made yet.
verdict-ok = The move made was allowed.
verdict-violation = The touch-move rule was broken, and it can still be raised.
verdict-claim-lost = The Laws were broken, but the right to raise it is lost.
verdict-illegal-pending = An illegal move stands on the board; the clock was not pressed yet.
verdict-illegal-completed = An illegal move was completed.
verdict-irregularity = No breach of the touch-move rule; it is at the arbiter's discretion.
verdict-game-over = The move ended the game.
verdict-review = A person must decide.
