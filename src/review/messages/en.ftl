# English. Every text of the review: report, chapters, markers, captions, the summary of a batch. The
# program suggests; it never calls anyone guilty. Names of pieces and players are those of the rules.

# ---- the page
page-title = Review of { $name } – Adoube
brand = touch-move review
suggests = The program suggests, the arbiter decides.
long = { $time } long
laws = Laws: { $laws }
to-know = { $n ->
    [one] { $n } thing to know.
   *[other] { $n } things to know.
}
game = The game
game-help = Step with the arrow keys or click a move. A ring marks a piece that was touched and left.
board = Board
board-after = Board after
start-position = Start position
start = Start
back = Back
forward = Forward
end = End
turn-board = Turn the board
close = Close
of-photos = of
photo-keys = arrow keys for the others
not-seen-moves = { $n ->
    [one] The first move was played before the recording begins: it is the PGN’s, and nobody saw it.
   *[other] The first { $n } moves were played before the recording begins: they are the PGN’s, and nobody saw them.
}
incident-number = Incident { $n }

# ---- compared with the PGN
comparison = Compared with the PGN
same-moves = The moves found are those of the PGN.
difference-other = { $at }: { $found } was found, the PGN has { $pgn }
difference-extra = { $at }: { $found } was found, the PGN does not have it
difference-missing = after { $at }: { $pgn } of the PGN was not found
difference-missing-row = after { $at }: { $pgn } to { $end } of the PGN ({ $n } moves) were not found
verdict-found = the board afterwards shows what was found: the PGN should be corrected
verdict-pgn = the board afterwards shows what the PGN says: it was misread here
verdict-open = the board afterwards does not tell which is right
dates-title = When each move of the PGN was made
dates-move = Move
dates-at = At
dates-took = Took
dates-seen = Seen
dates-yes = yes
dates-other = as { $found }
dates-no = no

# ---- time
time = Contacts in time
time-help = Each bar is a hand on a piece, from touch to release; its solid part is the piece in the air, from lift to place. Paler bars are less sure. Quiet stretches are shortened.
point = Point at a bar to read about it. Zoom with the buttons, or with Ctrl and the wheel.
zoom-in = Zoom in
zoom-out = Zoom out
fit = Fit
whole = The whole recording

# ---- incidents
incidents = Incidents
no-incident = No incident was found.
logged = Unlikely findings, kept for the log
at-article = At { $at }, Article { $article } ({ $laws }).
why = Why
see-move = See the move
find-contact = Find the contact in time
enlarge = Enlarge: { $caption }, { $at }
the-board = The board { $caption }, at { $at }
open = open
played-word = played
before-move = The position before the move
moves-open = The moves that were open
ruling = Ruling: ☐ upheld ☐ dismissed ☐ unclear  Arbiter: ______________________
caption-before = before
caption-touch = the touch
caption-after = after
caption-complete = when it was complete
clip = Watch the clip
heard-before = “{ $phrase }” was heard at { $at } ({ $sure }), { $ahead } ms before the touch.
heard-late = “{ $phrase }” was heard at { $at } ({ $sure }), { $ahead } ms after the touch: too late.
heard-nothing = No announcement was heard.

severity = { $severity ->
    [alert] Alert
    [review] Please look
   *[log] Log
}
sureness = { $level ->
    [certain] almost certain
    [very] very likely
    [likely] likely
    [either] could be either
    [doubtful] doubtful
   *[unlikely] unlikely
}
incident-kind = { $kind ->
    [touch_move] Touch-move
    [illegal_move] Illegal move
    [two_hands] Two hands
    [move_changed_after_release] Move changed after release
    [castling_rook_first] Castling, rook first
    [adjust_without_notice] Adjusting without notice
    [adjust_out_of_turn] Adjusting out of turn
    [touch_by_opponent] Touch without having the move
   *[other] { $name }
}
rule-of = { $kind ->
    [touch_move] Whoever has the move and touches a piece meaning to move or capture it must do so, if there is a legal move for it.
    [illegal_move] Only legal moves may be left on the board.
    [two_hands] Each move must be made with one hand only.
    [move_changed_after_release] A piece let go on a square where its move is legal stays there for this move.
    [castling_rook_first] Who touches the rook before the king may not castle on that side with this move; the rook must move.
    [adjust_without_notice] Pieces may be put right only after saying so first.
    [adjust_out_of_turn] Only the player who has the move may put pieces right.
   *[touch_by_opponent] Who does not have the move leaves the pieces alone.
}
headline = { $kind ->
    [touch_move] { $player } touched { $thing } and played { $played }
    [two_hands] { $player } used both hands
    [move_changed_after_release] { $player } let go of { $thing }, then changed the move to { $played }
    [castling_rook_first] { $player } touched { $thing } first and played { $played }
    [adjust_without_notice] { $player } adjusted { $thing }; no notice is known
    [adjust_out_of_turn] { $player } adjusted { $thing } without having the move
    [touch_by_opponent] { $player } touched { $thing } without having the move
    [illegal_move] { $player } played { $played }, which is not legal
   *[other] { $player }: { $name }
}
another-move = another move
a-piece = a piece
piece-word = piece
thing = { $role ->
    [pawn] the pawn on { $square }
    [knight] the knight on { $square }
    [bishop] the bishop on { $square }
    [rook] the rook on { $square }
    [queen] the queen on { $square }
    [king] the king on { $square }
   *[piece] the piece on { $square }
}
thing-beside = { $role ->
    [pawn] a pawn beside the board
    [knight] a knight beside the board
    [bishop] a bishop beside the board
    [rook] a rook beside the board
    [queen] a queen beside the board
    [king] a king beside the board
   *[piece] a piece beside the board
}

