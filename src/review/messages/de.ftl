# Deutsch. Alle Texte der Auswertung: Bericht, Kapitel, Marken, Bildtexte, Übersicht. Das Programm
# schlägt vor; es nennt nie jemanden schuldig. Figuren und Spieler heißen wie in den Regeln.

# ---- die Seite
page-title = Auswertung von { $name } – Adoube
brand = Auswertung „berührt – geführt“
suggests = Das Programm schlägt vor, der Schiedsrichter entscheidet.
long = { $time } lang
laws = Regeln: { $laws }
to-know = { $n ->
    [one] { $n } Hinweis.
   *[other] { $n } Hinweise.
}
game = Die Partie
game-help = Mit den Pfeiltasten vor und zurück, oder einen Zug anklicken. Ein Ring zeigt eine Figur, die berührt und stehen gelassen wurde.
board = Brett
board-after = Brett nach
start-position = Anfangsstellung
start = Anfang
back = Zurück
forward = Vor
end = Ende
turn-board = Brett drehen
close = Schließen
of-photos = von
photo-keys = die anderen mit den Pfeiltasten
not-seen-moves = { $n ->
    [one] Der erste Halbzug geschah vor Beginn der Aufnahme: er stammt aus der PGN-Datei, gesehen hat ihn niemand.
   *[other] Die ersten { $n } Halbzüge geschahen vor Beginn der Aufnahme: sie stammen aus der PGN-Datei, gesehen hat sie niemand.
}
incident-number = Vorfall { $n }

# ---- Vergleich mit der PGN-Datei
comparison = Vergleich mit der PGN-Datei
same-moves = Die gefundenen Züge sind die der PGN-Datei.
difference-other = { $at }: gefunden wurde { $found }, in der PGN-Datei steht { $pgn }
difference-extra = { $at }: gefunden wurde { $found }, in der PGN-Datei fehlt es
difference-missing = nach { $at }: { $pgn } aus der PGN-Datei wurde nicht gefunden
difference-missing-row = nach { $at }: { $pgn } bis { $end } aus der PGN-Datei ({ $n } Halbzüge) wurden nicht gefunden
verdict-found = das Brett zeigt danach, was gefunden wurde: die PGN-Datei ist zu berichtigen
verdict-pgn = das Brett zeigt danach, was in der PGN-Datei steht: hier wurde falsch gelesen
verdict-open = das Brett zeigt danach nicht, was richtig ist
dates-title = Wann jeder Zug der PGN-Datei ausgeführt wurde
dates-move = Zug
dates-at = Zeit
dates-took = Dauer
dates-seen = Gesehen
dates-yes = ja
dates-other = als { $found }
dates-no = nein

# ---- Zeit
time = Berührungen im Zeitverlauf
time-help = Jeder Balken ist eine Hand an einer Figur, von der Berührung bis zum Loslassen; der volle Teil ist die Figur in der Luft, vom Abheben bis zum Aufsetzen. Blassere Balken sind weniger sicher. Ruhige Strecken sind verkürzt.
point = Auf einen Balken zeigen, um darüber zu lesen. Vergrößern mit den Knöpfen oder mit Strg und dem Mausrad.
zoom-in = Vergrößern
zoom-out = Verkleinern
fit = Einpassen
whole = Die ganze Aufnahme

# ---- Vorfälle
incidents = Vorfälle
no-incident = Kein Vorfall wurde gefunden.
logged = Unwahrscheinliche Befunde, nur für das Protokoll
at-article = Bei { $at }, Artikel { $article } ({ $laws }).
why = Warum
see-move = Zug zeigen
find-contact = Berührung im Zeitverlauf zeigen
enlarge = Vergrößern: { $caption }, { $at }
the-board = Das Brett { $caption }, bei { $at }
open = möglich
played-word = gezogen
before-move = Die Stellung vor dem Zug
moves-open = Die möglichen Züge
ruling = Entscheidung: ☐ stattgegeben ☐ abgelehnt ☐ unklar  Schiedsrichter: ______________________
caption-before = davor
caption-touch = bei der Berührung
caption-after = danach
caption-complete = bei der Vollendung
clip = Ausschnitt ansehen
heard-before = „{ $phrase }“ war bei { $at } zu hören ({ $sure }), { $ahead } ms vor der Berührung.
heard-late = „{ $phrase }“ war bei { $at } zu hören ({ $sure }), { $ahead } ms nach der Berührung: zu spät.
heard-nothing = Keine Ankündigung war zu hören.

