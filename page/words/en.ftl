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

invited-title = Welcome
invited-lead = Choose your password. The code works once.
invited-do = Set the password

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
out-of-step-what = These squares do not show what the moves say: { $squares }. Look at the board, and say under Put right what stands.
looking-what = The board is being looked for. Set up the start position and keep hands away; it takes some seconds.
sign-what = The kings stand in the centre, which says { $result }. If the game ended so, end it under Put right.
over-what = The recording was watched to its end. New game plays it again.
not-recording = Frames are not being kept: { $why }
short-disk = The disk will be full in about { $hours } hours: make room, or give footage less of it.
short-share = The space for this board's frames (footage_gib) does not hold a day of play: the oldest are deleted in about { $hours } hours.
new-game = New game
new-game-sure = Really? This ends the game that is being watched.
look-again = Look for the board again
no-moves = no move yet
picture-of = Live picture of { $board }

# ---- where a board lies
calibrate = Calibrate
calibrate-title = Where { $board } lies
calibrate-lead = Drag each corner to the outer corner of its square: a1 at White's left hand, h1 at White's right. By keyboard: Tab to a corner, arrow keys by one pixel, with Shift by ten.
corner = Corner { $name }
calibrate-save = Save
calibrate-snap = To the edges
calibrate-turn = Turn by a quarter
calibrate-reset = As it was
calibrate-forget = Let it be found by itself
calibrate-good = The grid lies on the board, nothing is doubtful.
calibrate-doubts = What is doubtful:
calibrate-saved = Saved. The board is watched from there on.
calibrate-forgotten = Forgotten. The board is looked for by itself.
calibrate-no-picture = No picture comes from this board yet.
calibrate-no-edges = No edges of squares are near the grid.

# ---- the queue
incidents = Incidents
next-title = What to do now
next-looking = Boards are being looked for. Each one that cannot be found says why, and what to do.
next-unseen = Not watched now: { $boards }. The board's card says why.
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
key-undo = take back what was done last
key-export = export the evidence
key-hold = hold the frames, let them go
key-close = close
key-language = language

# ---- contacts and corrections
piece-name = { $letter ->
    [P] pawn
    [N] knight
    [B] bishop
    [R] rook
    [Q] queen
   *[K] king
}
contact-label = { $player }, { $piece } { $square }: { $kind }
contact-label-to = { $player }, { $piece } { $square }: { $kind } to { $to }
contact-move = moved
contact-capture_removal = taken off
contact-touch = touched
contact-adjust = adjusted
contact-brush = brushed
contact-promotion_removal = pawn taken off
contact-promotion_placement = new piece
edge-touch = touch
edge-lift = lift
edge-place = place
edge-release = release
correction = What you know of the touch
announced = J'adoube was announced
accidental = The touch was accidental
said-announced = { $who }, { $time }: j'adoube was announced before this touch.
said-accidental = { $who }, { $time }: the touch was accidental.
closed-what = With what was said of the touch there was no breach.
nothing-left = With that there was no breach.
judged-again = The turn was judged again with that.
closed = no breach
key-correct = j'adoube was announced, the touch was accidental

# ---- putting a board right, players
fix = Put right…
fix-title = { $board }: put right by hand
fix-lead = What you say here stands. It is kept in the log with your name.
fix-players = Players of this game
round = Round
save = Save
fix-last = The last move
fix-instead = Read was { $move }; played was
fix-played = This was played
fix-position = What stands on the board
fix-turn = To move
fix-fen = The same as FEN
fix-stands = This stands: go on from here
fix-begin = Begin a new game from here
fix-end = End of the game
result = Result
result-open = not known
fix-end-do = End this game
fix-done = Done.
fix-later = It will be done as soon as the board is looked at again.
fix-ended = The game is over. The next one begins when the start position stands.
fix-begun = The new game begins when this position is seen on the board.
next-pairing = next: { $pairing }
pairings = Pairings from a file…
pairings-done = Players are known for: { $boards }.

