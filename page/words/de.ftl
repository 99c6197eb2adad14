# Deutsch. Was die Seite sagt; was die Regeln sagen, kommt aus deren eigenen Katalogen.

language = English
log-out = Abmelden ({ $name })
keys = Tasten
close = Schließen
connected = Verbunden
cut-off = Die Verbindung zur Station ist unterbrochen: was hier steht, ist alt. Neuer Versuch läuft.
failed = Das ging nicht: { $why }

# ---- Anmeldung
claim-title = Willkommen. Diese Station ist neu.
claim-lead = Wähle Name und Kennwort der Verwaltung. Der Code steht dort, wo die Station gestartet wurde.
login-title = Anmelden
code = Code
name = Name
password = Kennwort
password-hint = mindestens 10 Zeichen: drei Wörter genügen
claim-do = Verwaltung anlegen
login-do = Anmelden

invited-title = Willkommen
invited-lead = Wähle dein Kennwort. Der Code gilt einmal.
invited-do = Kennwort setzen

# ---- Bretter
boards = Bretter
state-starting = startet
state-looking = sucht das Brett
state-playing = Partie läuft
state-hand = Hand über dem Brett
state-out_of_step = außer Tritt
state-not_seen = Brett nicht zu sehen
state-camera_lost = Kamera ausgefallen
state-over = Aufnahme zu Ende
state-failed = fehlgeschlagen
out-of-step-what = Diese Felder zeigen nicht, was die Züge sagen: { $squares }. Sieh nach dem Brett und sage unter Berichtigen, was steht.
looking-what = Das Brett wird gesucht. Stelle die Grundstellung auf und halte Hände fern; es dauert einige Sekunden.
sign-what = Die Könige stehen in der Mitte, das heißt { $result }. Ist die Partie so zu Ende, beende sie unter Berichtigen.
over-what = Die Aufnahme wurde bis zu ihrem Ende gesehen. Neue Partie spielt sie noch einmal.
not-recording = Bilder werden nicht aufbewahrt: { $why }
short-disk = Die Platte ist in etwa { $hours } Stunden voll: schaffe Platz oder gib den Aufnahmen weniger davon.
short-share = Der Platz für die Bilder dieses Bretts (footage_gib) reicht nicht für einen Spieltag: die ältesten werden in etwa { $hours } Stunden gelöscht.
new-game = Neue Partie
new-game-sure = Wirklich? Das beendet die laufende Partie.
look-again = Brett neu suchen
no-moves = noch kein Zug
picture-of = Livebild von { $board }

# ---- wo ein Brett liegt
calibrate = Kalibrieren
calibrate-title = Wo { $board } liegt
calibrate-lead = Ziehe jede Ecke auf die äußere Ecke ihres Feldes: a1 links von Weiß, h1 rechts von Weiß. Mit der Tastatur: mit Tab zu einer Ecke, Pfeiltasten um ein Pixel, mit Umschalt um zehn.
corner = Ecke { $name }
calibrate-save = Sichern
calibrate-snap = An die Kanten
calibrate-turn = Vierteldrehung
calibrate-reset = Wie es war
calibrate-forget = Von selbst suchen lassen
calibrate-good = Das Gitter liegt auf dem Brett, nichts ist zweifelhaft.
calibrate-doubts = Was zweifelhaft ist:
calibrate-saved = Gesichert. Das Brett wird von dort an beobachtet.
calibrate-forgotten = Vergessen. Das Brett wird von selbst gesucht.
calibrate-no-picture = Von diesem Brett kommt noch kein Bild.
calibrate-no-edges = Nahe dem Gitter sind keine Feldkanten zu sehen.

# ---- Vorfälle
incidents = Vorfälle
next-title = Was jetzt zu tun ist
next-looking = Bretter werden gesucht. Wo eines nicht zu finden ist, steht warum und was hilft.
next-unseen = Derzeit nicht beobachtet: { $boards }. Der Grund steht beim Brett.
next-wait = Alles wird beobachtet. Geschieht etwas, erscheint es hier, ohne einen Ton. Das Programm entscheidet nichts: du entscheidest.
next-open = Wähle einen Vorfall mit den Pfeiltasten und öffne ihn mit Enter.
viewer-note = Du siehst Stellungen und Züge. Vorfälle und Bilder sind für Schiedsrichter.
to-rule = { $count ->
    [0] nichts zu entscheiden
    [one] 1 zu entscheiden
   *[other] { $count } zu entscheiden
}
sure = { $percent } %
severity-alert = Alarm
severity-review = bitte ansehen
withdrawn = zurückgezogen: es war ein anderer Zug
new-alert = Neu: { $sentence }