severity = { $severity ->
    [alert] Alarm
    [review] Bitte ansehen
   *[log] Protokoll
}
sureness = { $level ->
    [certain] so gut wie sicher
    [very] sehr wahrscheinlich
    [likely] wahrscheinlich
    [either] beides ist möglich
    [doubtful] zweifelhaft
   *[unlikely] unwahrscheinlich
}
incident-kind = { $kind ->
    [touch_move] Berührt – geführt
    [illegal_move] Regelwidriger Zug
    [two_hands] Zwei Hände
    [move_changed_after_release] Zug nach dem Loslassen geändert
    [castling_rook_first] Rochade, Turm zuerst
    [adjust_without_notice] Zurechtrücken ohne Ankündigung
    [adjust_out_of_turn] Zurechtrücken, ohne am Zug zu sein
    [touch_by_opponent] Berührung, ohne am Zug zu sein
   *[other] { $name }
}
rule-of = { $kind ->
    [touch_move] Wer am Zug ist und eine Figur berührt, um mit ihr zu ziehen oder sie zu schlagen, muss das tun, wenn es regelgemäß möglich ist.
    [illegal_move] Nur regelgemäße Züge dürfen stehen bleiben.
    [two_hands] Jeder Zug muss mit einer Hand allein ausgeführt werden.
    [move_changed_after_release] Eine Figur, die auf einem regelgemäßen Feld losgelassen wurde, bleibt in diesem Zug dort.
    [castling_rook_first] Wer den Turm vor dem König berührt, darf in diesem Zug auf diesem Flügel nicht rochieren; mit dem Turm muss gezogen werden.
    [adjust_without_notice] Figuren dürfen erst zurechtgerückt werden, wenn das angekündigt ist.
    [adjust_out_of_turn] Nur wer am Zug ist, darf Figuren zurechtrücken.
   *[touch_by_opponent] Wer nicht am Zug ist, lässt die Figuren stehen.
}
headline = { $kind ->
    [touch_move] { $player } berührte { $thing } und zog { $played }
    [two_hands] { $player } benutzte beide Hände
    [move_changed_after_release] { $player } ließ { $thing } los und änderte den Zug dann in { $played }
    [castling_rook_first] { $player } berührte zuerst { $thing } und zog { $played }
    [adjust_without_notice] { $player } rückte { $thing } zurecht; eine Ankündigung ist nicht bekannt
    [adjust_out_of_turn] { $player } rückte { $thing } zurecht, ohne am Zug zu sein
    [touch_by_opponent] { $player } berührte { $thing }, ohne am Zug zu sein
    [illegal_move] { $player } zog regelwidrig { $played }
   *[other] { $player }: { $name }
}
another-move = etwas anderes
a-piece = eine Figur
piece-word = Figur
thing = { $role ->
    [pawn] den Bauern auf { $square }
    [knight] den Springer auf { $square }
    [bishop] den Läufer auf { $square }
    [rook] den Turm auf { $square }
    [queen] die Dame auf { $square }
    [king] den König auf { $square }
   *[piece] die Figur auf { $square }
}
thing-beside = { $role ->
    [pawn] einen Bauern neben dem Brett
    [knight] einen Springer neben dem Brett
    [bishop] einen Läufer neben dem Brett
    [rook] einen Turm neben dem Brett
    [queen] eine Dame neben dem Brett
    [king] einen König neben dem Brett
   *[piece] eine Figur neben dem Brett
}

# ---- Berührungen
contacts = Alle Berührungen
no-contact = Keine Berührung wurde gefunden.
contact-kind = { $kind ->
    [move] gezogen
    [capture_removal] geschlagen, vom Brett genommen
    [touch] berührt und stehen gelassen
    [adjust] zurechtgerückt
    [brush] gestreift
    [promotion_removal] Bauer zur Umwandlung weggenommen
   *[promotion_placement] neue Figur aufgestellt
}
contact-at = { $piece } auf { $square }
contact-beside = { $piece } neben dem Brett
hand-of = { $player ->
    [white] Weiß
   *[black] Schwarz
}, { $hand ->
    [left] linke Hand
    [right] rechte Hand
   *[unknown] Hand
}
contact-to = { " " }nach { $square }
contact-on = { " " }auf { $square }
contact-sentence = { $hand }: { $piece }, { $kind }{ $way }. Berührt { $touch }
contact-lift = , abgehoben { $at }
contact-place = , aufgesetzt { $at }
contact-release = , losgelassen { $at }
off = vom Brett
show = Zeigen
filter-all = Alle
filter-white = Weiß
filter-black = Schwarz
filter-left = Nicht gezogen
filter-unsure = Unsicher
column-player = Spieler
column-piece = Figur
column-what = Was
column-touch = Berührt
column-lift = Abgehoben
column-place = Aufgesetzt
column-release = Losgelassen
column-sure = Sicher