# ---- contacts
contacts = All contacts
no-contact = No contact was found.
contact-kind = { $kind ->
    [move] moved
    [capture_removal] captured, taken off
    [touch] touched and left
    [adjust] adjusted
    [brush] brushed
    [promotion_removal] promoting pawn taken off
   *[promotion_placement] new piece put on
}
contact-at = { $piece } on { $square }
contact-beside = { $piece } beside the board
hand-of = { $player ->
    [white] White’s
   *[black] Black’s
} { $hand ->
    [left] left hand
    [right] right hand
   *[unknown] hand
}
contact-to = { " " }to { $square }
contact-on = { " " }on { $square }
contact-sentence = { $hand }: { $piece }, { $kind }{ $way }. Touch { $touch }
contact-lift = , lift { $at }
contact-place = , place { $at }
contact-release = , release { $at }
off = off
show = Show
filter-all = All
filter-white = White
filter-black = Black
filter-left = Not moved
filter-unsure = Unsure
column-player = Player
column-piece = Piece
column-what = What
column-touch = Touch
column-lift = Lift
column-place = Place
column-release = Release
column-sure = Sure

# ---- good to know
doubts = Good to know
deaf = Nobody listened: whether an adjustment was announced is not known.
listened = { $n ->
    [one] The program listened and heard { $n } announcement.
   *[other] The program listened and heard { $n } announcements.
} It may miss a whisper, and who spoke is not known to it.
how-made = How this report was made
how-facts = Adoube { $version }, { $frames } frames of { $width } by { $height } pixels at { $speed } frames a second.