White = Weiß
Black = Schwarz
piece = { $letter ->
    [P] den Bauern
    [N] den Springer
    [B] den Läufer
    [R] den Turm
    [Q] die Dame
   *[K] den König
}
the-piece = { $piece } auf { $square }
some-piece = eine Figur
what-touch_move = { $player } berührte { $what } und zog { $played }.
what-illegal_move = { $player } zog { $played }; das ist nicht regelgemäß.
what-two_hands = { $player } zog { $played } mit zwei Händen.
what-move_changed_after_release = { $player } ließ einen Zug los und zog dann { $played }.
what-castling_rook_first = { $player } berührte zuerst den Turm und rochierte.
what-adjust_without_notice = { $player } rückte { $what } zurecht; ob es angesagt wurde, ist nicht bekannt.
what-adjust_out_of_turn = { $player } rückte { $what } zurecht, als der Gegner am Zug war.
what-touch_by_opponent = { $player } berührte { $what }, als der Gegner am Zug war.
what-other = { $player }: { $kind }, { $played }.

# ---- ein Vorfall
back = Zurück zu den Brettern
article = Artikel { $article }
how-sure = Zu { $percent } % sicher gesehen
allowed = Erlaubt waren
allowed-none = Nichts Bestimmtes war geboten.
played = Gespielt
why = Warum
frame-of = Bild { $number } von { $count }, { $offset } s
no-frames = Hiervon sind keine Bilder aufbewahrt.
mark-touch = Berührung
mark-release = Loslassen
mark-breach = Zug gemacht
ruling = Entscheidung
note = Notiz
upheld = Bestätigt
dismissed = Verworfen
unclear = Unklar
undo = Zurücknehmen
ruled = { $ruling } durch { $who } um { $time }
not-ruled = Noch nicht entschieden.
play = Abspielen
pause = Anhalten
zoom = Vergrößern
timeline = Berührung und Zug in der Zeit
evidence = Beweis
held = Diese Bilder werden festgehalten: sie bleiben, bis du sie freigibst.
not-held = Diese Bilder werden gelöscht, wenn die Einspruchsfrist vorbei ist.
frames-freed = Die Bilder wurden gelöscht: ihre Zeit war um.
hold = Festhalten
let-go = Freigeben
export = Ausgeben
export-what = Clip, Einzelbilder, Erklärung und Entscheidungen in einem unterschriebenen Archiv; adoube verify prüft es. Der öffentliche Schlüssel der Station:

# ---- Tasten
key-queue = einen Vorfall wählen
key-open = ihn öffnen
key-step = ein Bild zurück, vor
key-ends = erstes, letztes Bild
key-jump = zur Berührung, zum Loslassen, zum Zug
key-play = in Schleife abspielen, anhalten
key-zoom = vergrößern, verkleinern
key-rule = bestätigt, verworfen, unklar
key-note = erst eine Notiz schreiben; Enter beendet sie
key-undo = zurücknehmen, was zuletzt geschah
key-export = Beweis ausgeben
key-hold = Bilder festhalten, freigeben
key-close = schließen
key-language = Sprache

# ---- Kontakte und Berichtigungen
piece-name = { $letter ->
    [P] Bauer
    [N] Springer
    [B] Läufer
    [R] Turm
    [Q] Dame
   *[K] König
}
contact-label = { $player }, { $piece } { $square }: { $kind }
contact-label-to = { $player }, { $piece } { $square }: { $kind } nach { $to }
contact-move = gezogen
contact-capture_removal = vom Brett genommen
contact-touch = berührt
contact-adjust = zurechtgerückt
contact-brush = gestreift
contact-promotion_removal = Bauer vom Brett genommen
contact-promotion_placement = neue Figur
edge-touch = berührt
edge-lift = angehoben
edge-place = aufgesetzt
edge-release = losgelassen
correction = Was du von der Berührung weißt
announced = J'adoube war angesagt
accidental = Die Berührung war ein Versehen
said-announced = { $who }, { $time }: Vor dieser Berührung war j'adoube angesagt.
said-accidental = { $who }, { $time }: Die Berührung war ein Versehen.
closed-what = Mit dem, was zur Berührung gesagt wurde, liegt kein Verstoß vor.
nothing-left = Damit liegt kein Verstoß vor.
judged-again = Der Zug wurde damit neu beurteilt.
closed = kein Verstoß
key-correct = j'adoube war angesagt, die Berührung war ein Versehen