# ---- gut zu wissen
doubts = Gut zu wissen
deaf = Niemand hat zugehört: ob ein Zurechtrücken angekündigt wurde, ist nicht bekannt.
listened = { $n ->
    [one] Das Programm hat zugehört und { $n } Ankündigung gehört.
   *[other] Das Programm hat zugehört und { $n } Ankündigungen gehört.
} Ein Flüstern kann ihm entgehen, und wer gesprochen hat, weiß es nicht.
how-made = Wie dieser Bericht entstand
how-facts = Adoube { $version }, { $frames } Bilder von { $width } mal { $height } Bildpunkten, { $speed } Bilder in der Sekunde.

# ---- Hinweise: nach dem englischen Wortlaut gefunden, den das Programm in result.json schreibt
grade-poor = mäßig
grade-bad = schlecht
note-advice-margin = Platz der Kamera, Rand ({ $grade }): { $value } Felder zwischen Brett und Bildrand, mindestens { $limit } sind erwünscht: die Kamera zurücksetzen oder drehen, so dass das ganze Brett und die Hände, die zu ihm kommen, im Bild sind.
note-advice-square = Platz der Kamera, Felder ({ $grade }): das kleinste Feld ist { $value } Bildpunkte breit, mindestens { $limit } sind erwünscht: die Kamera näher heranbringen, höher stellen oder in höherer Auflösung filmen.
note-advice-blur = Platz der Kamera, Schärfe ({ $grade }): die Kante zwischen zwei Feldern ist über { $value } einer Feldbreite verwischt, höchstens { $limit } sind erwünscht: die Kamera auf das Brett scharfstellen, ihre Linse putzen und sie ruhig halten.
note-advice-glare = Platz der Kamera, Blendung ({ $grade }): { $value } des Bretts sind weiß ausgebrannt, höchstens { $limit } sind erwünscht: Lampe oder Kamera so stellen, dass sich kein Licht im Brett spiegelt, oder kürzer belichten.
note-advice-light = Platz der Kamera, Licht ({ $grade }): { $value } von 255 Graustufen auf hellen Feldern, mindestens { $limit } sind erwünscht: Licht machen oder länger belichten.
note-advice-contrast = Platz der Kamera, Kontrast ({ $grade }): { $value } Graustufen zwischen hellen und dunklen Feldern, mindestens { $limit } sind erwünscht: mehr Licht, weniger Blendung oder ein Brett mit mehr Kontrast.
note-advice-angle = Platz der Kamera, Winkel ({ $grade }): { $value } Grad über dem Brett, mindestens { $limit } sind erwünscht: die Kamera auf 30 bis 60 Grad über dem Brett heben, so dass Figuren einander nicht verdecken.
note-advice-hidden = Platz der Kamera, verdeckt ({ $grade }): { $value } Felder sind verdeckt oder anders als ihre Farbe, höchstens { $limit } sind erwünscht: wegräumen, was auf oder vor dem Brett liegt, und Hände und Köpfe beim Einrichten fernhalten.
note-lens = Die Linse der Kamera verzeichnet gerade Linien (k1 = { $k }); das ist berücksichtigt.
note-moved = Bei { $at } s wurde die Kamera oder das Brett um { $shift } Bildpunkte verschoben; das Programm ist sofort gefolgt.
note-moved-found = Bei { $at } s wurde die Kamera oder das Brett um { $shift } Bildpunkte verschoben; nach { $took } s war es wiedergefunden.
note-hidden = Von { $from } bis { $to } s war das Brett nicht zu sehen; so lange wurde kein Zug gelesen.
note-lost = Bei { $at } s ging das Brett verloren und wurde nicht wiedergefunden: von da an ist nichts gelesen. Die Kamera zurückstellen, oder den Rest mit --corners auswerten.
note-end = Am Ende zeigen diese Felder nicht, was die Züge sagen: { $squares }.
note-promotion = Bei { $at } s ist unklar, welche Figur aus dem Bauern auf { $square } wurde ({ $chances }): bitte ansehen.
note-taken-back = Bei { $at } s wurde der Zug { $san } zurückgenommen, der bei { $made } s ausgeführt worden war.
note-gap-open = Seit { $since } s zeigt das Brett nicht, was die Züge sagen, und nichts erklärt es: { $squares }. Bitte ansehen.
note-gap-put-right = Von { $from } s bis { $to } s zeigte das Brett nicht, was die Züge sagen ({ $squares }); dann wurde es richtiggestellt.
note-gap-inferred = Von { $from } s bis { $to } s zeigte das Brett nicht, was die Züge sagen ({ $squares }); die Züge dazwischen hat niemand gesehen, sie folgen aus den beiden Stellungen: bitte ansehen.
note-gap-taken-back = Von { $from } s bis { $to } s zeigte das Brett nicht, was die Züge sagen ({ $squares }); dann wurden Züge zurückgenommen.
note-gap-set-up = Von { $from } s bis { $to } s zeigte das Brett nicht, was die Züge sagen ({ $squares }); dann wurde die Stellung wieder aufgebaut, mit der die Partie begann; was danach kam, ist nicht gelesen.
note-gap-result = Von { $from } s bis { $to } s zeigte das Brett nicht, was die Züge sagen ({ $squares }); dann zeigten die Könige das Ergebnis.
note-white-won = Bei { $at } s standen die Könige auf { $white } und { $black }; nach der Übereinkunft elektronischer Bretter heißt das: Weiß hat gewonnen. Zu bestätigen.
note-black-won = Bei { $at } s standen die Könige auf { $white } und { $black }; nach der Übereinkunft elektronischer Bretter heißt das: Schwarz hat gewonnen. Zu bestätigen.
note-draw = Bei { $at } s standen die Könige auf { $white } und { $black }; nach der Übereinkunft elektronischer Bretter heißt das: unentschieden. Zu bestätigen.
note-cut-off = Die Aufnahme bricht ab; was zu lesen war, ist erhalten.
note-no-sound = Es war überhaupt kein Ton da.
note-silent = Der Ton ist stumm: ist das Mikrofon aus oder sein Kabel lose?
note-clipped = Der Ton ist in { $share } % seiner Abtastwerte übersteuert: das Mikrofon leiser stellen.
note-sound-parts = Niemand hat zugehört: bei einer Aufnahme in mehreren Dateien wird nur auf Ton gehört, der als eine Datei mit --sound gegeben ist.
doubt-contrast = helle und dunkle Felder unterscheiden sich nur um { $levels } Graustufen: mehr Licht hilft
doubt-blurred = die Kanten der Felder sind über { $px } Bildpunkte verwischt: die Kamera scharfstellen, ihre Linse putzen oder sie ruhig halten
doubt-small = die fernsten Felder sind nur { $px } Bildpunkte breit: die Kamera näher heranbringen oder in höherer Auflösung filmen
doubt-obstructed = Teile des Bretts sind verdeckt oder spiegeln: den Rand des Bretts freiräumen oder die Lampe umstellen
doubt-direction = es ist nicht sicher, welche Seite Weiß hat: das Bild prüfen oder die Ecken mit --corners angeben
doubt-edge = das Brett reicht bis auf { $px } Bildpunkte an den Bildrand: Hände können abgeschnitten sein
note-part = { $file } beginnt bei { $at }.

