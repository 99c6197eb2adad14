# English. What the page says; what the Laws say comes from the rules' own catalogues.

language = Deutsch
log-out = Log out ({ $name })
keys = Keys
close = Close
connected = Connected
cut-off = Connection to the station lost: what you see is old. Trying again.
failed = That did not work: { $why }

# ---- coming in
claim-title = Welcome. This station is new.
claim-lead = Choose the name and password of its administrator. The code was printed where the station was started.
login-title = Log in
code = Code
name = Name
password = Password
password-hint = at least 10 characters: three words will do
claim-do = Make the administrator
login-do = Log in

# ---- the wall
boards = Boards
state-starting = starting
state-looking = looking for the board
state-playing = playing
state-hand = hand over the board
state-out_of_step = out of step
state-not_seen = board not seen
state-camera_lost = camera lost
state-over = recording is over
state-failed = failed
out-of-step-what = These squares do not show what the moves say: { $squares }. Look at the board; if the game goes on, begin it anew from the start position.
looking-what = The board is being looked for. Set up the start position and keep hands away; it takes some seconds.
not-recording = Frames are not being kept: { $why }
short-disk = The disk will be full in about { $hours } hours: make room, or give footage less of it.
short-share = The space for this board's frames (footage_gib) does not hold a day of play: the oldest are deleted in about { $hours } hours.
new-game = New game
new-game-sure = Really? This ends the game that is being watched.
look-again = Look for the board again
no-moves = no move yet
picture-of = Live picture of { $board }

# ---- the queue
incidents = Incidents
next-title = What to do now
next-looking = Boards are being looked for. Each one that cannot be found says why, and what to do.
next-wait = Everything is watched. When something happens it appears here, without a sound. Nothing is decided by the program: you rule.
next-open = Choose an incident with the arrow keys and open it with Enter.
viewer-note = You see positions and moves. Incidents and footage are for arbiters.
to-rule = { $count ->
    [0] nothing to rule on
    [one] 1 to rule on
   *[other] { $count } to rule on
}
sure = { $percent } %
severity-alert = alert
severity-review = please look
withdrawn = withdrawn: the move turned out to be another one
new-alert = New: { $sentence }

White = White
Black = Black
piece = { $letter ->
    [P] pawn
    [N] knight
    [B] bishop
    [R] rook
    [Q] queen
   *[K] king
}
the-piece = the { $piece } on { $square }
some-piece = a piece
what-touch_move = { $player } touched { $what } and played { $played }.
what-illegal_move = { $player } played { $played }, which is not legal.
what-two_hands = { $player } used two hands to play { $played }.
what-move_changed_after_release = { $player } let go of a move and then played { $played }.
what-castling_rook_first = { $player } touched the rook first and castled.
what-adjust_without_notice = { $player } adjusted { $what }; whether it was announced is not known.
what-adjust_out_of_turn = { $player } adjusted { $what } while the opponent had the move.
what-touch_by_opponent = { $player } touched { $what } while the opponent had the move.
what-other = { $player }: { $kind }, { $played }.

# ---- an incident
back = Back to the boards
article = Article { $article }
how-sure = Seen as { $percent } % sure
allowed = Allowed were
allowed-none = Nothing particular was due.
played = Played
why = Why
frame-of = Frame { $number } of { $count }, { $offset } s
no-frames = No frames are kept of this.
mark-touch = touch
mark-release = release
mark-breach = move made
moved-on = the move
ruling = Ruling
note = Note
upheld = Upheld
dismissed = Dismissed
unclear = Unclear
undo = Take back
ruled = { $ruling } by { $who } at { $time }
not-ruled = Not ruled on yet.
play = Play
pause = Pause
zoom = Zoom
timeline = Contact and move in time
evidence = Evidence
held = These frames are held: they stay until you let them go.
not-held = These frames are deleted when the appeal period is over.
frames-freed = The frames were deleted: their time was over.
hold = Hold
let-go = Let go
export = Export
export-what = Clip, stills, explanation and rulings in one signed archive; adoube verify checks it. The station's public key:

# ---- keys
key-queue = choose an incident
key-open = open it
key-step = one frame back, forward
key-ends = first, last frame
key-jump = to the touch, the release, the move
key-play = play in a loop, pause
key-zoom = zoom in, out
key-rule = upheld, dismissed, unclear
key-note = write a note first; Enter ends it
key-undo = take the ruling back
key-export = export the evidence
key-hold = hold the frames, let them go
key-close = close
key-language = language
