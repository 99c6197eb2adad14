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
not-seen = nicht gesehen
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
dates-before = vor der Aufnahme

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
note-taken-back = Bei { $at } wurde der Zug { $san } zurückgenommen, der bei { $made } ausgeführt worden war.
note-out-of-step-open = Seit { $since } zeigt das Brett nicht, was die Züge sagen, und nichts erklärt es: { $squares }. Bitte ansehen.
note-out-of-step = Von { $since } bis { $to } zeigte das Brett nicht, was die Züge sagen ({ $squares }); { $end ->
    [put_right] dann wurde es richtiggestellt
    [inferred] die Züge dazwischen hat niemand gesehen, sie folgen aus den beiden Stellungen: bitte ansehen
    [taken_back] dann wurden Züge zurückgenommen
    [set_up_again] dann wurde die Stellung wieder aufgebaut, mit der die Partie begann; was danach kam, ist nicht gelesen
   *[result] dann zeigten die Könige das Ergebnis
}.
note-result = Bei { $at } standen die Könige auf { $white } und { $black }; nach der Übereinkunft elektronischer Bretter heißt das: { $result ->
    [white] Weiß hat gewonnen
    [black] Schwarz hat gewonnen
   *[draw] unentschieden
}. Zu bestätigen.
note-cut-off = Die Aufnahme bricht ab; was zu lesen war, ist erhalten.
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
caption-moved = letzter Zug
caption-start = Anfangsstellung
caption-more = und { $n } weitere

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