# ---- ein Brett berichtigen, Spieler
fix = Berichtigen…
fix-title = { $board }: von Hand berichtigen
fix-lead = Was du hier sagst, gilt. Es wird mit deinem Namen im Protokoll aufbewahrt.
fix-players = Spieler dieser Partie
round = Runde
save = Speichern
fix-last = Der letzte Zug
fix-instead = Gelesen wurde { $move }; gespielt wurde
fix-played = Das wurde gespielt
fix-position = Was auf dem Brett steht
fix-turn = Am Zug
fix-fen = Dasselbe als FEN
fix-stands = Das steht da: von hier weiter
fix-begin = Hier eine neue Partie beginnen
fix-end = Ende der Partie
result = Ergebnis
result-open = unbekannt
fix-end-do = Diese Partie beenden
fix-done = Erledigt.
fix-later = Das geschieht, sobald das Brett wieder angesehen wird.
fix-ended = Die Partie ist zu Ende. Die nächste beginnt, wenn die Grundstellung steht.
fix-begun = Die neue Partie beginnt, wenn diese Stellung auf dem Brett zu sehen ist.
next-pairing = danach: { $pairing }
pairings = Paarungen aus einer Datei…
pairings-done = Die Spieler sind bekannt für: { $boards }.

# ---- Bretter, die dazukommen
no-boards = Noch wird kein Brett beobachtet. Die Verwaltung fügt Bretter hinzu.
no-boards-add = Noch wird kein Brett beobachtet. Füge eines hinzu: Gib ihm einen Namen und die Kamera, die es sieht.
next-none = Noch gibt es kein Brett: Als Erstes ist eines hinzuzufügen.
add-board = Brett hinzufügen…
add-board-do = Hinzufügen
board-name = Name
board-name-example = Brett 1
board-source = Kamera oder Aufnahme
board-source-hint = Eine Kamera wie /dev/video0, eine rtsp://-Adresse, eine Videodatei auf dem Rechner der Station oder loop:DATEI, die immer wieder gespielt wird. Eine Adresse mit Kennwort steht in der Datenbank der Station und wird niemandem gezeigt.
board-start = FEN des Anfangs seiner Partien, wenn nicht die Grundstellung
board-start-example = Grundstellung
board-trying = Ein Bild wird geholt…
remove-board = Entfernen
remove-board-sure = { $board } wirklich nicht mehr beobachten? Partien und Vorfälle bleiben aufbewahrt.
# ---- Seite der Verwaltung
admin-title = Verwaltung
people = Personen
role = Rolle
role-viewer = Zuschauer: Stellungen und Züge
role-reviewer = Prüfer: auch Bilder und Vorfälle
role-arbiter = Schiedsrichter: entscheidet auch
role-administrator = Verwaltung
role-of = Rolle von { $name }
boards-all = alle Bretter
boards-none = kein Brett
boards-of = Bretter, die { $name } sieht
person-state = Stand
person-do = Tun
person-add = Hinzufügen
person-active = aktiv
person-disabled = ausgesperrt
person-waits = wählt ein Kennwort bis { $time }
person-no-code = hat kein Kennwort
person-disable = Aussperren
person-enable = Wieder zulassen
code-new = Neues Kennwort
code-sure = Neuer Code für { $name }? Das alte Kennwort gilt dann nicht mehr, offene Seiten werden geschlossen.
code-lead = Gib dies an { $name } weiter. Es gilt einmal, 36 Stunden lang, und wird nicht wieder gezeigt:
alerts = Verwendete Alarme
alerts-lead = Was das Turnier vor der Runde erklärt hat (FIDE-Handbuch C.12). Was von einer nicht verwendeten Art gefunden wird, steht im Protokoll und wird niemandem gezeigt.
alerts-off = Bei diesem Turnier nicht verwendet: { $kinds }.
kind-touch_move = berührt, nicht geführt
kind-illegal_move = regelwidriger Zug
kind-move_changed_after_release = Zug nach dem Loslassen geändert
kind-castling_rook_first = Rochade mit dem Turm zuerst
kind-two_hands = zwei Hände für einen Zug
kind-adjust_without_notice = Zurechtrücken ohne Ansage
kind-adjust_out_of_turn = Zurechtrücken, ohne am Zug zu sein
kind-touch_by_opponent = Berühren, ohne am Zug zu sein
kind-clock_other_hand = Uhr mit der anderen Hand gedrückt
log-placed = Brett von Hand kalibriert
log-place_forgotten = Kalibrierung von Hand vergessen
log-alert_switched = Alarm umgeschaltet
sessions = Angemeldet
since = Seit
address = Von
browser = Browser
session-end = Abmelden
programs = Schlüssel für Übertragungen
programs-lead = Mit einem Schlüssel liest ein Programm, was öffentlich ist, nie früher als die Verzögerung der Übertragung erlaubt: keinen Vorfall, kein Bild.
key-make = Schlüssel machen
key-lead = Der Schlüssel „{ $name }“, für ein Programm, das ihn als Kopfzeile sendet oder nur eine Adresse kennt. Er wird nicht wieder gezeigt:
key-sure = Den Schlüssel „{ $name }“ zurücknehmen? Wer damit liest, wird abgeschnitten.
key-revoke = Zurücknehmen
log = Protokoll
log-older = Ältere Zeilen
log-number = Nr.
log-when = Wann
log-what = Was
log-who = Wer
log-told = Genaueres
log-station = die Station
log-login = angemeldet
log-logout = abgemeldet
log-login_failed = Anmeldung gescheitert
log-footage = sah Bilder an
log-ruling = Entscheidung
log-incident = Vorfall
log-incident_withdrawn = Vorfall zurückgezogen
log-evidence = Bilder aufbewahrt
log-move = Zug
log-moves_revised = Züge berichtigt
log-game_begun = Partie begonnen
log-game_ended = Partie beendet
log-gap = Lücke in den Bildern
log-board = neues Brett
log-started = Station gestartet
log-stopped = Station beendet
log-database_moved_aside = beschädigte Datenbank beiseitegelegt
log-user_added = Person hinzugefügt
log-user_changed = Person geändert
log-code_given = Code ausgegeben
log-password_set = Kennwort gesetzt
log-session_revoked = Sitzung von der Verwaltung beendet
log-key_made = Schlüssel gemacht
log-key_revoked = Schlüssel zurückgenommen
log-board_added = Brett auf der Seite hinzugefügt
log-board_removed = Brett nicht mehr beobachtet
log-players = Spieler genannt
log-position_set = Stellung berichtigt
log-move_corrected = letzter Zug berichtigt
log-contacts = Berührungen
log-announcement = Ansage von Hand vermerkt
log-correction = Berührung berichtigt
log-judgement = Vorfall neu beurteilt
log-picture = Kamerabild verändert
log-export = Beweis ausgegeben
log-still = einzelnes Bild ausgegeben
log-held = Bilder festgehalten
log-let_go = Bilder freigegeben
log-evidence_freed = Bilder eines Vorfalls gelöscht
log-footage_freed = Aufnahmen gelöscht

# ---- overlay
overlay-white = Weiß
overlay-black = Schwarz
overlay-round = Runde { $round }
overlay-stale = Keine Verbindung seit { $time }: was hier steht, ist alt.

# ---- Auswertung von Aufnahmen
reviews-title = Aufnahmen
reviews-lead = Hier werden Aufnahmen von Partien ausgewertet, eine nach der anderen; die Bretter im Saal gehen vor. Ist eine fertig, gibt es den Bericht, die Partie und mehr.
review-file = Eine Aufnahme von diesem Rechner
review-recording = oder eine aus dem Ordner der Station
review-start = Erste Stellung (FEN), wenn es nicht die Grundstellung ist
review-do = Auswerten
review-which = erst eine Aufnahme wählen
review-sending = wird gesendet
review-none = Noch wurde keine Aufnahme ausgewertet.
review-name = Aufnahme
review-state = Stand
review-results = Ergebnisse
review-waiting = wartet
review-running = wird ausgewertet
review-done = fertig
review-failed = fehlgeschlagen
review-report = Bericht
review-remove-sure = Die Auswertung von { $name } und ihre Ergebnisse wirklich löschen?