# ---- notes: the English text is what the program writes into result.json; other languages are found by it
grade-poor = poor
grade-bad = bad
note-advice-margin = Camera placement, margin ({ $grade }): { $value } squares between the board and the picture's edge, at least { $limit } are wanted: move the camera back or turn it so that the whole board and the hands that come to it are in view.
note-advice-square = Camera placement, square ({ $grade }): { $value } pixels across the smallest square, at least { $limit } are wanted: bring the camera nearer, raise it, or film in a higher resolution.
note-advice-blur = Camera placement, blur ({ $grade }): { $value } of a square's width for the edge between two, at most { $limit } are wanted: focus the camera on the board, clean its lens, and keep it still.
note-advice-glare = Camera placement, glare ({ $grade }): { $value } of the board burnt out to white, at most { $limit } are wanted: move the lamp or the camera so that no light mirrors in the board, or lower the exposure.
note-advice-light = Camera placement, light ({ $grade }): { $value } of 255 grey levels on light squares, at least { $limit } are wanted: turn on a light or raise the exposure.
note-advice-contrast = Camera placement, contrast ({ $grade }): { $value } grey levels between light and dark squares, at least { $limit } are wanted: add light, take away glare, or use a board with more contrast.
note-advice-angle = Camera placement, angle ({ $grade }): { $value } degrees above the board, at least { $limit } are wanted: raise the camera to 30 to 60 degrees above the board, so that pieces do not hide each other.
note-advice-hidden = Camera placement, hidden ({ $grade }): { $value } squares hidden or unlike their colour, at most { $limit } are wanted: clear what lies on or before the board, and keep hands and heads away while calibrating.
note-lens = The camera's lens distorts straight lines (k1 = { $k }); this was taken into account.
note-moved = At { $at } s the camera or the board was moved, by { $shift } pixels; it was followed at once.
note-moved-found = At { $at } s the camera or the board was moved, by { $shift } pixels; it was found again after { $took } s.
note-hidden = From { $from } to { $to } s the board could not be seen; no move was read meanwhile.
note-lost = The board was lost at { $at } s and not found again: nothing is read from then on. Put the camera back, or review the rest with --corners.
note-end = At the end these squares do not show what the moves say: { $squares }.
note-promotion = At { $at } s it is unclear which piece the pawn on { $square } became ({ $chances }): a person should look.
note-taken-back = At { $at } s the move { $san } was taken back that had been made at { $made } s.
note-gap-open = Since { $since } s the board does not show what the moves say, and nothing explains it: { $squares }. A person should look.
note-gap-put-right = From { $from } s to { $to } s the board did not show what the moves say ({ $squares }); then it was put right.
note-gap-inferred = From { $from } s to { $to } s the board did not show what the moves say ({ $squares }); then the moves in between were inferred, unseen, from the two positions: a person should look.
note-gap-taken-back = From { $from } s to { $to } s the board did not show what the moves say ({ $squares }); then moves were taken back.
note-gap-set-up = From { $from } s to { $to } s the board did not show what the moves say ({ $squares }); then the position from which the game began was set up again; what came after is not read.
note-gap-result = From { $from } s to { $to } s the board did not show what the moves say ({ $squares }); then the kings showed the result.
note-white-won = At { $at } s the kings were put on { $white } and { $black }, which by the convention of electronic boards says: White won. To be confirmed.
note-black-won = At { $at } s the kings were put on { $white } and { $black }, which by the convention of electronic boards says: Black won. To be confirmed.
note-draw = At { $at } s the kings were put on { $white } and { $black }, which by the convention of electronic boards says: a draw. To be confirmed.
note-cut-off = The recording breaks off; what could be read was kept.
note-no-sound = There was no sound at all.
note-silent = The sound is silent: is the microphone muted, or its cable loose?
note-clipped = The sound is clipped in { $share } % of its samples: turn the microphone down.
note-sound-parts = Nobody listened: of a recording in several files, the sound is heard only where it is given as one file with --sound.
doubt-contrast = light and dark squares differ by only { $levels } grey levels: more light helps
doubt-blurred = the squares' edges are blurred over { $px } pixels: focus the camera, clean its lens or keep it still
doubt-small = the farthest squares are only { $px } pixels wide: bring the camera nearer or film in a higher resolution
doubt-obstructed = parts of the board are hidden or glare: clear the board's edges or move the lamp
doubt-direction = it is not certain which side is White's: check the picture, or give the corners with --corners
doubt-edge = the board reaches to { $px } pixels from the picture's edge: hands may be cut off
note-part = { $file } begins at { $at }.

# ---- counts
moves = { $n ->
    [one] { $n } move
   *[other] { $n } moves
}
contact-count = { $n ->
    [one] { $n } contact
   *[other] { $n } contacts
}
incident-count = { $n ->
    [0] no incident
    [one] { $n } incident
   *[other] { $n } incidents
}
summary = { $moves }, { $incidents }.
summary-one = { $moves }, { $incidents }: { $headline }.
round = round { $round }
seconds = { $n } s
minutes = { $n } min
hours = { $h } h { $m } min

# ---- chapters, markers, captions
chapter-start = Before the first move
marker-move = Move { $name }
caption-start = start position

# ---- a batch
batch-title = Review of { $n ->
    [one] { $n } game
   *[other] { $n } games
}
batch-name = Game
batch-result = Result
batch-moves = Moves
batch-incidents = Incidents
batch-state = State
batch-look = Please look
batch-fine = nothing to look at
batch-failed = failed: { $why }
batch-waiting = not reviewed yet
batch-lead = { $look ->
    [0] No game needs a person.
    [one] { $look } game needs a person.
   *[other] { $look } games need a person.
}
batch-failures = { $n ->
    [one] { $n } could not be reviewed.
   *[other] { $n } could not be reviewed.
}
hall-board = Board { $name }
hall-left-out = A board around { $x }, { $y } (pixels) was left out: { $why }.
hall-fewer = { $n ->
    [one] { $n } board less was found than was asked for.
   *[other] { $n } boards less were found than were asked for.
}
need-incidents = { $n ->
    [one] { $n } incident
   *[other] { $n } incidents
}
need-differences = { $n ->
    [one] { $n } difference from the PGN
   *[other] { $n } differences from the PGN
}
need-out-of-step = the board did not always show the game
need-inferred = { $n ->
    [one] { $n } move that nobody saw
   *[other] { $n } moves that nobody saw
}
need-result = how it ended is to be confirmed
need-cut-off = the recording breaks off