# ---- boards that are added
no-boards = No board is watched yet. An administrator adds them.
no-boards-add = No board is watched yet. Add one: give it a name, and the camera that sees it.
next-none = There is no board yet: the first thing to do is to add one.
add-board = Add a board…
add-board-do = Add it
board-name = Name
board-name-example = Board 1
board-source = Camera or recording
board-source-hint = A camera as /dev/video0, an rtsp:// address, a video file on the station's computer, or loop:FILE to play it again and again. An address with a password is kept in the station's database and shown to nobody.
board-start = FEN of where its games begin, if not at the start of chess
board-start-example = start of chess
board-trying = A picture is being fetched…
remove-board = Remove
remove-board-sure = Really stop watching { $board }? Its games and incidents are kept.
# ---- the administrator's page
admin-title = Administration
people = People
role = Role
role-viewer = viewer: positions and moves
role-reviewer = reviewer: also footage and incidents
role-arbiter = arbiter: also rules
role-administrator = administrator
role-of = Role of { $name }
boards-all = all boards
boards-none = no board
boards-of = Boards that { $name } sees
person-state = State
person-do = Do
person-add = Add
person-active = active
person-disabled = kept out
person-waits = chooses a password until { $time }
person-no-code = has no password
person-disable = Keep out
person-enable = Let in again
code-new = New password
code-sure = A new code for { $name }? The old password stops working, and open pages are closed.
code-lead = Give this to { $name }. It works once, within 36 hours, and is not shown again:
alerts = Alerts in use
alerts-lead = What the event declared before the round (FIDE Handbook C.12). What is found of a kind that is not in use is logged, and shown to nobody.
alerts-off = Not in use at this event: { $kinds }.
kind-touch_move = touch-move
kind-illegal_move = illegal move
kind-move_changed_after_release = move changed after release
kind-castling_rook_first = castling with the rook first
kind-two_hands = two hands for one move
kind-adjust_without_notice = adjusting without notice
kind-adjust_out_of_turn = adjusting without having the move
kind-touch_by_opponent = touching without having the move
kind-clock_other_hand = clock pressed with the other hand
log-placed = board calibrated by hand
log-place_forgotten = hand calibration forgotten
log-alert_switched = alert switched
sessions = Logged in
since = Since
address = From
browser = Browser
session-end = Log out
programs = Keys for broadcasts
programs-lead = With a key a program reads what is public, never younger than the broadcast's delay: no incident, no picture.
key-make = Make a key
key-lead = The key "{ $name }", for a program that sends it as a header, or that is given an address only. It is not shown again:
key-sure = Take the key "{ $name }" back? What reads with it is cut off.
key-revoke = Take back
log = Log
log-older = Older rows
log-number = No.
log-when = When
log-what = What
log-who = Who
log-told = Details
log-station = the station
log-login = logged in
log-logout = logged out
log-login_failed = login failed
log-footage = looked at footage
log-ruling = ruling
log-incident = incident
log-incident_withdrawn = incident withdrawn
log-evidence = frames kept
log-move = move
log-moves_revised = moves revised
log-game_begun = game begun
log-game_ended = game ended
log-gap = gap in the pictures
log-board = new board
log-started = station started
log-stopped = station stopped
log-database_moved_aside = damaged database moved aside
log-user_added = person added
log-user_changed = person changed
log-code_given = code given
log-password_set = password set
log-session_revoked = session ended by administrator
log-key_made = key made
log-key_revoked = key taken back
log-board_added = board added on the page
log-board_removed = board no longer watched
log-players = players named
log-position_set = position put right
log-move_corrected = last move put right
log-contacts = touches
log-announcement = announcement noted by hand
log-correction = touch corrected
log-judgement = incident judged again
log-picture = camera's picture changed
log-export = evidence exported
log-still = single frame handed out
log-held = frames held
log-let_go = frames let go
log-evidence_freed = frames of an incident deleted
log-footage_freed = footage deleted

# ---- overlay
overlay-white = White
overlay-black = Black
overlay-round = round { $round }
overlay-stale = No connection since { $time }: what you see is old.

# ---- reviews of recordings
reviews-title = Recordings
reviews-lead = Recordings of games are reviewed here one after the other; live boards go first. The report, the games and more can be had when one is done.
review-file = A recording from this computer
review-recording = or one from the station's folder
review-start = First position (FEN), if not the start of chess
review-do = Review
review-which = choose a recording first
review-sending = sending
review-none = No recording has been reviewed yet.
review-name = Recording
review-state = State
review-results = Results
review-waiting = waits
review-running = is being reviewed
review-done = done
review-failed = failed
review-report = Report
review-remove-sure = Really delete the review of { $name } and its results?