# ---- Anzahlen
moves = { $n ->
    [one] { $n } Halbzug
   *[other] { $n } Halbzüge
}
contact-count = { $n ->
    [one] { $n } Berührung
   *[other] { $n } Berührungen
}
incident-count = { $n ->
    [0] kein Vorfall
    [one] { $n } Vorfall
   *[other] { $n } Vorfälle
}
summary = { $moves }, { $incidents }.
summary-one = { $moves }, { $incidents }: { $headline }.
round = Runde { $round }
seconds = { $n } s
minutes = { $n } min
hours = { $h } h { $m } min

# ---- Kapitel, Marken, Bildtexte
chapter-start = Vor dem ersten Zug
marker-move = Zug { $name }
caption-start = Anfangsstellung

# ---- mehrere Partien
batch-title = Auswertung von { $n ->
    [one] { $n } Partie
   *[other] { $n } Partien
}
batch-name = Partie
batch-result = Ergebnis
batch-moves = Halbzüge
batch-incidents = Vorfälle
batch-state = Stand
batch-look = Bitte ansehen
batch-fine = nichts anzusehen
batch-failed = gescheitert: { $why }
batch-waiting = noch nicht ausgewertet
batch-lead = { $look ->
    [0] Keine Partie braucht einen Menschen.
    [one] { $look } Partie braucht einen Menschen.
   *[other] { $look } Partien brauchen einen Menschen.
}
batch-failures = { $n ->
    [one] { $n } konnte nicht ausgewertet werden.
   *[other] { $n } konnten nicht ausgewertet werden.
}
hall-board = Brett { $name }
hall-left-out = Ein Brett um { $x }, { $y } (Pixel) wurde ausgelassen: { $why }.
hall-fewer = { $n ->
    [one] Es wurde { $n } Brett weniger gefunden als verlangt.
   *[other] Es wurden { $n } Bretter weniger gefunden als verlangt.
}
need-incidents = { $n ->
    [one] { $n } Vorfall
   *[other] { $n } Vorfälle
}
need-differences = { $n ->
    [one] { $n } Abweichung von der PGN-Datei
   *[other] { $n } Abweichungen von der PGN-Datei
}
need-out-of-step = das Brett zeigte nicht immer die Partie
need-inferred = { $n ->
    [one] { $n } Halbzug, den niemand gesehen hat
   *[other] { $n } Halbzüge, die niemand gesehen hat
}
need-result = das Ergebnis ist zu bestätigen
need-cut-off = die Aufnahme bricht ab
