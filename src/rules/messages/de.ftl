# Deutsch, in den Begriffen der amtlichen Regeln. / German, in the terms of the official rules.

white = Weiß
black = Schwarz
and = und
none = nichts
moves-more = { $moves } und { $more } weitere

pawn = Bauer
knight = Springer
bishop = Läufer
rook = Turm
queen = Dame
king = König

piece = { $owner ->
    [own] { $role ->
        [pawn] den eigenen Bauern
        [knight] den eigenen Springer
        [bishop] den eigenen Läufer
        [rook] den eigenen Turm
        [queen] die eigene Dame
       *[king] den eigenen König
    } auf { $square }
    [enemy] { $role ->
        [pawn] den gegnerischen Bauern
        [knight] den gegnerischen Springer
        [bishop] den gegnerischen Läufer
        [rook] den gegnerischen Turm
        [queen] die gegnerische Dame
       *[king] den gegnerischen König
    } auf { $square }
   *[gone] die Figur von { $square }
}

by-article = { $article ->
    [none] { $fact }.
   *[other] { $fact }: Artikel { $article }.
}
ruled = { $article ->
    [none] { $rule }.
   *[other] Artikel { $article }: { $rule }.
}

# ---- was bindet
touched-nothing = { $player } hat nichts berührt, was bindet.
touched = { $player } hat { $pieces } berührt.
let-go = { $player } hat losgelassen: es bleibt { $moves }.
any-move = Jeder regelgemäße Zug ist erlaubt.
one-of-these = Einer dieser Züge muss ausgeführt werden: { $moves }.
this-move = { $moves } muss ausgeführt werden.

rule-own = die Figur kann ziehen, also muss mit ihr gezogen werden (berührt - geführt)
rule-enemy = die Figur kann geschlagen werden, also muss sie geschlagen werden
rule-both = Figuren beider Farben wurden berührt: die eigene schlägt die gegnerische, sonst bindet die erste, die gezogen oder geschlagen werden kann
rule-castle-must = die Rochade mit diesem Turm ist regelgemäß, also muss rochiert werden
rule-castle-rook-first = der Turm wurde vor dem König berührt, also ist die Rochade auf diesem Flügel ausgeschlossen
rule-castle-illegal = die Rochade auf diesem Flügel ist regelwidrig, also muss mit dem König ein anderer Zug ausgeführt werden
rule-nothing-movable = keine berührte Figur kann gezogen oder geschlagen werden, also ist der Zug frei
rule-promotion-final = die neue Figur hat ihr Feld berührt, also ist die Wahl endgültig
rule-release = der Zug war ausgeführt, als die Figur losgelassen wurde, also gilt er
rule-release-capture = die Figur wurde auf ihrem Feld losgelassen, also muss dort geschlagen werden
rule-release-castling = der König wurde zwei Felder weiter losgelassen, also muss die Rochade auf diesem Flügel vollendet werden
rule-release-promotion = der Bauer hat sein Feld erreicht, also bleibt nur diese Umwandlung
rule-free = nichts bindet

# ---- was verletzt wurde
two-hands = { $player } hat einen Zug mit zwei Händen ausgeführt
both-hands = { $player } hat einen Zug mit beiden Händen ausgeführt
adjusted-no-notice = { $player } hat zurechtgerückt, ohne es vorher anzukündigen
adjusted-piece-no-notice = { $player } hat eine Figur zurechtgerückt, ohne es vorher anzukündigen
adjusted-out-of-turn = { $player } hat zurechtgerückt, ohne am Zug zu sein
adjusted-piece-out-of-turn = { $player } hat eine Figur zurechtgerückt, ohne am Zug zu sein
touched-out-of-turn = { $player } hat eine Figur berührt, ohne am Zug zu sein
illegal-completed = { $player } hat einen regelwidrigen Zug abgeschlossen
clock-other-hand = { $player } hat die Uhr mit der Hand gedrückt, die nicht gezogen hat
empty-press = { $player } hat die Uhr gedrückt, ohne gezogen zu haben
took-back = { $player } hat einen ausgeführten Zug zurückgenommen
played = { $player } hat { $played } gezogen
not-done = { $player } hat nicht getan, was geboten war
instead-of = { $fact } statt { $moves }
played-instead = { $player } hat stattdessen { $played } gezogen.
not-legal = { $played } ist regelwidrig

# ---- wer es geltend machen kann
raise-both = Der Gegner kann es geltend machen, bis er eine Figur berührt; der Schiedsrichter greift von sich aus ein.
raise-opponent = Nur der Gegner kann es geltend machen, bis er eine Figur berührt.
raise-both-any-time = Es kann jederzeit während der Partie geltend gemacht werden; der Schiedsrichter greift von sich aus ein.
raise-opponent-any-time = Der Gegner kann es jederzeit während der Partie geltend machen.
raise-until-reply = Es kann geltend gemacht werden, bis der Gegner seinen nächsten Zug ausgeführt hat.
raise-discretion = Was folgt, liegt im Ermessen des Schiedsrichters.
raise-lost = der Gegner hat eine Figur berührt und kann es nicht mehr geltend machen
raise-arbiter-after-touch = Der Gegner hat das Recht verloren, es geltend zu machen; der Schiedsrichter kann noch eingreifen.
raise-upheld = Es wurde rechtzeitig geltend gemacht.
raise-corrected = Es wurde berichtigt.
left-to-a-person = Die Ereignisse allein entscheiden es nicht: ein Mensch muss es tun.

# ---- Urteile
verdict-no-obligation = Nichts bindet.
verdict-pending = Etwas bindet, und noch ist kein Zug ausgeführt.
verdict-ok = Der ausgeführte Zug war erlaubt.
verdict-violation = Die Regel berührt - geführt wurde verletzt, und das kann noch geltend gemacht werden.
verdict-claim-lost = Die Regeln wurden verletzt, aber das Recht, es geltend zu machen, ist verloren.
verdict-illegal-pending = Ein regelwidriger Zug steht auf dem Brett; die Uhr wurde noch nicht gedrückt.
verdict-illegal-completed = Ein regelwidriger Zug wurde abgeschlossen.
verdict-irregularity = Kein Verstoß gegen die Regel berührt - geführt; es liegt im Ermessen des Schiedsrichters.
verdict-game-over = Der Zug hat die Partie beendet.
verdict-review = Ein Mensch muss entscheiden.
