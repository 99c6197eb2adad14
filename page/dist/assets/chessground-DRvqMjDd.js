function e(e,t={},...n){let r=document.createElement(e);for(let[e,n]of Object.entries(t))n!==void 0&&n!==!1&&(typeof n==`function`?r.addEventListener(e.slice(2),n):r.setAttribute(e,n===!0?``:String(n)));for(let e of n)e&&r.append(e);return r}function t(e,t={},...n){let r=document.createElementNS(`http://www.w3.org/2000/svg`,e);for(let[e,n]of Object.entries(t))r.setAttribute(e,String(n));return r.append(...n),r}function n(e,t){let n=e=>[...e.querySelectorAll(`summary, input, select, button`)],r=e=>[...e.querySelectorAll(`details`)],i=new Map([...e.children].map(e=>[e.getAttribute(`data-row`),e])),a=document.activeElement,o;for(let e of t){let t=i.get(e.getAttribute(`data-row`));if(!t)continue;let s=r(t).map(e=>e.open);r(e).forEach((e,t)=>e.open=s[t]??!1),t.contains(a)&&(o=n(e)[n(t).findIndex(e=>e===a)])}e.replaceChildren(...t),o?.focus()}var r=e=>(e<0?`−`:`+`)+(Math.abs(e)/1e3).toFixed(2),i=(e,t)=>new Date(e).toLocaleTimeString(t,{hour:`2-digit`,minute:`2-digit`,second:`2-digit`,hour12:!1}),a=e=>e.replaceAll(`1/2`,`½`).replace(`-`,`–`),o=({white:e,black:t})=>e||t?`${e||`?`} \u2013 ${t||`?`}`:``,s=class{constructor(e){this.value=e}valueOf(){return this.value}},c=class extends s{constructor(e=`???`){super(e)}toString(e){return`{${this.value}}`}},l=class extends s{constructor(e,t={}){super(e),this.opts=t}toString(e){if(e)try{return e.memoizeIntlObject(Intl.NumberFormat,this.opts).format(this.value)}catch(t){e.reportError(t)}return this.value.toString(10)}},u=class e extends s{static supportsValue(t){if(typeof t==`number`||t instanceof Date)return!0;if(t instanceof s)return e.supportsValue(t.valueOf());if(`Temporal`in globalThis){let e=globalThis.Temporal;if(t instanceof e.Instant||t instanceof e.PlainDateTime||t instanceof e.PlainDate||t instanceof e.PlainMonthDay||t instanceof e.PlainTime||t instanceof e.PlainYearMonth)return!0}return!1}constructor(t,n={}){t instanceof e?(n={...t.opts,...n},t=t.value):t instanceof s&&(t=t.valueOf()),typeof t==`object`&&`calendarId`in t&&n.calendar===void 0&&(n={...n,calendar:t.calendarId}),super(t),this.opts=n}[Symbol.toPrimitive](e){return e===`string`?this.toString():this.toNumber()}toNumber(){let e=this.value;if(typeof e==`number`)return e;if(e instanceof Date)return e.getTime();if(`epochMilliseconds`in e)return e.epochMilliseconds;if(`toZonedDateTime`in e)return e.toZonedDateTime(`UTC`).epochMilliseconds;throw TypeError(`Unwrapping a non-number value as a number`)}toString(e){if(e)try{return e.memoizeIntlObject(Intl.DateTimeFormat,this.opts).format(this.value)}catch(t){e.reportError(t)}return typeof this.value==`number`||this.value instanceof Date?new Date(this.value).toISOString():this.value.toString()}},d=100,f=`⁨`,p=`⁩`;function m(e,t,n){return n===t||n instanceof l&&t instanceof l&&n.value===t.value||t instanceof l&&typeof n==`string`&&n===e.memoizeIntlObject(Intl.PluralRules,t.opts).select(t.value)}function h(e,t,n){return t[n]?w(e,t[n].value):(e.reportError(RangeError(`No default`)),new c)}function g(e,t){let n=[],r=Object.create(null);for(let i of t)i.type===`narg`?r[i.name]=_(e,i.value):n.push(_(e,i));return{positional:n,named:r}}function _(e,t){switch(t.type){case`str`:return t.value;case`num`:return new l(t.value,{minimumFractionDigits:t.precision});case`var`:return v(e,t);case`mesg`:return y(e,t);case`term`:return b(e,t);case`func`:return x(e,t);case`select`:return S(e,t);default:return new c}}function v(e,{name:t}){let n;if(e.params){if(Object.prototype.hasOwnProperty.call(e.params,t))n=e.params[t];else return new c(`$${t}`)}else if(e.args&&Object.prototype.hasOwnProperty.call(e.args,t))n=e.args[t];else return e.reportError(ReferenceError(`Unknown variable: $${t}`)),new c(`$${t}`);if(n instanceof s)return n;switch(typeof n){case`string`:return n;case`number`:return new l(n);case`object`:if(u.supportsValue(n))return new u(n);default:return e.reportError(TypeError(`Variable type not supported: $${t}, ${typeof n}`)),new c(`$${t}`)}}function y(e,{name:t,attr:n}){let r=e.bundle._messages.get(t);if(!r)return e.reportError(ReferenceError(`Unknown message: ${t}`)),new c(t);if(n){let i=r.attributes[n];return i?w(e,i):(e.reportError(ReferenceError(`Unknown attribute: ${n}`)),new c(`${t}.${n}`))}return r.value?w(e,r.value):(e.reportError(ReferenceError(`No value: ${t}`)),new c(t))}function b(e,{name:t,attr:n,args:r}){let i=`-${t}`,a=e.bundle._terms.get(i);if(!a)return e.reportError(ReferenceError(`Unknown term: ${i}`)),new c(i);if(n){let t=a.attributes[n];if(t){e.params=g(e,r).named;let n=w(e,t);return e.params=null,n}return e.reportError(ReferenceError(`Unknown attribute: ${n}`)),new c(`${i}.${n}`)}e.params=g(e,r).named;let o=w(e,a.value);return e.params=null,o}function x(e,{name:t,args:n}){let r=e.bundle._functions[t];if(!r)return e.reportError(ReferenceError(`Unknown function: ${t}()`)),new c(`${t}()`);if(typeof r!=`function`)return e.reportError(TypeError(`Function ${t}() is not callable`)),new c(`${t}()`);try{let t=g(e,n);return r(t.positional,t.named)}catch(n){return e.reportError(n),new c(`${t}()`)}}function S(e,{selector:t,variants:n,star:r}){let i=_(e,t);if(i instanceof c)return h(e,n,r);for(let t of n)if(m(e,i,_(e,t.key)))return w(e,t.value);return h(e,n,r)}function C(e,t){if(e.dirty.has(t))return e.reportError(RangeError(`Cyclic reference`)),new c;e.dirty.add(t);let n=[],r=e.bundle._useIsolating&&t.length>1;for(let i of t)if(typeof i==`string`)n.push(e.bundle._transform(i));else{if(e.placeables++,e.placeables>d)throw e.dirty.delete(t),RangeError(`Too many placeables expanded: ${e.placeables}, max allowed is ${d}`);r&&n.push(f),n.push(_(e,i).toString(e)),r&&n.push(p)}return e.dirty.delete(t),n.join(``)}function w(e,t){return typeof t==`string`?e.bundle._transform(t):C(e,t)}var ee=class{constructor(e,t,n){this.dirty=new WeakSet,this.params=null,this.placeables=0,this.bundle=e,this.errors=t,this.args=n}reportError(e){if(!this.errors||!(e instanceof Error))throw e;this.errors.push(e)}memoizeIntlObject(e,t){let n=this.bundle._intls.get(e);n||(n={},this.bundle._intls.set(e,n));let r=JSON.stringify(t);return n[r]||(n[r]=new e(this.bundle.locales,t)),n[r]}};function te(e,t){let n=Object.create(null);for(let[r,i]of Object.entries(e))t.includes(r)&&(n[r]=i.valueOf());return n}var ne=[`unitDisplay`,`currencyDisplay`,`useGrouping`,`minimumIntegerDigits`,`minimumFractionDigits`,`maximumFractionDigits`,`minimumSignificantDigits`,`maximumSignificantDigits`];function re(e,t){let n=e[0];if(n instanceof c)return new c(`NUMBER(${n.valueOf()})`);if(n instanceof l)return new l(n.valueOf(),{...n.opts,...te(t,ne)});if(n instanceof u)return new l(n.toNumber(),{...te(t,ne)});throw TypeError(`Invalid argument to NUMBER`)}var ie=[`dateStyle`,`timeStyle`,`fractionalSecondDigits`,`dayPeriod`,`hour12`,`weekday`,`era`,`year`,`month`,`day`,`hour`,`minute`,`second`,`timeZoneName`];function ae(e,t){let n=e[0];if(n instanceof c)return new c(`DATETIME(${n.valueOf()})`);if(n instanceof u||n instanceof l)return new u(n,te(t,ie));throw TypeError(`Invalid argument to DATETIME`)}var oe=new Map;function se(e){let t=Array.isArray(e)?e.join(` `):e,n=oe.get(t);return n===void 0&&(n=new Map,oe.set(t,n)),n}var ce=class{constructor(e,{functions:t,useIsolating:n=!0,transform:r=e=>e}={}){this._terms=new Map,this._messages=new Map,this.locales=Array.isArray(e)?e:[e],this._functions={NUMBER:re,DATETIME:ae,...t},this._useIsolating=n,this._transform=r,this._intls=se(e)}hasMessage(e){return this._messages.has(e)}getMessage(e){return this._messages.get(e)}addResource(e,{allowOverrides:t=!1}={}){let n=[];for(let r=0;r<e.body.length;r++){let i=e.body[r];if(i.id.startsWith(`-`)){if(t===!1&&this._terms.has(i.id)){n.push(Error(`Attempt to override an existing term: "${i.id}"`));continue}this._terms.set(i.id,i)}else{if(t===!1&&this._messages.has(i.id)){n.push(Error(`Attempt to override an existing message: "${i.id}"`));continue}this._messages.set(i.id,i)}}return n}formatPattern(e,t=null,n=null){if(typeof e==`string`)return this._transform(e);let r=new ee(this,n,t);try{return C(r,e).toString(r)}catch(e){if(r.errors&&e instanceof Error)return r.errors.push(e),new c().toString(r);throw e}}},le=/^(-?[a-zA-Z][\w-]*) *= */gm,ue=/\.([a-zA-Z][\w-]*) *= */y,de=/\*?\[/y,fe=/(-?[0-9]+(?:\.([0-9]+))?)/y,pe=/([a-zA-Z][\w-]*)/y,me=/([$-])?([a-zA-Z][\w-]*)(?:\.([a-zA-Z][\w-]*))?/y,he=/^[A-Z][A-Z0-9_-]*$/,ge=/([^{}\n\r]+)/y,_e=/([^\\"\n\r]*)/y,ve=/\\([\\"])/y,ye=/\\u([a-fA-F0-9]{4})|\\U([a-fA-F0-9]{6})/y,be=/^\n+/,xe=/ +$/,Se=/ *\r?\n/g,Ce=/( *)$/,we=/{\s*/y,Te=/\s*}/y,Ee=/\[\s*/y,De=/\s*] */y,Oe=/\s*\(\s*/y,ke=/\s*->\s*/y,Ae=/\s*:\s*/y,je=/\s*,?\s*/y,Me=/\s+/y,Ne=class{constructor(e){this.body=[],le.lastIndex=0;let t=0;for(;;){let n=le.exec(e);if(n===null)break;t=le.lastIndex;try{this.body.push(s(n[1]))}catch(e){if(e instanceof SyntaxError)continue;throw e}}function n(n){return n.lastIndex=t,n.test(e)}function r(n,r){if(e[t]===n)return t++,!0;if(r)throw new r(`Expected ${n}`);return!1}function i(e,r){if(n(e))return t=e.lastIndex,!0;if(r)throw new r(`Expected ${e.toString()}`);return!1}function a(n){n.lastIndex=t;let r=n.exec(e);if(r===null)throw SyntaxError(`Expected ${n.toString()}`);return t=n.lastIndex,r}function o(e){return a(e)[1]}function s(e){let t=l(),n=c();if(t===null&&Object.keys(n).length===0)throw SyntaxError(`Expected message value or attributes`);return{id:e,value:t,attributes:n}}function c(){let e=Object.create(null);for(;n(ue);){let t=o(ue),n=l();if(n===null)throw SyntaxError(`Expected attribute value`);e[t]=n}return e}function l(){let r;if(n(ge)&&(r=o(ge)),e[t]===`{`||e[t]===`}`)return u(r?[r]:[],1/0);let i=x();return i?r?u([r,i],i.length):(i.value=S(i.value,be),u([i],i.length)):r?S(r,xe):null}function u(r=[],i){for(;;){if(n(ge)){r.push(o(ge));continue}if(e[t]===`{`){r.push(d());continue}if(e[t]===`}`)throw SyntaxError(`Unbalanced closing brace`);let a=x();if(a)r.push(a),i=Math.min(i,a.length);else break}let a=r.length-1,s=r[a];typeof s==`string`&&(r[a]=S(s,xe));let c=[];for(let e of r)e instanceof Pe&&(e=e.value.slice(0,e.value.length-i)),e&&c.push(e);return c}function d(){i(we,SyntaxError);let e=f();if(i(Te))return e;if(i(ke)){let t=h();return i(Te,SyntaxError),{type:`select`,selector:e,...t}}throw SyntaxError(`Unclosed placeable`)}function f(){if(e[t]===`{`)return d();if(n(me)){let[,e,t,n=null]=a(me);if(e===`$`)return{type:`var`,name:t};if(i(Oe)){let r=p();if(e===`-`)return{type:`term`,name:t,attr:n,args:r};if(he.test(t))return{type:`func`,name:t,args:r};throw SyntaxError(`Function names must be all upper-case`)}return e===`-`?{type:`term`,name:t,attr:n,args:[]}:{type:`mesg`,name:t,attr:n}}return _()}function p(){let n=[];for(;;){switch(e[t]){case`)`:return t++,n;case void 0:throw SyntaxError(`Unclosed argument list`)}n.push(m()),i(je)}}function m(){let e=f();return e.type===`mesg`&&i(Ae)?{type:`narg`,name:e.name,value:_()}:e}function h(){let e=[],t=0,i;for(;n(de);){r(`*`)&&(i=t);let n=g(),a=l();if(a===null)throw SyntaxError(`Expected variant value`);e[t++]={key:n,value:a}}if(t===0)return null;if(i===void 0)throw SyntaxError(`Expected default variant`);return{variants:e,star:i}}function g(){i(Ee,SyntaxError);let e;return e=n(fe)?v():{type:`str`,value:o(pe)},i(De,SyntaxError),e}function _(){if(n(fe))return v();if(e[t]===`"`)return y();throw SyntaxError(`Invalid expression`)}function v(){let[,e,t=``]=a(fe),n=t.length;return{type:`num`,value:parseFloat(e),precision:n}}function y(){r(`"`,SyntaxError);let n=``;for(;;)if(n+=o(_e),e[t]===`\\`)n+=b();else{if(r(`"`))return{type:`str`,value:n};throw SyntaxError(`Unclosed string literal`)}}function b(){if(n(ve))return o(ve);if(n(ye)){let[,e,t]=a(ye),n=parseInt(e||t,16);return n<=55295||57344<=n?String.fromCodePoint(n):`�`}throw SyntaxError(`Unknown escape sequence`)}function x(){let n=t;switch(i(Me),e[t]){case`.`:case`[`:case`*`:case`}`:case void 0:return!1;case`{`:return C(e.slice(n,t))}return e[t-1]===` `&&C(e.slice(n,t))}function S(e,t){return e.replace(t,``)}function C(e){let t=e.replace(Se,`
`),n=Ce.exec(e)[1].length;return new Pe(t,n)}}},Pe=class{constructor(e,t){this.value=e,this.length=t}},Fe=`# Deutsch. Was die Seite sagt; was die Regeln sagen, kommt aus deren eigenen Katalogen.

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
`,Ie=`# English. What the page says; what the Laws say comes from the rules' own catalogues.

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
`;function Le(e,t){let n=new ce(e,{useIsolating:!1});return n.addResource(new Ne(t)),n}var Re={en:Le(`en`,Ie),de:Le(`de`,Fe)},ze=`adoube-language`,T=Be();function Be(){return(localStorage.getItem(ze)??navigator.language.slice(0,2))===`de`?`de`:`en`}var Ve=()=>T;function He(e){T=e,document.documentElement.lang=e}function Ue(e){He(e),localStorage.setItem(ze,e)}function We(e,t){let n=Re[T],r=n.getMessage(e);return r?.value?n.formatPattern(r.value,t):e}var Ge={de:{Q:`D`,R:`T`,B:`L`,N:`S`}},Ke=e=>e.replace(/[QRBN]/g,e=>Ge[T]?.[e]??e),qe=e=>Re[T].hasMessage(e),Je=[`white`,`black`],E=[`a`,`b`,`c`,`d`,`e`,`f`,`g`,`h`],D=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`],Ye=[...D].reverse(),O=E.flatMap(e=>D.map(t=>e+t)),k=e=>e.every(e=>e>=0&&e<=7)?O[8*e[0]+e[1]]:void 0,A=e=>k(e),j=e=>[e.charCodeAt(0)-97,e.charCodeAt(1)-49],Xe=O.map(j),Ze=O.map((e,t)=>({key:e,pos:Xe[t]}));function Qe(e){let t,n=()=>(t===void 0&&(t=e()),t);return n.clear=()=>{t=void 0},n}var $e=()=>{let e;return{start(){e=performance.now()},cancel(){e=void 0},stop(){if(!e)return 0;let t=performance.now()-e;return e=void 0,t}}},M=e=>e===`white`?`black`:`white`,N=(e,t)=>(e[0]-t[0])**2+(e[1]-t[1])**2,et=(e,t)=>e.role===t.role&&e.color===t.color,tt=(e,t)=>e[0]===t[0]&&e[1]===t[1],P=e=>(t,n)=>[(n?t[0]:7-t[0])*e.width/8,(n?7-t[1]:t[1])*e.height/8],F=(e,t)=>{e.style.transform=`translate(${t[0]}px,${t[1]}px)`},nt=(e,t,n=1)=>{e.style.transform=`translate(${t[0]}px,${t[1]}px) scale(${n})`},I=(e,t)=>{e.style.display=t?``:`none`},L=e=>{if(e.clientX||e.clientX===0)return[e.clientX,e.clientY];if(e.targetTouches?.[0])return[e.targetTouches[0].clientX,e.targetTouches[0].clientY]},rt=Qe(()=>!(`ontouchstart`in window)&&[`macintosh`,`firefox`].every(e=>navigator.userAgent.toLowerCase().includes(e))),it=e=>e.button===2&&!(e.ctrlKey&&rt()),R=(e,t)=>{let n=document.createElement(e);return t&&(n.className=t),n};function at(e,t,n){let r=j(e);return t||(r[0]=7-r[0],r[1]=7-r[1]),[n.left+n.width*r[0]/8+n.width/16,n.top+n.height*(7-r[1])/8+n.height/16]}var z=(e,t)=>Math.abs(e-t),ot=(e,t,n,r)=>z(e,n)*z(t,r)===2,st=(e,t,n,r)=>e===n!=(t===r),ct=(e,t,n,r)=>z(e,n)===z(t,r)&&e!==n,lt=(e,t,n,r)=>st(e,t,n,r)||ct(e,t,n,r),ut=(e,t,n,r)=>Math.max(z(e,n),z(t,r))===1,dt=(e,t,n,r,i)=>{let a=i?1:-1;return e===n&&(r===t+a||r===t+2*a&&(i?t<=1:t>=6))},ft=(e,t,n,r)=>{let i=n-e,a=r-t;if(i&&a&&Math.abs(i)!==Math.abs(a))return[];let o=Math.sign(i),s=Math.sign(a),c=[],l=e+o,u=t+s;for(;l!==n||u!==r;)c.push([l,u]),l+=o,u+=s;return c.map(k).filter(e=>e!==void 0)},B=(e,t)=>t.animation.enabled?_t(e,t):V(e,t);function V(e,t){let n=e(t);return t.dom.redraw(),n}var pt=(e,t)=>({key:e,pos:j(e),piece:t}),mt=(e,t)=>t.sort((t,n)=>N(e.pos,t.pos)-N(e.pos,n.pos))[0];function ht(e,t){let n=new Map,r=[],i=new Map,a=[],o=[],s=new Map,c,l,u;for(let[t,n]of e)s.set(t,pt(t,n));for(let e of O)c=t.pieces.get(e),l=s.get(e),c?l?et(c,l.piece)||(a.push(l),o.push(pt(e,c))):o.push(pt(e,c)):l&&a.push(l);for(let e of o)l=mt(e,a.filter(t=>et(e.piece,t.piece))),l&&(u=[l.pos[0]-e.pos[0],l.pos[1]-e.pos[1]],n.set(e.key,u.concat(u)),r.push(l.key));for(let e of a)r.includes(e.key)||i.set(e.key,e.piece);return{anims:n,fadings:i}}function gt(e,t){let n=e.animation.current;if(n===void 0){e.dom.destroyed||e.dom.redrawNow();return}let r=1-(t-n.start)*n.frequency;if(r<=0)e.animation.current=void 0,e.dom.redrawNow();else{let t=vt(r);for(let e of n.plan.anims.values())e[2]=e[0]*t,e[3]=e[1]*t;e.dom.redrawNow(!0),requestAnimationFrame((t=performance.now())=>gt(e,t))}}function _t(e,t){let n=new Map(t.pieces),r=e(t),i=ht(n,t);if(i.anims.size||i.fadings.size){let e=t.animation.current&&t.animation.current.start;t.animation.current={start:performance.now(),frequency:1/t.animation.duration,plan:i},e||gt(t,performance.now())}else t.dom.redraw();return r}var vt=e=>e<.5?4*e*e*e:(e-1)*(2*e-2)*(2*e-2)+1,yt=e=>z(e.orig.pos[0],e.dest.pos[0])<=1&&(z(e.orig.pos[0],e.dest.pos[0])===1?e.dest.pos[1]===e.orig.pos[1]+(e.color===`white`?1:-1):dt(...e.orig.pos,...e.dest.pos,e.color===`white`)),bt=e=>ot(...e.orig.pos,...e.dest.pos),xt=e=>ct(...e.orig.pos,...e.dest.pos),St=e=>st(...e.orig.pos,...e.dest.pos),Ct={pawn:yt,knight:bt,bishop:xt,rook:St,queen:e=>xt(e)||St(e),king:e=>ut(...e.orig.pos,...e.dest.pos)||e.orig.pos[1]===e.dest.pos[1]&&e.orig.pos[1]===(e.color===`white`?0:7)&&(e.orig.pos[0]===4&&(e.dest.pos[0]===2&&e.rookFilesFriendlies.includes(0)||e.dest.pos[0]===6&&e.rookFilesFriendlies.includes(7))||e.rookFilesFriendlies.includes(e.dest.pos[0]))};function wt(e,t){let n=e.pieces,r=n.get(t);if(!r||r.color===e.turnColor)return[];let i=r.color,a=new Map([...n].filter(([e,t])=>t.color===i)),o=new Map([...n].filter(([e,t])=>t.color===M(i))),s={key:t,pos:j(t)},c=t=>Ct[r.role](t)&&e.premovable.additionalPremoveRequirements(t),l={orig:s,role:r.role,allPieces:n,friendlies:a,enemies:o,color:i,rookFilesFriendlies:Array.from(n).filter(([e,t])=>e[1]===(i===`white`?`1`:`8`)&&t.color===i&&t.role===`rook`).map(([e])=>j(e)[0]),lastMove:e.lastMove};return Ze.filter(e=>c({...l,dest:e})).map(e=>e.key)}function H(e,...t){e&&setTimeout(()=>e(...t),1)}function Tt(e){e.orientation=M(e.orientation),e.animation.current=e.draggable.current=e.selected=void 0}function Et(e,t){for(let[n,r]of t)r?e.pieces.set(n,r):e.pieces.delete(n)}function Dt(e,t){if(e.check=void 0,t===!0&&(t=e.turnColor),t)for(let[n,r]of e.pieces)r.role===`king`&&r.color===t&&(e.check=n)}function Ot(e,t,n,r){W(e),e.premovable.current=[t,n],H(e.premovable.events.set,t,n,r)}function U(e){e.premovable.current&&(e.premovable.current=void 0,H(e.premovable.events.unset))}function kt(e,t,n){U(e),e.predroppable.current={role:t,key:n},H(e.predroppable.events.set,t,n)}function W(e){let t=e.predroppable;t.current&&(t.current=void 0,H(t.events.unset))}function At(e,t,n){if(!e.autoCastle)return!1;let r=e.pieces.get(t);if(!r||r.role!==`king`)return!1;let i=j(t),a=j(n);if(i[1]!==0&&i[1]!==7||i[1]!==a[1])return!1;i[0]===4&&!e.pieces.has(n)&&(a[0]===6?n=A([7,a[1]]):a[0]===2&&(n=A([0,a[1]])));let o=e.pieces.get(n);return!o||o.color!==r.color||o.role!==`rook`?!1:(e.pieces.delete(t),e.pieces.delete(n),i[0]<a[0]?(e.pieces.set(A([6,a[1]]),r),e.pieces.set(A([5,a[1]]),o)):(e.pieces.set(A([2,a[1]]),r),e.pieces.set(A([3,a[1]]),o)),!0)}function jt(e,t,n){let r=e.pieces.get(t),i=e.pieces.get(n);if(t===n||!r)return!1;let a=i&&i.color!==r.color?i:void 0;return n===e.selected&&G(e),H(e.events.move,t,n,a),At(e,t,n)||(e.pieces.set(n,r),e.pieces.delete(t)),e.lastMove=[t,n],e.check=void 0,H(e.events.change),a||!0}function Mt(e,t,n,r){if(e.pieces.has(n)){if(r)e.pieces.delete(n);else return!1}return H(e.events.dropNewPiece,t,n),e.pieces.set(n,t),e.lastMove=[n],e.check=void 0,H(e.events.change),e.movable.dests=void 0,e.turnColor=M(e.turnColor),!0}function Nt(e,t,n){let r=jt(e,t,n);return r&&(e.movable.dests=void 0,e.turnColor=M(e.turnColor),e.animation.current=void 0),r}function Pt(e,t,n){if(zt(e,t,n)){let r=Nt(e,t,n);if(r){let i=e.hold.stop();G(e);let a={premove:!1,ctrlKey:e.stats.ctrlKey,holdTime:i};return r!==!0&&(a.captured=r),H(e.movable.events.after,t,n,a),!0}}else if(Ht(e,t,n))return Ot(e,t,n,{ctrlKey:e.stats.ctrlKey}),G(e),!0;return G(e),!1}function Ft(e,t,n,r){let i=e.pieces.get(t);i&&(Bt(e,t,n)||r)?(e.pieces.delete(t),Mt(e,i,n,r),H(e.movable.events.afterNewPiece,i.role,n,{premove:!1,predrop:!1})):i&&Ut(e,t,n)?kt(e,i.role,n):(U(e),W(e)),e.pieces.delete(t),G(e)}function It(e,t,n){if(H(e.events.select,t),e.selected){if(e.selected===t&&!e.draggable.enabled){G(e),e.hold.cancel();return}if((e.selectable.enabled||n)&&e.selected!==t&&Pt(e,e.selected,t)){e.stats.dragged=!1;return}}(e.selectable.enabled||e.draggable.enabled)&&(Rt(e,t)||Vt(e,t))&&(Lt(e,t),e.hold.start())}function Lt(e,t){e.selected=t,Vt(e,t)?e.premovable.customDests||(e.premovable.dests=wt(e,t)):e.premovable.dests=void 0}function G(e){e.selected=void 0,e.premovable.dests=void 0,e.hold.cancel()}function Rt(e,t){let n=e.pieces.get(t);return!!n&&(e.movable.color===`both`||e.movable.color===n.color&&e.turnColor===n.color)}var zt=(e,t,n)=>t!==n&&Rt(e,t)&&(e.movable.free||!!e.movable.dests?.get(t)?.includes(n));function Bt(e,t,n){let r=e.pieces.get(t);return!!r&&(t===n||!e.pieces.has(n))&&(e.movable.color===`both`||e.movable.color===r.color&&e.turnColor===r.color)}function Vt(e,t){let n=e.pieces.get(t);return!!n&&e.premovable.enabled&&e.movable.color===n.color&&e.turnColor!==n.color}var Ht=(e,t,n)=>t!==n&&Vt(e,t)&&(e.premovable.customDests?.get(t)??wt(e,t)).includes(n);function Ut(e,t,n){let r=e.pieces.get(t),i=e.pieces.get(n);return!!r&&(!i||i.color!==e.movable.color)&&e.predroppable.enabled&&(r.role!==`pawn`||n[1]!==`1`&&n[1]!==`8`)&&e.movable.color===r.color&&e.turnColor!==r.color}function Wt(e,t){let n=e.pieces.get(t);return!!n&&e.draggable.enabled&&(e.movable.color===`both`||e.movable.color===n.color&&(e.turnColor===n.color||e.premovable.enabled))}function Gt(e){let t=e.premovable.current;if(!t)return!1;let n=t[0],r=t[1],i=!1;if(zt(e,n,r)){let t=Nt(e,n,r);if(t){let a={premove:!0};t!==!0&&(a.captured=t),H(e.movable.events.after,n,r,a),i=!0}}return U(e),i}function Kt(e,t){let n=e.predroppable.current,r=!1;return n?(t(n)&&Mt(e,{role:n.role,color:e.movable.color},n.key)&&(H(e.movable.events.afterNewPiece,n.role,n.key,{premove:!1,predrop:!0}),r=!0),W(e),r):!1}function qt(e){U(e),W(e),G(e)}function Jt(e){e.movable.color=e.movable.dests=e.animation.current=void 0,qt(e)}function K(e,t,n){let r=Math.floor(8*(e[0]-n.left)/n.width);t||(r=7-r);let i=7-Math.floor(8*(e[1]-n.top)/n.height);return t||(i=7-i),r>=0&&r<8&&i>=0&&i<8?k([r,i]):void 0}function Yt(e,t,n,r){let i=j(e),a=Xe.filter(e=>tt(i,e)||lt(i[0],i[1],e[0],e[1])||ot(i[0],i[1],e[0],e[1])),o=a.map(e=>at(A(e),n,r)).map(e=>N(t,e)),[,s]=o.reduce((e,t,n)=>e[0]<t?e:[t,n],[o[0],0]);return k(a[s])}var q=e=>e.orientation===`white`,Xt=`rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR`,Zt={p:`pawn`,r:`rook`,n:`knight`,b:`bishop`,q:`queen`,k:`king`},Qt={pawn:`p`,rook:`r`,knight:`n`,bishop:`b`,queen:`q`,king:`k`};function $t(e){e===`start`&&(e=Xt);let t=new Map,n=7,r=0;for(let i of e)switch(i){case` `:case`[`:return t;case`/`:if(--n,n<0)return t;r=0;break;case`~`:{let e=k([r-1,n]),i=e&&t.get(e);i&&(i.promoted=!0);break}default:{let e=i.charCodeAt(0);if(e<57)r+=e-48;else{let e=i.toLowerCase(),a=k([r,n]);a&&t.set(a,{role:Zt[e],color:i===e?`black`:`white`}),++r}}}return t}function en(e){return Ye.map(t=>E.map(n=>{let r=e.get(n+t);if(r){let e=Qt[r.role];return r.color===`white`&&(e=e.toUpperCase()),r.promoted&&(e+=`~`),e}return`1`}).join(``)).join(`/`).replace(/1{2,}/g,e=>e.length.toString())}function tn(e,t){t.animation&&(rn(e.animation,t.animation),(e.animation.duration||0)<70&&(e.animation.enabled=!1))}function nn(e,t){if(t.movable?.dests&&(e.movable.dests=void 0),t.drawable?.autoShapes&&(e.drawable.autoShapes=[]),rn(e,t),t.fen&&(e.pieces=$t(t.fen),e.drawable.shapes=t.drawable?.shapes||[]),`check`in t&&Dt(e,t.check||!1),`lastMove`in t&&!t.lastMove?e.lastMove=void 0:t.lastMove&&(e.lastMove=t.lastMove),e.selected&&Lt(e,e.selected),tn(e,t),!e.movable.rookCastle&&e.movable.dests){let t=e.movable.color===`white`?`1`:`8`,n=`e`+t,r=e.movable.dests.get(n),i=e.pieces.get(n);if(!r||!i||i.role!==`king`)return;e.movable.dests.set(n,r.filter(e=>!(e===`a`+t&&r.includes(`c`+t))&&!(e===`h`+t&&r.includes(`g`+t))))}}function rn(e,t){for(let n in t)n!==`__proto__`&&n!==`constructor`&&Object.prototype.hasOwnProperty.call(t,n)&&(Object.prototype.hasOwnProperty.call(e,n)&&an(e[n])&&an(t[n])?rn(e[n],t[n]):e[n]=t[n])}function an(e){if(typeof e!=`object`||!e)return!1;let t=Object.getPrototypeOf(e);return t===Object.prototype||t===null}var on=[`green`,`red`,`blue`,`yellow`];function sn(e,t){if(t.touches&&t.touches.length>1)return;t.stopPropagation(),t.preventDefault(),t.ctrlKey?G(e):qt(e);let n=L(t),r=K(n,q(e),e.dom.bounds());r&&(e.drawable.current={orig:r,pos:n,brush:hn(t),snapToValidMove:e.drawable.defaultSnapToValidMove},cn(e))}function cn(e){requestAnimationFrame(()=>{let t=e.drawable.current;if(t){let n=K(t.pos,q(e),e.dom.bounds());n||(t.snapToValidMove=!1);let r=t.snapToValidMove?Yt(t.orig,t.pos,q(e),e.dom.bounds()):n;r!==t.mouseSq&&(t.mouseSq=r,t.dest=r===t.orig?void 0:r,e.dom.redrawNow()),cn(e)}})}function ln(e,t){e.drawable.current&&(e.drawable.current.pos=L(t))}function un(e){let t=e.drawable.current;t&&(t.mouseSq&&gn(e.drawable,t),dn(e))}function dn(e){e.drawable.current&&(e.drawable.current=void 0,e.dom.redraw())}function fn(e){e.drawable.shapes.length&&(e.drawable.shapes=[],e.dom.redraw(),_n(e.drawable))}var pn=(e,t)=>e.orig===t.orig&&e.dest===t.dest,mn=(e,t)=>e.brush===t.brush;function hn(e){let t=(e.shiftKey||e.ctrlKey)&&it(e),n=e.altKey||e.metaKey||e.getModifierState?.(`AltGraph`);return on[+!!t+(n?2:0)]}function gn(e,t){let n=e.shapes.find(e=>pn(e,t));n&&(e.shapes=e.shapes.filter(e=>!pn(e,t))),n&&mn(n,t)||e.shapes.push({orig:t.orig,dest:t.dest,brush:t.brush}),_n(e)}function _n(e){e.onChange&&e.onChange(e.shapes)}function vn(e,t){if(!(e.trustAllEvents||t.isTrusted)||t.buttons!==void 0&&t.buttons>1||t.touches&&t.touches.length>1)return;let n=e.dom.bounds(),r=L(t),i=K(r,q(e),n);if(!i)return;let a=e.pieces.get(i),o=e.selected;if(!o&&e.drawable.enabled&&(e.drawable.eraseOnMovablePieceClick||!a||a.color!==e.turnColor)&&fn(e),t.cancelable!==!1&&(!t.touches||e.blockTouchScroll||a||o||yn(e,r)))t.preventDefault();else if(t.touches)return;let s=!!e.premovable.current,c=!!e.predroppable.current;e.stats.ctrlKey=t.ctrlKey,e.selected&&zt(e,e.selected,i)?B(e=>It(e,i),e):It(e,i);let l=e.selected===i,u=On(e,i);if(a&&u&&l&&Wt(e,i)){e.draggable.current={orig:i,piece:a,origPos:r,pos:r,started:e.draggable.autoDistance&&e.stats.dragged,element:u,previouslySelected:o,originTarget:t.target,keyHasChanged:!1},u.cgDragging=!0,u.classList.add(`dragging`);let s=e.dom.elements.ghost;s&&(s.className=`ghost ${a.color} ${a.role}`,F(s,P(n)(j(i),q(e))),I(s,!0)),xn(e)}else s&&U(e),c&&W(e);e.dom.redraw()}function yn(e,t){let n=q(e),r=e.dom.bounds(),i=(e.touchIgnoreRadius*r.width/16)**2*2;for(let a of e.pieces.keys())if(N(at(a,n,r),t)<=i)return!0;return!1}function bn(e,t,n,r){e.pieces.set(`a0`,t),e.dom.redraw();let i=L(n);e.draggable.current={orig:`a0`,piece:t,origPos:i,pos:i,started:!0,element:()=>On(e,`a0`),originTarget:n.target,newPiece:!0,force:!!r,keyHasChanged:!1},xn(e)}function xn(e){requestAnimationFrame(()=>{let t=e.draggable.current;if(!t)return;e.animation.current?.plan.anims.has(t.orig)&&(e.animation.current=void 0);let n=e.pieces.get(t.orig);if(!n||!et(n,t.piece))En(e);else if(!t.started&&N(t.pos,t.origPos)>=e.draggable.distance**2&&(t.started=!0),t.started){if(typeof t.element==`function`){let e=t.element();if(!e)return;e.cgDragging=!0,e.classList.add(`dragging`),t.element=e}let n=e.dom.bounds();F(t.element,[t.pos[0]-n.left-n.width/16,t.pos[1]-n.top-n.height/16]),e.jsHover?Sn(e,t):t.keyHasChanged||=t.orig!==K(t.pos,q(e),n)}xn(e)})}function Sn(e,t){let n=K(t.pos,q(e),e.dom.bounds());if(t.orig!==n){if(t.keyHasChanged=!0,n){if(e.movable.dests?.get(t.orig)?.includes(n)??e.premovable.dests?.includes(n)){let t=e.dom.elements.board.querySelector(`.move-dest[data-key="${n}"], .premove-dest[data-key="${n}"]`);t&&!t.classList.contains(`hover`)&&(Cn(e),t.classList.add(`hover`))}else Cn(e)}}else Cn(e)}function Cn(e){let t=e.dom.elements.board.querySelectorAll(`.move-dest, .premove-dest`);t.length>0&&t.forEach(e=>e.classList.remove(`hover`))}function wn(e,t){e.draggable.current&&(!t.touches||t.touches.length<2)&&(e.draggable.current.pos=L(t))}function Tn(e,t){let n=e.draggable.current;if(!n)return;if(t.type===`touchend`&&t.cancelable!==!1&&t.preventDefault(),t.type===`touchend`&&n.originTarget!==t.target&&!n.newPiece){e.draggable.current=void 0;return}U(e),W(e);let r=K(L(t)||n.pos,q(e),e.dom.bounds());r&&n.started&&n.orig!==r?n.newPiece?Ft(e,n.orig,r,n.force):(e.stats.ctrlKey=t.ctrlKey,Pt(e,n.orig,r)&&(e.stats.dragged=!0)):n.newPiece?e.pieces.delete(n.orig):e.draggable.deleteOnDropOff&&!r&&(e.pieces.delete(n.orig),H(e.events.change)),(n.orig===n.previouslySelected||n.keyHasChanged)&&(n.orig===r||!r)?G(e):e.selectable.enabled||G(e),Dn(e),e.draggable.current=void 0,e.dom.redraw()}function En(e){let t=e.draggable.current;t&&(t.newPiece&&e.pieces.delete(t.orig),e.draggable.current=void 0,G(e),Dn(e),e.dom.redraw())}function Dn(e){let t=e.dom.elements;t.ghost&&I(t.ghost,!1)}function On(e,t){let n=e.dom.elements.board.firstChild;for(;n;){if(n.cgKey===t&&n.tagName===`PIECE`)return n;n=n.nextSibling}}function kn(e,t){e.exploding={stage:1,keys:t},e.dom.redraw(),setTimeout(()=>{An(e,2),setTimeout(()=>An(e,void 0),120)},120)}function An(e,t){e.exploding&&(t?e.exploding.stage=t:e.exploding=void 0,e.dom.redraw())}function jn(e,t){function n(){Tt(e),t()}return{set(t){t.orientation&&t.orientation!==e.orientation&&n(),tn(e,t),(t.fen?B:V)(e=>nn(e,t),e)},state:e,getFen:()=>en(e.pieces),toggleOrientation:n,setPieces(t){B(e=>Et(e,t),e)},selectSquare(t,n){t?B(e=>It(e,t,n),e):e.selected&&(G(e),e.dom.redraw())},move(t,n){B(e=>jt(e,t,n),e)},newPiece(t,n){B(e=>Mt(e,t,n),e)},playPremove(){if(e.premovable.current){if(B(Gt,e))return!0;e.dom.redraw()}return!1},playPredrop(t){if(e.predroppable.current){let n=Kt(e,t);return e.dom.redraw(),n}return!1},cancelPremove(){V(U,e)},cancelPredrop(){V(W,e)},cancelMove(){V(e=>{qt(e),En(e)},e)},stop(){V(e=>{Jt(e),En(e)},e)},explode(t){kn(e,t)},setAutoShapes(t){V(e=>e.drawable.autoShapes=t,e)},setShapes(t){V(e=>e.drawable.shapes=t.slice(),e)},getKeyAtDomPos(t){return K(t,q(e),e.dom.bounds())},redrawAll:t,dragNewPiece(t,n,r){bn(e,t,n,r)},destroy(){Jt(e),e.dom.unbind?.(),e.dom.destroyed=!0}}}function Mn(e,t,n){let r=new Map,i=[];for(let t of e)r.set(t.hash,!1);let a=t.firstElementChild,o;for(;a;)o=a.getAttribute(`cgHash`),r.has(o)?r.set(o,!0):i.push(a),a=a.nextElementSibling;for(let e of i)t.removeChild(e);for(let i of e)r.get(i.hash)||t.appendChild(n(i))}function Nn(e,t){Mn(e.drawable.autoShapes.filter(e=>e.piece).map(e=>({shape:e,hash:In(e),current:!1,pendingErase:!1})),t,t=>Fn(e,t,e.dom.bounds()))}function Pn(e){let t=q(e),n=P(e.dom.bounds()),r=e.dom.elements.autoPieces?.firstChild;for(;r;)nt(r,n(j(r.cgKey),t),r.cgScale),r=r.nextSibling}function Fn(e,{shape:t,hash:n},r){let i=t.orig,a=t.piece?.role,o=t.piece?.color,s=t.piece?.scale,c=R(`piece`,`${a} ${o}`);return c.setAttribute(`cgHash`,n),c.cgKey=i,c.cgScale=s,nt(c,P(r)(j(i),q(e)),s),c}var In=e=>[e.orig,e.piece?.role,e.piece?.color,e.piece?.scale].join(`,`);function Ln(e,t){if(!e.dropmode.active)return;U(e),W(e);let n=e.dropmode.piece;if(n){e.pieces.set(`a0`,n);let r=L(t),i=r&&K(r,q(e),e.dom.bounds());i&&Ft(e,`a0`,i)}e.dom.redraw()}function Rn(e){let t=e.dom.elements.board;if((e.disableContextMenu||e.drawable.enabled)&&t.addEventListener(`contextmenu`,e=>e.preventDefault()),e.viewOnly)return;let n=Bn(e);t.addEventListener(`touchstart`,n,{passive:!1}),t.addEventListener(`mousedown`,n,{passive:!1})}function zn(e,t){let n=[];if(`ResizeObserver`in window){let r=new ResizeObserver(t);r.observe(e.dom.elements.wrap),n.push(()=>r.disconnect())}else n.push(J(document.body,`chessground.resize`,t));if(!e.viewOnly){let t=Vn(e,wn,ln),r=Vn(e,Tn,un);for(let e of[`touchmove`,`mousemove`])n.push(J(document,e,t));for(let e of[`touchend`,`mouseup`])n.push(J(document,e,r));let i=()=>e.dom.bounds.clear();n.push(J(document,`scroll`,i,{capture:!0,passive:!0})),n.push(J(window,`resize`,i,{passive:!0}))}return()=>n.forEach(e=>e())}function J(e,t,n,r){return e.addEventListener(t,n,r),()=>e.removeEventListener(t,n,r)}var Bn=e=>t=>{e.draggable.current?En(e):e.drawable.current?dn(e):t.shiftKey||it(t)?e.drawable.enabled&&sn(e,t):e.viewOnly||(e.dropmode.active?Ln(e,t):vn(e,t))},Vn=(e,t,n)=>r=>{e.drawable.current?e.drawable.enabled&&n(e,r):e.viewOnly||t(e,r)};function Hn(e){let t=q(e),n=P(e.dom.bounds()),r=e.dom.elements.board,i=e.pieces,a=e.animation.current,o=a?a.plan.anims:new Map,s=a?a.plan.fadings:new Map,c=e.draggable.current,l=new Set,u=new Map,d=Xn(e),f=new Map,p,m,h,g,_,v,y,b,x;for(m=r.firstChild;m;){if(p=m.cgKey,Gn(m)){if(h=i.get(p),_=o.get(p),v=s.get(p),g=m.cgPiece,m.cgDragging&&(!c||c.orig!==p)&&(m.classList.remove(`dragging`),F(m,n(j(p),t)),m.cgDragging=!1),!v&&m.cgFading&&(m.cgFading=!1,m.classList.remove(`fading`)),h){if(_&&m.cgAnimating&&g===Y(h)){let e=j(p);e[0]+=_[2],e[1]+=_[3],m.classList.add(`anim`),F(m,n(e,t))}else m.cgAnimating&&(m.cgAnimating=!1,m.classList.remove(`anim`),F(m,n(j(p),t)),e.addPieceZIndex&&(m.style.zIndex=Jn(j(p),t)));g===Y(h)&&(!v||!m.cgFading)?l.add(p):v&&g===Y(v)?(m.classList.add(`fading`),m.cgFading=!0):Zn(u,g,m)}else Zn(u,g,m)}else if(Kn(m)){let e=m.className;d.get(p)===e?(I(m,!0),d.delete(p)):Zn(f,e,m)}m=m.nextSibling}for(let[i,a]of d){x=f.get(a)?.pop();let o=n(j(i),t);if(x)x.cgKey=i,e.jsHover&&(x.dataset.key=i),F(x,o),I(x,!0);else{let t=R(`square`,a);t.cgKey=i,e.jsHover&&(t.dataset.key=i),F(t,o),r.insertBefore(t,r.firstChild)}}for(let[,e]of f.entries())for(let t of e)I(t,!1);for(let[a,s]of i)if(_=o.get(a),!l.has(a)){if(y=u.get(Y(s)),b=y&&y.pop(),b){b.cgKey=a,b.cgFading&&(b.classList.remove(`fading`),b.cgFading=!1);let r=j(a);e.addPieceZIndex&&(b.style.zIndex=Jn(r,t)),_&&(b.cgAnimating=!0,b.classList.add(`anim`),r[0]+=_[2],r[1]+=_[3]),F(b,n(r,t))}else{let i=Y(s),o=R(`piece`,i),c=j(a);o.cgPiece=i,o.cgKey=a,_&&(o.cgAnimating=!0,c[0]+=_[2],c[1]+=_[3]),F(o,n(c,t)),e.addPieceZIndex&&(o.style.zIndex=Jn(c,t)),r.appendChild(o)}}for(let t of u.values())qn(e,t)}function Un(e){let t=q(e),n=P(e.dom.bounds()),r=e.dom.elements.board.firstChild;for(;r;)(Gn(r)&&!r.cgAnimating||Kn(r))&&F(r,n(j(r.cgKey),t)),r=r.nextSibling}function Wn(e){let t=e.dom.elements.wrap.getBoundingClientRect(),n=e.dom.elements.container,r=t.height/t.width,i=Math.floor(t.width*window.devicePixelRatio/8)*8/window.devicePixelRatio,a=i*r;n.style.width=i+`px`,n.style.height=a+`px`,e.dom.bounds.clear(),e.addDimensionsCssVarsTo?.style.setProperty(`---cg-width`,i+`px`),e.addDimensionsCssVarsTo?.style.setProperty(`---cg-height`,a+`px`)}var Gn=e=>e.tagName===`PIECE`,Kn=e=>e.tagName===`SQUARE`;function qn(e,t){for(let n of t)e.dom.elements.board.removeChild(n)}function Jn(e,t){let n=e[1];return`${t?10-n:3+n}`}var Y=e=>`${e.color} ${e.role}`,Yn=(e,t)=>e.lastMove?.[1]&&!e.pieces.has(e.lastMove[1])&&e.lastMove[0][0]===`e`&&[`h`,`a`].includes(e.lastMove[1][0])&&e.lastMove[0][1]===e.lastMove[1][1]&&ft(...j(e.lastMove[0]),...j(e.lastMove[1])).some(t=>e.pieces.has(t))?(t>e.lastMove[0]?`g`:`c`)+t[1]:t;function Xn(e){let t=new Map;if(e.lastMove&&e.highlight.lastMove)for(let[n,r]of e.lastMove.entries())X(t,n===1?Yn(e,r):r,`last-move`);if(e.check&&e.highlight.check&&X(t,e.check,`check`),e.selected&&(X(t,e.selected,`selected`),e.movable.showDests)){for(let n of e.movable.dests?.get(e.selected)??[])X(t,n,`move-dest`+(e.pieces.has(n)?` oc`:``));for(let n of e.premovable.customDests?.get(e.selected)??e.premovable.dests??[])X(t,n,`premove-dest`+(e.pieces.has(n)?` oc`:``))}let n=e.premovable.current;if(n)for(let e of n)X(t,e,`current-premove`);else e.predroppable.current&&X(t,e.predroppable.current.key,`current-premove`);let r=e.exploding;if(r)for(let e of r.keys)X(t,e,`exploding`+r.stage);return e.highlight.custom&&e.highlight.custom.forEach((e,n)=>{X(t,n,e)}),t}function X(e,t,n){let r=e.get(t);r?e.set(t,`${r} ${n}`):e.set(t,n)}function Zn(e,t,n){let r=e.get(t);r?r.push(n):e.set(t,[n])}function Qn(){return{pieces:$t(Xt),orientation:`white`,turnColor:`white`,coordinates:!0,coordinatesOnSquares:!1,ranksPosition:`right`,autoCastle:!0,viewOnly:!1,disableContextMenu:!1,addPieceZIndex:!1,blockTouchScroll:!1,touchIgnoreRadius:1,pieceKey:!1,trustAllEvents:!1,jsHover:!1,highlight:{lastMove:!0,check:!0},animation:{enabled:!0,duration:200},movable:{free:!0,color:`both`,showDests:!0,events:{},rookCastle:!0},premovable:{enabled:!0,showDests:!0,castle:!0,additionalPremoveRequirements:e=>!0,events:{}},predroppable:{enabled:!1,events:{}},draggable:{enabled:!0,distance:3,autoDistance:!0,showGhost:!0,deleteOnDropOff:!1},dropmode:{active:!1},selectable:{enabled:!0},stats:{dragged:!(`ontouchstart`in window)},events:{},drawable:{enabled:!0,visible:!0,defaultSnapToValidMove:!0,eraseOnMovablePieceClick:!0,shapes:[],autoShapes:[],brushes:{green:{key:`g`,color:`#15781B`,opacity:1,lineWidth:10},red:{key:`r`,color:`#882020`,opacity:1,lineWidth:10},blue:{key:`b`,color:`#003088`,opacity:1,lineWidth:10},yellow:{key:`y`,color:`#e68f00`,opacity:1,lineWidth:10},paleBlue:{key:`pb`,color:`#003088`,opacity:.4,lineWidth:15},paleGreen:{key:`pg`,color:`#15781B`,opacity:.4,lineWidth:15},paleRed:{key:`pr`,color:`#882020`,opacity:.4,lineWidth:15},paleGrey:{key:`pgr`,color:`#4a4a4a`,opacity:.35,lineWidth:15},purple:{key:`purple`,color:`#68217a`,opacity:.65,lineWidth:10},pink:{key:`pink`,color:`#ee2080`,opacity:.5,lineWidth:10},white:{key:`white`,color:`white`,opacity:1,lineWidth:10},paleWhite:{key:`pwhite`,color:`white`,opacity:.6,lineWidth:10},variation:{key:`variation`,color:`white`,opacity:.5,lineWidth:12}},prevSvgHash:``},hold:$e()}}function $n(){let e=Z(`defs`),t=Q(Z(`filter`),{id:`cg-filter-blur`});return t.appendChild(Q(Z(`feGaussianBlur`),{stdDeviation:`0.013`})),e.appendChild(t),e}function er(e,t){let n=e.drawable,r=n.current,i=r&&r.mouseSq?r:void 0,a=new Map,o=e.dom.bounds(),s=n.autoShapes.filter(e=>!e.piece);for(let t of n.shapes.concat(s).concat(i?[i]:[])){if(!t.dest)continue;let n=a.get(t.dest)??new Set,r=$(fr(j(t.orig),e.orientation),o),i=$(fr(j(t.dest),e.orientation),o);n.add(Tr(Er(r,i))),a.set(t.dest,n)}let c=[],l=i?n.shapes.findIndex(e=>pn(e,i)&&mn(e,i)):-1;for(let[e,t]of n.shapes.concat(s).entries()){let n=l!==-1&&l===e;c.push({shape:t,current:!1,pendingErase:n,hash:rr(t,gr(t.dest,a),!1,o,n,_r(t.dest,a))})}i&&l===-1&&c.push({shape:i,current:!0,hash:rr(i,gr(i.dest,a),!0,o,!1,_r(i.dest,a)),pendingErase:!1});let u=c.map(e=>e.hash).join(`;`);u!==e.drawable.prevSvgHash&&(e.drawable.prevSvgHash=u,tr(n,c,t),nr(c,t,t=>sr(e,t,n.brushes,a,o)))}function tr(e,t,n){for(let r of[n.shapes,n.shapesBelow]){let i=r.querySelector(`defs`),a=t.filter(e=>r===n.shapesBelow==!!e.shape.below),o=new Map;for(let t of a.filter(e=>e.shape.dest&&e.shape.brush)){let n=vr(e.brushes[t.shape.brush],t.shape.modifiers),{key:r,color:i}=xr(t.shape);r&&i&&o.set(r,{key:r,color:i,opacity:1,lineWidth:1}),o.set(n.key,n)}let s=new Set,c=i.firstElementChild;for(;c;)s.add(c.getAttribute(`cgKey`)),c=c.nextElementSibling;for(let[e,t]of o.entries())s.has(e)||i.appendChild(ur(t))}}function nr(e,t,n){for(let[r,i]of[[t.shapes,t.custom],[t.shapesBelow,t.customBelow]]){let[a,o]=[r,i].map(e=>e.querySelector(`g`)),s=e.filter(e=>r===t.shapesBelow==!!e.shape.below),c=new Map;for(let e of s)c.set(e.hash,!1);for(let e of[a,o]){let t=[],n=e.firstElementChild,r;for(;n;)r=n.getAttribute(`cgHash`),c.has(r)?c.set(r,!0):t.push(n),n=n.nextElementSibling;for(let n of t)e.removeChild(n)}for(let e of s.filter(e=>!c.get(e.hash)))for(let t of n(e))t.isCustom?o.appendChild(t.el):a.appendChild(t.el)}}function rr({orig:e,dest:t,brush:n,piece:r,modifiers:i,customSvg:a,label:o,below:s},c,l,u,d,f){return[u.width,u.height,l,d&&`pendingErase`,f,e,t,n,c&&`-`,r&&ir(r),i&&ar(i),a&&`custom-${or(a.html)},${a.center?.[0]??`o`}`,o&&`label-${or(o.text)}`,s&&`below`].filter(Boolean).join(`,`)}var ir=e=>[e.color,e.role,e.scale].filter(Boolean).join(`,`),ar=e=>[e.lineWidth,e.hilite].filter(Boolean).join(`,`);function or(e){let t=0;for(let n=0;n<e.length;n++)t=(t<<5)-t+e.charCodeAt(n)>>>0;return t.toString()}function sr(e,{shape:t,current:n,pendingErase:r,hash:i},a,o,s){let c=$(fr(j(t.orig),e.orientation),s),l=t.dest?$(fr(j(t.dest),e.orientation),s):c,u=t.brush&&vr(a[t.brush],t.modifiers),d=o.get(t.dest),f=[];if(u){let e=Q(Z(`g`),{cgHash:i});f.push({el:e}),c[0]!==l[0]||c[1]!==l[1]?e.appendChild(lr(t,u,c,l,n,gr(t.dest,o),r)):e.appendChild(cr(a[t.brush],c,n,s,r,t.modifiers?.hilite))}if(t.label){let e=t.label;e.fill??=t.brush&&a[t.brush].color;let n=t.brush?void 0:`tr`;f.push({el:dr(e,i,c,l,d,n),isCustom:!0})}if(t.customSvg){let e=t.customSvg.center??`orig`,[n,r]=e===`label`?Or(c,l,d).map(e=>e-.5):e===`dest`?l:c,a=Q(Z(`g`),{transform:`translate(${n},${r})`,cgHash:i});a.innerHTML=`<svg width="1" height="1" viewBox="0 0 100 100">${t.customSvg.html}</svg>`,f.push({el:a,isCustom:!0})}return f}function cr(e,t,n,r,i,a){let o=yr(),s=(r.width+r.height)/(4*Math.max(r.width,r.height));function c(r){return Q(Z(`circle`),{stroke:r?a:e.color,"stroke-width":o[+!n]*(r?2:1),fill:`none`,opacity:a&&!i?1:Sr(e,n,i),cx:t[0],cy:t[1],r:s-o[1]/2})}if(!a)return c(!1);let l=Q(Z(`g`),{opacity:e.opacity}),u=Q(Z(`g`),{filter:`url(#cg-filter-blur)`});return u.appendChild(c(!0)),l.appendChild(u),l.appendChild(c(!1)),l}function lr(e,t,n,r,i,a,o){function s(s){let c=Cr(a&&!i),l=r[0]-n[0],u=r[1]-n[1],d=Math.atan2(u,l),f=Math.cos(d)*c,p=Math.sin(d)*c,m=xr(e);return Q(Z(`line`),{stroke:s?m.color:t.color,"stroke-width":br(t,i)*(s?1.14:1),"stroke-linecap":`round`,"marker-end":`url(#arrowhead-${s?m.key:t.key})`,opacity:e.modifiers?.hilite&&!o?1:Sr(t,i,o),x1:n[0],y1:n[1],x2:r[0]-f,y2:r[1]-p})}if(!e.modifiers?.hilite)return s(!1);let c=Q(Z(`g`),{opacity:t.opacity}),l=Q(Z(`g`),{filter:`url(#cg-filter-blur)`});return l.appendChild(wr(n,r)),l.appendChild(s(!0)),c.appendChild(l),c.appendChild(s(!1)),c}function ur(e){let t=Q(Z(`marker`),{id:`arrowhead-`+e.key,orient:`auto`,overflow:`visible`,markerWidth:4,markerHeight:4,refX:e.key.startsWith(`hilite`)?1.86:2.05,refY:2});return t.appendChild(Q(Z(`path`),{d:`M0,0 V4 L3,2 Z`,fill:e.color})),t.setAttribute(`cgKey`,e.key),t}function dr(e,t,n,r,i,a){let o=.4,s=o*.75**e.text.length,c=Or(n,r,i),l=a===`tr`?.4:0,u=Q(Z(`g`),{transform:`translate(${c[0]+l},${c[1]-l})`,cgHash:t});u.appendChild(Q(Z(`circle`),{r:o/2,"fill-opacity":a?1:.8,"stroke-opacity":a?1:.7,"stroke-width":.03,fill:e.fill??`#666`,stroke:`white`}));let d=Q(Z(`text`),{"font-size":s,"font-family":`Noto Sans`,"text-anchor":`middle`,fill:`white`,y:.13*.75**e.text.length});return d.innerHTML=e.text,u.appendChild(d),u}var fr=(e,t)=>t===`white`?e:[7-e[0],7-e[1]],pr=(e,t)=>(e%t+t)%t,mr=(e,t)=>pr(e+t,16),hr=e=>[...e].some(t=>[-3,-2,-1,1,2,3].some(n=>e.has(mr(t,n)))),gr=(e,t)=>!!e&&t.has(e)&&hr(t.get(e)),Z=e=>document.createElementNS(`http://www.w3.org/2000/svg`,e),_r=(e,t)=>e&&t.has(e)?t.get(e).size:0;function Q(e,t){for(let n in t)Object.prototype.hasOwnProperty.call(t,n)&&e.setAttribute(n,t[n]);return e}var vr=(e,t)=>t?{color:e.color,opacity:Math.round(e.opacity*10)/10,lineWidth:Math.round(t.lineWidth||e.lineWidth),key:[e.key,t.lineWidth].filter(Boolean).join(``)}:e,yr=()=>[3/64,4/64],br=(e,t)=>(e.lineWidth||10)*(t?.85:1)/64;function xr(e){let t=e.modifiers?.hilite;return{key:t&&`hilite-${t.replace(`#`,``)}`,color:t}}var Sr=(e,t,n)=>(e.opacity||1)*(n?.6:t?.9:1),Cr=e=>(e?20:10)/64;function $(e,t){let n=Math.min(1,t.width/t.height),r=Math.min(1,t.height/t.width);return[(e[0]-3.5)*n,(3.5-e[1])*r]}function wr(e,t){let n={from:[Math.floor(Math.min(e[0],t[0])),Math.floor(Math.min(e[1],t[1]))],to:[Math.ceil(Math.max(e[0],t[0])),Math.ceil(Math.max(e[1],t[1]))]};return Q(Z(`rect`),{x:n.from[0],y:n.from[1],width:n.to[0]-n.from[0],height:n.to[1]-n.from[1],fill:`none`,stroke:`none`})}var Tr=e=>pr(Math.round(e*8/Math.PI),16),Er=(e,t)=>Math.atan2(t[1]-e[1],t[0]-e[0])+Math.PI,Dr=(e,t)=>Math.sqrt([e[0]-t[0],e[1]-t[1]].reduce((e,t)=>e+t*t,0));function Or(e,t,n){let r=Dr(e,t),i=Er(e,t);if(n&&(r-=33/64,hr(n))){r-=10/64;let e=Tr(i);e&1&&[-1,1].some(t=>n.has(mr(e,t)))&&(r-=.4)}return[e[0]-Math.cos(i)*r,e[1]-Math.sin(i)*r].map(e=>e+.5)}function kr(e,t){e.innerHTML=``,e.classList.add(`cg-wrap`);for(let n of Je)e.classList.toggle(`orientation-`+n,t.orientation===n);e.classList.toggle(`manipulable`,!t.viewOnly);let n=R(`cg-container`);e.appendChild(n);let r=R(`cg-board`);n.appendChild(r);let i,a,o,s,c;if(t.drawable.visible&&([i,a]=[`cg-shapes-below`,`cg-shapes`].map(e=>Ar(e,!0)),[o,s]=[`cg-custom-below`,`cg-custom-svgs`].map(e=>Ar(e,!1)),c=R(`cg-auto-pieces`),n.appendChild(i),n.appendChild(o),n.appendChild(a),n.appendChild(s),n.appendChild(c)),t.coordinates){let e=t.orientation===`black`?` black`:``,r=t.ranksPosition===`left`?` left`:``;if(t.coordinatesOnSquares){let i=t.orientation===`white`?e=>e+1:e=>8-e;E.forEach((t,a)=>n.appendChild(jr(D.map(e=>t+e),`squares rank`+i(a)+e+r,a%2==0?`black`:`white`)))}else n.appendChild(jr(D,`ranks`+e+r,t.ranksPosition===`right`==(t.orientation===`white`)?`white`:`black`)),n.appendChild(jr(E,`files`+e,M(t.orientation)))}let l;return!t.viewOnly&&t.draggable.enabled&&t.draggable.showGhost&&(l=R(`piece`,`ghost`),I(l,!1),n.appendChild(l)),{board:r,container:n,wrap:e,ghost:l,shapes:a,shapesBelow:i,custom:s,customBelow:o,autoPieces:c}}function Ar(e,t){let n=Q(Z(`svg`),{class:e,viewBox:t?`-4 -4 8 8`:`-3.5 -3.5 8 8`,preserveAspectRatio:`xMidYMid slice`,style:`color-scheme:light only`});return t&&n.appendChild($n()),n.appendChild(Z(`g`)),n}function jr(e,t,n){let r=R(`coords`,t),i;return e.forEach((e,t)=>{i=R(`coord`,`coord-${t%2==(n===`white`?0:1)?`light`:`dark`}`),i.textContent=e,r.appendChild(i)}),r}function Mr(e,t){let n=Qn();nn(n,t||{});function r(){let t=`dom`in n?n.dom.unbind:void 0,r=kr(e,n),i=Qe(()=>r.board.getBoundingClientRect()),a=e=>{Hn(s),r.autoPieces&&Nn(s,r.autoPieces),!e&&r.shapes&&er(s,r)},o=()=>{Wn(s),Un(s),r.autoPieces&&Pn(s)},s=n;return s.dom={elements:r,bounds:i,redraw:Nr(a),redrawNow:a,unbind:t},s.drawable.prevSvgHash=``,Wn(s),a(!1),Rn(s),t||(s.dom.unbind=zn(s,o)),s.events.insert?.(r),s}return jn(r(),r)}function Nr(e){let t=!1;return()=>{t||(t=!0,requestAnimationFrame(()=>{e(),t=!1}))}}export{He as a,i as c,n as d,t as f,Ue as i,e as l,a as m,Ve as n,We as o,r as p,qe as r,Ke as s,Mr as t,o as u};