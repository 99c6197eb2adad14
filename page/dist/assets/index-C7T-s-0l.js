var e=(e,t)=>{let n=[`viewer`,`reviewer`,`arbiter`,`administrator`];return n.indexOf(e)>=n.indexOf(t)},t=class extends Error{status;constructor(e,t){super(t),this.status=e}};async function n(e,n,r){let i=r===void 0?{}:{"content-type":`application/json`},a=r===void 0?null:JSON.stringify(r),o=await fetch(n,{method:e,headers:i,body:a});if(!o.ok){let e=await o.json().catch(()=>({}));throw new t(o.status,e.error??o.statusText)}return o}var r=async(e,t,r)=>(await n(e,t,r)).json(),i=e=>r(`GET`,e),a=()=>i(`/api/me`),o=()=>i(`/api/boards`),s=()=>i(`/api/incidents`),c=(e,t)=>i(`/api/incidents/${e}?lang=${t}`),l=(e,t)=>`/api/incidents/${e}/frames/${t}`,u=(e,t,r)=>n(`POST`,`/api/claim`,{code:e,name:t,password:r}),d=(e,t)=>n(`POST`,`/api/login`,{name:e,password:t}),f=()=>n(`POST`,`/api/logout`),p=(e,t,r)=>n(`POST`,`/api/incidents/${e}/ruling`,{ruling:t,note:r}),m=e=>n(`DELETE`,`/api/incidents/${e}/ruling`),h=e=>`/api/incidents/${e}/export`,g=(e,t)=>n(t?`POST`:`DELETE`,`/api/incidents/${e}/hold`),_=async()=>(await i(`/api/key`)).public_key,v=(e,t)=>n(`POST`,`/api/incidents/${e}/correction`,{correction:t}),y=e=>n(`DELETE`,`/api/incidents/${e}/correction`),b=(e,t={})=>n(`POST`,`/api/boards/${e}/new-game`,t),x=e=>i(`/api/boards/${e}/game`),ee=(e,t)=>n(`POST`,`/api/boards/${e}/position`,{fen:t}),te=(e,t)=>n(`POST`,`/api/boards/${e}/last-move`,{uci:t}),ne=(e,t)=>n(`POST`,`/api/boards/${e}/players`,t),re=async e=>(await n(`POST`,`/api/pairings`,{text:e})).json(),ie=(e,t,r)=>n(`POST`,`/api/boards`,{name:e,source:t,start:r}),ae=e=>n(`DELETE`,`/api/boards/${e}`),oe=e=>n(`POST`,`/api/boards/${e}/look-again`),se=()=>i(`/api/users`),ce=(e,t)=>r(`POST`,`/api/users`,{name:e,role:t}),le=(e,t)=>n(`PATCH`,`/api/users/${e}`,t),ue=e=>r(`POST`,`/api/users/${e}/code`),de=()=>i(`/api/sessions`),fe=e=>n(`DELETE`,`/api/sessions/${e}`),pe=()=>i(`/api/keys`),me=e=>r(`POST`,`/api/keys`,{name:e}),he=e=>n(`DELETE`,`/api/keys/${e}`),ge=e=>i(`/api/log${e===void 0?``:`?before=${e}`}`),_e=()=>i(`/api/alerts`),ve=(e,t)=>n(`PUT`,`/api/alerts/${e}`,{in_use:t}),ye=e=>i(`/api/boards/${e}/place`),be=(e,t)=>r(`POST`,`/api/boards/${e}/place/look`,{corners:t}),xe=(e,t)=>r(`PUT`,`/api/boards/${e}/place`,{corners:t}),Se=e=>n(`DELETE`,`/api/boards/${e}/place`);function S(e,t={},...n){let r=document.createElement(e);for(let[e,n]of Object.entries(t))n!==void 0&&n!==!1&&(typeof n==`function`?r.addEventListener(e.slice(2),n):r.setAttribute(e,n===!0?``:String(n)));for(let e of n)e&&r.append(e);return r}function C(e,t={},...n){let r=document.createElementNS(`http://www.w3.org/2000/svg`,e);for(let[e,n]of Object.entries(t))r.setAttribute(e,String(n));return r.append(...n),r}var Ce=e=>(e<0?`−`:`+`)+(Math.abs(e)/1e3).toFixed(2),we=(e,t)=>new Date(e).toLocaleTimeString(t,{hour:`2-digit`,minute:`2-digit`,second:`2-digit`,hour12:!1}),Te=({white:e,black:t})=>e||t?`${e||`?`} \u2013 ${t||`?`}`:``,w=class{constructor(e){this.value=e}valueOf(){return this.value}},T=class extends w{constructor(e=`???`){super(e)}toString(e){return`{${this.value}}`}},E=class extends w{constructor(e,t={}){super(e),this.opts=t}toString(e){if(e)try{return e.memoizeIntlObject(Intl.NumberFormat,this.opts).format(this.value)}catch(t){e.reportError(t)}return this.value.toString(10)}},D=class e extends w{static supportsValue(t){if(typeof t==`number`||t instanceof Date)return!0;if(t instanceof w)return e.supportsValue(t.valueOf());if(`Temporal`in globalThis){let e=globalThis.Temporal;if(t instanceof e.Instant||t instanceof e.PlainDateTime||t instanceof e.PlainDate||t instanceof e.PlainMonthDay||t instanceof e.PlainTime||t instanceof e.PlainYearMonth)return!0}return!1}constructor(t,n={}){t instanceof e?(n={...t.opts,...n},t=t.value):t instanceof w&&(t=t.valueOf()),typeof t==`object`&&`calendarId`in t&&n.calendar===void 0&&(n={...n,calendar:t.calendarId}),super(t),this.opts=n}[Symbol.toPrimitive](e){return e===`string`?this.toString():this.toNumber()}toNumber(){let e=this.value;if(typeof e==`number`)return e;if(e instanceof Date)return e.getTime();if(`epochMilliseconds`in e)return e.epochMilliseconds;if(`toZonedDateTime`in e)return e.toZonedDateTime(`UTC`).epochMilliseconds;throw TypeError(`Unwrapping a non-number value as a number`)}toString(e){if(e)try{return e.memoizeIntlObject(Intl.DateTimeFormat,this.opts).format(this.value)}catch(t){e.reportError(t)}return typeof this.value==`number`||this.value instanceof Date?new Date(this.value).toISOString():this.value.toString()}},Ee=100,De=`⁨`,Oe=`⁩`;function ke(e,t,n){return n===t||n instanceof E&&t instanceof E&&n.value===t.value||t instanceof E&&typeof n==`string`&&n===e.memoizeIntlObject(Intl.PluralRules,t.opts).select(t.value)}function Ae(e,t,n){return t[n]?k(e,t[n].value):(e.reportError(RangeError(`No default`)),new T)}function je(e,t){let n=[],r=Object.create(null);for(let i of t)i.type===`narg`?r[i.name]=O(e,i.value):n.push(O(e,i));return{positional:n,named:r}}function O(e,t){switch(t.type){case`str`:return t.value;case`num`:return new E(t.value,{minimumFractionDigits:t.precision});case`var`:return Me(e,t);case`mesg`:return Ne(e,t);case`term`:return Pe(e,t);case`func`:return Fe(e,t);case`select`:return Ie(e,t);default:return new T}}function Me(e,{name:t}){let n;if(e.params){if(Object.prototype.hasOwnProperty.call(e.params,t))n=e.params[t];else return new T(`$${t}`)}else if(e.args&&Object.prototype.hasOwnProperty.call(e.args,t))n=e.args[t];else return e.reportError(ReferenceError(`Unknown variable: $${t}`)),new T(`$${t}`);if(n instanceof w)return n;switch(typeof n){case`string`:return n;case`number`:return new E(n);case`object`:if(D.supportsValue(n))return new D(n);default:return e.reportError(TypeError(`Variable type not supported: $${t}, ${typeof n}`)),new T(`$${t}`)}}function Ne(e,{name:t,attr:n}){let r=e.bundle._messages.get(t);if(!r)return e.reportError(ReferenceError(`Unknown message: ${t}`)),new T(t);if(n){let i=r.attributes[n];return i?k(e,i):(e.reportError(ReferenceError(`Unknown attribute: ${n}`)),new T(`${t}.${n}`))}return r.value?k(e,r.value):(e.reportError(ReferenceError(`No value: ${t}`)),new T(t))}function Pe(e,{name:t,attr:n,args:r}){let i=`-${t}`,a=e.bundle._terms.get(i);if(!a)return e.reportError(ReferenceError(`Unknown term: ${i}`)),new T(i);if(n){let t=a.attributes[n];if(t){e.params=je(e,r).named;let n=k(e,t);return e.params=null,n}return e.reportError(ReferenceError(`Unknown attribute: ${n}`)),new T(`${i}.${n}`)}e.params=je(e,r).named;let o=k(e,a.value);return e.params=null,o}function Fe(e,{name:t,args:n}){let r=e.bundle._functions[t];if(!r)return e.reportError(ReferenceError(`Unknown function: ${t}()`)),new T(`${t}()`);if(typeof r!=`function`)return e.reportError(TypeError(`Function ${t}() is not callable`)),new T(`${t}()`);try{let t=je(e,n);return r(t.positional,t.named)}catch(n){return e.reportError(n),new T(`${t}()`)}}function Ie(e,{selector:t,variants:n,star:r}){let i=O(e,t);if(i instanceof T)return Ae(e,n,r);for(let t of n)if(ke(e,i,O(e,t.key)))return k(e,t.value);return Ae(e,n,r)}function Le(e,t){if(e.dirty.has(t))return e.reportError(RangeError(`Cyclic reference`)),new T;e.dirty.add(t);let n=[],r=e.bundle._useIsolating&&t.length>1;for(let i of t)if(typeof i==`string`)n.push(e.bundle._transform(i));else{if(e.placeables++,e.placeables>Ee)throw e.dirty.delete(t),RangeError(`Too many placeables expanded: ${e.placeables}, max allowed is ${Ee}`);r&&n.push(De),n.push(O(e,i).toString(e)),r&&n.push(Oe)}return e.dirty.delete(t),n.join(``)}function k(e,t){return typeof t==`string`?e.bundle._transform(t):Le(e,t)}var Re=class{constructor(e,t,n){this.dirty=new WeakSet,this.params=null,this.placeables=0,this.bundle=e,this.errors=t,this.args=n}reportError(e){if(!this.errors||!(e instanceof Error))throw e;this.errors.push(e)}memoizeIntlObject(e,t){let n=this.bundle._intls.get(e);n||(n={},this.bundle._intls.set(e,n));let r=JSON.stringify(t);return n[r]||(n[r]=new e(this.bundle.locales,t)),n[r]}};function ze(e,t){let n=Object.create(null);for(let[r,i]of Object.entries(e))t.includes(r)&&(n[r]=i.valueOf());return n}var Be=[`unitDisplay`,`currencyDisplay`,`useGrouping`,`minimumIntegerDigits`,`minimumFractionDigits`,`maximumFractionDigits`,`minimumSignificantDigits`,`maximumSignificantDigits`];function Ve(e,t){let n=e[0];if(n instanceof T)return new T(`NUMBER(${n.valueOf()})`);if(n instanceof E)return new E(n.valueOf(),{...n.opts,...ze(t,Be)});if(n instanceof D)return new E(n.toNumber(),{...ze(t,Be)});throw TypeError(`Invalid argument to NUMBER`)}var He=[`dateStyle`,`timeStyle`,`fractionalSecondDigits`,`dayPeriod`,`hour12`,`weekday`,`era`,`year`,`month`,`day`,`hour`,`minute`,`second`,`timeZoneName`];function Ue(e,t){let n=e[0];if(n instanceof T)return new T(`DATETIME(${n.valueOf()})`);if(n instanceof D||n instanceof E)return new D(n,ze(t,He));throw TypeError(`Invalid argument to DATETIME`)}var We=new Map;function Ge(e){let t=Array.isArray(e)?e.join(` `):e,n=We.get(t);return n===void 0&&(n=new Map,We.set(t,n)),n}var Ke=class{constructor(e,{functions:t,useIsolating:n=!0,transform:r=e=>e}={}){this._terms=new Map,this._messages=new Map,this.locales=Array.isArray(e)?e:[e],this._functions={NUMBER:Ve,DATETIME:Ue,...t},this._useIsolating=n,this._transform=r,this._intls=Ge(e)}hasMessage(e){return this._messages.has(e)}getMessage(e){return this._messages.get(e)}addResource(e,{allowOverrides:t=!1}={}){let n=[];for(let r=0;r<e.body.length;r++){let i=e.body[r];if(i.id.startsWith(`-`)){if(t===!1&&this._terms.has(i.id)){n.push(Error(`Attempt to override an existing term: "${i.id}"`));continue}this._terms.set(i.id,i)}else{if(t===!1&&this._messages.has(i.id)){n.push(Error(`Attempt to override an existing message: "${i.id}"`));continue}this._messages.set(i.id,i)}}return n}formatPattern(e,t=null,n=null){if(typeof e==`string`)return this._transform(e);let r=new Re(this,n,t);try{return Le(r,e).toString(r)}catch(e){if(r.errors&&e instanceof Error)return r.errors.push(e),new T().toString(r);throw e}}},qe=/^(-?[a-zA-Z][\w-]*) *= */gm,Je=/\.([a-zA-Z][\w-]*) *= */y,Ye=/\*?\[/y,Xe=/(-?[0-9]+(?:\.([0-9]+))?)/y,Ze=/([a-zA-Z][\w-]*)/y,Qe=/([$-])?([a-zA-Z][\w-]*)(?:\.([a-zA-Z][\w-]*))?/y,$e=/^[A-Z][A-Z0-9_-]*$/,et=/([^{}\n\r]+)/y,tt=/([^\\"\n\r]*)/y,nt=/\\([\\"])/y,rt=/\\u([a-fA-F0-9]{4})|\\U([a-fA-F0-9]{6})/y,it=/^\n+/,at=/ +$/,ot=/ *\r?\n/g,st=/( *)$/,ct=/{\s*/y,lt=/\s*}/y,ut=/\[\s*/y,dt=/\s*] */y,ft=/\s*\(\s*/y,pt=/\s*->\s*/y,mt=/\s*:\s*/y,ht=/\s*,?\s*/y,gt=/\s+/y,_t=class{constructor(e){this.body=[],qe.lastIndex=0;let t=0;for(;;){let n=qe.exec(e);if(n===null)break;t=qe.lastIndex;try{this.body.push(s(n[1]))}catch(e){if(e instanceof SyntaxError)continue;throw e}}function n(n){return n.lastIndex=t,n.test(e)}function r(n,r){if(e[t]===n)return t++,!0;if(r)throw new r(`Expected ${n}`);return!1}function i(e,r){if(n(e))return t=e.lastIndex,!0;if(r)throw new r(`Expected ${e.toString()}`);return!1}function a(n){n.lastIndex=t;let r=n.exec(e);if(r===null)throw SyntaxError(`Expected ${n.toString()}`);return t=n.lastIndex,r}function o(e){return a(e)[1]}function s(e){let t=l(),n=c();if(t===null&&Object.keys(n).length===0)throw SyntaxError(`Expected message value or attributes`);return{id:e,value:t,attributes:n}}function c(){let e=Object.create(null);for(;n(Je);){let t=o(Je),n=l();if(n===null)throw SyntaxError(`Expected attribute value`);e[t]=n}return e}function l(){let r;if(n(et)&&(r=o(et)),e[t]===`{`||e[t]===`}`)return u(r?[r]:[],1/0);let i=x();return i?r?u([r,i],i.length):(i.value=ee(i.value,it),u([i],i.length)):r?ee(r,at):null}function u(r=[],i){for(;;){if(n(et)){r.push(o(et));continue}if(e[t]===`{`){r.push(d());continue}if(e[t]===`}`)throw SyntaxError(`Unbalanced closing brace`);let a=x();if(a)r.push(a),i=Math.min(i,a.length);else break}let a=r.length-1,s=r[a];typeof s==`string`&&(r[a]=ee(s,at));let c=[];for(let e of r)e instanceof vt&&(e=e.value.slice(0,e.value.length-i)),e&&c.push(e);return c}function d(){i(ct,SyntaxError);let e=f();if(i(lt))return e;if(i(pt)){let t=h();return i(lt,SyntaxError),{type:`select`,selector:e,...t}}throw SyntaxError(`Unclosed placeable`)}function f(){if(e[t]===`{`)return d();if(n(Qe)){let[,e,t,n=null]=a(Qe);if(e===`$`)return{type:`var`,name:t};if(i(ft)){let r=p();if(e===`-`)return{type:`term`,name:t,attr:n,args:r};if($e.test(t))return{type:`func`,name:t,args:r};throw SyntaxError(`Function names must be all upper-case`)}return e===`-`?{type:`term`,name:t,attr:n,args:[]}:{type:`mesg`,name:t,attr:n}}return _()}function p(){let n=[];for(;;){switch(e[t]){case`)`:return t++,n;case void 0:throw SyntaxError(`Unclosed argument list`)}n.push(m()),i(ht)}}function m(){let e=f();return e.type===`mesg`&&i(mt)?{type:`narg`,name:e.name,value:_()}:e}function h(){let e=[],t=0,i;for(;n(Ye);){r(`*`)&&(i=t);let n=g(),a=l();if(a===null)throw SyntaxError(`Expected variant value`);e[t++]={key:n,value:a}}if(t===0)return null;if(i===void 0)throw SyntaxError(`Expected default variant`);return{variants:e,star:i}}function g(){i(ut,SyntaxError);let e;return e=n(Xe)?v():{type:`str`,value:o(Ze)},i(dt,SyntaxError),e}function _(){if(n(Xe))return v();if(e[t]===`"`)return y();throw SyntaxError(`Invalid expression`)}function v(){let[,e,t=``]=a(Xe),n=t.length;return{type:`num`,value:parseFloat(e),precision:n}}function y(){r(`"`,SyntaxError);let n=``;for(;;)if(n+=o(tt),e[t]===`\\`)n+=b();else{if(r(`"`))return{type:`str`,value:n};throw SyntaxError(`Unclosed string literal`)}}function b(){if(n(nt))return o(nt);if(n(rt)){let[,e,t]=a(rt),n=parseInt(e||t,16);return n<=55295||57344<=n?String.fromCodePoint(n):`�`}throw SyntaxError(`Unknown escape sequence`)}function x(){let n=t;switch(i(gt),e[t]){case`.`:case`[`:case`*`:case`}`:case void 0:return!1;case`{`:return te(e.slice(n,t))}return e[t-1]===` `&&te(e.slice(n,t))}function ee(e,t){return e.replace(t,``)}function te(e){let t=e.replace(ot,`
`),n=st.exec(e)[1].length;return new vt(t,n)}}},vt=class{constructor(e,t){this.value=e,this.length=t}},yt=`# Deutsch. Was die Seite sagt; was die Regeln sagen, kommt aus deren eigenen Katalogen.

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
`,bt=`# English. What the page says; what the Laws say comes from the rules' own catalogues.

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
`;function xt(e,t){let n=new Ke(e,{useIsolating:!1});return n.addResource(new _t(t)),n}var St={en:xt(`en`,bt),de:xt(`de`,yt)},Ct=`adoube-language`,wt=Tt();function Tt(){return(localStorage.getItem(Ct)??navigator.language.slice(0,2))===`de`?`de`:`en`}var A=()=>wt;function Et(e){wt=e,localStorage.setItem(Ct,e),document.documentElement.lang=e}function j(e,t){let n=St[wt],r=n.getMessage(e);return r?.value?n.formatPattern(r.value,t):e}var Dt=e=>St[wt].hasMessage(e),Ot=[`viewer`,`reviewer`,`arbiter`,`administrator`],kt=e=>new Date(e).toLocaleString(A(),{dateStyle:`medium`,timeStyle:`medium`,hour12:!1});function At(e){return Object.entries(e??{}).filter(([,e])=>e!==null&&e!==``).map(([e,t])=>`${e}: ${typeof t==`object`?JSON.stringify(t):String(t)}`).join(`, `)}var jt=class{boards;close;element=S(`section`,{class:`admin`,role:`dialog`,"aria-modal":`true`,"aria-labelledby":`admin-title`});said=S(`p`,{class:`said`,role:`alert`});secret=S(`div`,{class:`secret`,role:`status`});people=S(`tbody`);sessions=S(`tbody`);keys=S(`tbody`);alerts=S(`div`,{class:`switches`});log=S(`tbody`);older=S(`button`,{type:`button`,onclick:()=>void this.attempt(()=>this.more())},j(`log-older`));oldest;constructor(e,t){this.boards=e,this.close=t;let n=(e,...t)=>S(`section`,{"aria-labelledby":e},S(`h3`,{id:e},j(e)),...t);this.element.append(S(`header`,{},S(`h2`,{id:`admin-title`,tabindex:`-1`},j(`admin-title`)),S(`button`,{type:`button`,"aria-keyshortcuts":`Escape`,onclick:()=>this.close()},j(`back`),S(`kbd`,{},`Esc`))),this.said,this.secret,n(`people`,this.newPerson(),this.table(`people`,this.people,[`name`,`role`,`boards`,`person-state`,`person-do`])),n(`alerts`,S(`p`,{},j(`alerts-lead`)),this.alerts),n(`sessions`,this.table(`sessions`,this.sessions,[`name`,`since`,`address`,`browser`,`person-do`])),n(`programs`,S(`p`,{},j(`programs-lead`)),this.newKey(),this.table(`programs`,this.keys,[`name`,`since`,`person-do`])),n(`log`,this.table(`log`,this.log,[`log-number`,`log-when`,`log-what`,`log-who`,`log-told`]),this.older))}ready(){this.element.querySelector(`#admin-title`)?.focus(),this.attempt(()=>Promise.all([this.showPeople(),this.showAlerts(),this.showSessions(),this.showKeys(),this.more()]))}stop(){}async refresh(){}key(e){return e.key===`Escape`&&(this.close(),!0)}table(e,t,n){let r=S(`tr`,{},...n.map(e=>S(`th`,{scope:`col`},j(e))));return S(`div`,{class:`scroll`,tabindex:`0`,role:`group`,"aria-label":j(e)},S(`table`,{},S(`thead`,{},r),t))}async attempt(e,...t){this.said.textContent=``;try{await e();for(let e of t)await e()}catch(e){this.said.textContent=j(`failed`,{why:e.message}),this.said.scrollIntoView({block:`nearest`})}}button(e,t,...n){return S(`button`,{type:`button`,onclick:()=>void this.attempt(t,...n)},e)}tell(e,...t){let n=S(`button`,{type:`button`,onclick:()=>this.secret.replaceChildren()},j(`close`));this.secret.replaceChildren(S(`p`,{},e),...t.map(e=>S(`p`,{},S(`code`,{},e))),n),this.secret.scrollIntoView({block:`nearest`})}tellCode(e,t){let n=new URLSearchParams({code:t,name:e});this.tell(j(`code-lead`,{name:e}),t,`${location.origin}/#${n.toString()}`)}newPerson(){let e=S(`input`,{id:`new-name`,required:!0,maxlength:60,autocomplete:`off`,spellcheck:`false`}),t=this.roles(`new-role`,`arbiter`),n=async()=>{let{user:n,code:r}=await ce(e.value,t.value);this.tellCode(n.name,r),e.value=``};return S(`form`,{class:`line`,onsubmit:e=>{e.preventDefault(),this.attempt(n,()=>this.showPeople(),()=>this.newest())}},S(`label`,{for:`new-name`},j(`name`),e),S(`label`,{for:`new-role`},j(`role`),t),S(`button`,{type:`submit`},j(`person-add`)))}roles(e,t){let n=Ot.map(e=>S(`option`,{value:e,selected:e===t},j(`role-${e}`)));return S(`select`,{id:e},...n)}async showPeople(){let e=await se();this.people.replaceChildren(...e.map(e=>this.person(e)))}person(e){let{id:t,name:n}=e,r=[()=>this.showPeople(),()=>this.showSessions(),()=>this.newest()],i=this.roles(`role-${t}`,e.role);i.setAttribute(`aria-label`,j(`role-of`,{name:n})),i.addEventListener(`change`,()=>void this.attempt(()=>le(t,{role:i.value}).finally(()=>this.showPeople()),...r));let a=e.disabled?j(`person-disabled`):e.has_password?j(`person-active`):e.code_until_ms===null?j(`person-no-code`):j(`person-waits`,{time:kt(e.code_until_ms)});return S(`tr`,{class:e.disabled?`off`:``},S(`th`,{scope:`row`},n),S(`td`,{},i),S(`td`,{},e.role===`administrator`?j(`boards-all`):this.boardsOf(e,r)),S(`td`,{},a),S(`td`,{class:`do`},this.button(j(`code-new`),async()=>{confirm(j(`code-sure`,{name:n}))&&this.tellCode(n,(await ue(t)).code)},...r),this.button(j(e.disabled?`person-enable`:`person-disable`),()=>le(t,{disabled:!e.disabled}),...r)))}boardsOf(e,t){let{id:n,boards:r}=e,i=e=>void this.attempt(()=>le(n,{boards:e}),...t),a=r?.map(e=>this.boards.find(t=>t.id===e)?.name??String(e)),o=(e,t,n)=>S(`label`,{},S(`input`,{type:`checkbox`,checked:t,onchange:n}),` ${e}`);return S(`details`,{"data-user":n},S(`summary`,{},a?a.join(`, `)||j(`boards-none`):j(`boards-all`)),S(`fieldset`,{},S(`legend`,{},j(`boards-of`,{name:e.name})),o(j(`boards-all`),r===null,()=>i(r===null?[]:null)),...this.boards.map(e=>o(e.name,r?.includes(e.id)??!0,t=>{let n=(r??this.boards.map(e=>e.id)).filter(t=>t!==e.id);i(t.target.checked?[...n,e.id]:n)}))))}async showAlerts(){let e=(await _e()).map(({kind:e,in_use:t})=>{let n=S(`input`,{type:`checkbox`,name:e,checked:t,onchange:()=>void this.attempt(()=>ve(e,n.checked),()=>this.newest())});return S(`label`,{},n,` ${j(`kind-${e}`)}`)});this.alerts.replaceChildren(...e)}async showSessions(){let e=(await de()).map(e=>S(`tr`,{},S(`th`,{scope:`row`},e.user),S(`td`,{},kt(e.begun_ms)),S(`td`,{},e.address),S(`td`,{class:`long`},e.browser),S(`td`,{class:`do`},this.button(j(`session-end`),()=>fe(e.id),()=>this.showSessions(),()=>this.newest()))));this.sessions.replaceChildren(...e)}newKey(){let e=S(`input`,{id:`new-key`,required:!0,maxlength:60,autocomplete:`off`,spellcheck:`false`}),t=async()=>{let{token:t}=await me(e.value);this.tell(j(`key-lead`,{name:e.value}),`Authorization: Bearer ${t}`,`${location.origin}/key/${t}/`),e.value=``};return S(`form`,{class:`line`,onsubmit:e=>{e.preventDefault(),this.attempt(t,()=>this.showKeys(),()=>this.newest())}},S(`label`,{for:`new-key`},j(`name`),e),S(`button`,{type:`submit`},j(`key-make`)))}async showKeys(){let e=(await pe()).map(e=>S(`tr`,{},S(`th`,{scope:`row`},e.name),S(`td`,{},kt(e.made_ms)),S(`td`,{class:`do`},this.button(j(`key-revoke`),async()=>{confirm(j(`key-sure`,{name:e.name}))&&await he(e.id)},()=>this.showKeys(),()=>this.newest()))));this.keys.replaceChildren(...e)}async newest(){this.oldest=void 0,await this.more()}async more(){let e=await ge(this.oldest),t=e.map(e=>S(`tr`,{},S(`td`,{},String(e.seq)),S(`td`,{},kt(e.at_ms)),S(`td`,{},Dt(`log-${e.kind}`)?j(`log-${e.kind}`):e.kind),S(`td`,{},e.who||j(`log-station`)),S(`td`,{class:`long`},At(e.body))));this.oldest===void 0?this.log.replaceChildren(...t):this.log.append(...t),this.oldest=e.at(-1)?.seq??this.oldest,this.older.hidden=(this.oldest??1)<=1}},Mt=[`a1`,`h1`,`h8`,`a8`],Nt=700,Pt=4,Ft=160,It=e=>document.createElementNS(`http://www.w3.org/2000/svg`,e),Lt=class{board;close;element=S(`section`,{class:`calibrate`,role:`dialog`,"aria-modal":`true`,"aria-labelledby":`calibrate-title`});picture=S(`img`,{alt:``});lines=It(`path`);drawing=It(`svg`);stage=S(`div`,{class:`canvas`},this.picture);loupe=S(`div`,{class:`loupe`,hidden:!0,"aria-hidden":`true`});enlarged=S(`img`,{alt:``});doubts=S(`ul`,{class:`doubts`});state=S(`p`,{role:`status`});said=S(`p`,{class:`said`,role:`alert`});handles=new Map;corners;begun;tried;asking=!1;changed=!1;timer=0;constructor(e,t){this.board=e,this.close=t;let n=(e,t,n,r=``)=>S(`button`,{type:`button`,class:r,"aria-keyshortcuts":t,onclick:n},e,S(`kbd`,{},t));this.picture.alt=j(`picture-of`,{board:e.name}),this.drawing.append(this.lines),this.drawing.setAttribute(`aria-hidden`,`true`),this.loupe.append(this.enlarged),this.stage.append(this.drawing,...Mt.map(e=>this.handle(e)),this.loupe),this.element.append(S(`header`,{},S(`h2`,{id:`calibrate-title`,tabindex:`-1`},j(`calibrate-title`,{board:e.name})),n(j(`back`),`Esc`,()=>this.close())),S(`p`,{},j(`calibrate-lead`)),this.stage,S(`div`,{class:`verdict`},this.state,this.doubts,S(`div`,{class:`buttons`},n(j(`calibrate-save`),`S`,()=>void this.save(),`upheld`),n(j(`calibrate-snap`),`F`,()=>this.snap()),n(j(`calibrate-turn`),`R`,()=>this.turn()),n(j(`calibrate-reset`),`Z`,()=>this.set(this.begun)),n(j(`calibrate-forget`),`A`,()=>void this.forget())),this.said))}ready(){this.element.querySelector(`#calibrate-title`)?.focus(),this.picture.addEventListener(`load`,()=>this.sized(),{once:!0}),this.follow()}stop(){window.clearTimeout(this.timer)}async refresh(){}key(e){let t={Escape:()=>this.close(),s:()=>void this.save(),f:()=>this.snap(),r:()=>this.turn(),z:()=>this.set(this.begun),a:()=>void this.forget()}[e.key];return t?.(),t!==void 0}follow(){let e=new Image,t=()=>this.timer=window.setTimeout(()=>this.follow(),Nt);e.onload=()=>{this.picture.src=e.src,this.enlarged.src=e.src,t()},e.onerror=()=>{this.state.textContent=j(`calibrate-no-picture`),t()},e.src=`/api/boards/${this.board.id}/picture?t=${Date.now()}`}get size(){return[this.picture.naturalWidth,this.picture.naturalHeight]}sized(){let[e,t]=this.size;this.drawing.setAttribute(`viewBox`,`0 0 ${e} ${t}`),this.stage.style.aspectRatio=`${e} / ${t}`;let n=(n,r)=>[n*e,r*t],r={a1:n(.25,.8),h1:n(.75,.8),h8:n(.7,.25),a8:n(.3,.25)};this.attempt(async()=>{let{corners:e}=await ye(this.board.id);this.begun=e??r,this.set(this.begun)})}handle(e){let t=S(`button`,{type:`button`,class:`corner`,"aria-label":j(`corner`,{name:e})},e);return t.addEventListener(`keydown`,t=>this.nudge(e,t)),t.addEventListener(`pointerdown`,e=>{e.preventDefault(),t.focus(),t.setPointerCapture(e.pointerId)}),t.addEventListener(`pointermove`,n=>{if(!t.hasPointerCapture(n.pointerId))return;let r=this.stage.getBoundingClientRect(),[i,a]=this.size;this.move(e,[(n.clientX-r.left)/r.width*i,(n.clientY-r.top)/r.height*a])}),t.addEventListener(`focus`,()=>this.look(e)),t.addEventListener(`blur`,()=>this.loupe.hidden=!0),this.handles.set(e,t),t}nudge(e,t){let n={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]}[t.key],r=this.corners?.[e];if(!n||!r)return;t.preventDefault(),t.stopPropagation();let i=t.shiftKey?10:1;this.move(e,[r[0]+n[0]*i,r[1]+n[1]*i])}move(e,t){this.corners&&(this.set({...this.corners,[e]:t.map(e=>Math.round(e*10)/10)}),this.look(e))}set(e){if(!e)return;this.corners=e;let[t,n]=this.size;for(let[r,i]of this.handles){let[a,o]=e[r];i.style.left=`${100*a/t}%`,i.style.top=`${100*o/n}%`}this.changed=!0,this.ask()}look(e){let t=this.corners?.[e];if(!t)return;let[n,r]=this.size;this.loupe.hidden=!1,this.loupe.classList.toggle(`right`,t[0]<n/2),this.enlarged.style.width=`${n*Pt}px`,this.enlarged.style.transform=`translate(${Ft/2-t[0]*Pt}px, ${Ft/2-t[1]*Pt}px)`,this.enlarged.style.height=`${r*Pt}px`}snap(){this.tried?.snapped?this.set(this.tried.snapped):this.state.textContent=j(`calibrate-no-edges`)}turn(){if(!this.corners)return;let{a1:e,h1:t,h8:n,a8:r}=this.corners;this.set({a1:t,h1:n,h8:r,a8:e})}async ask(){if(!this.asking){for(this.asking=!0;this.changed&&this.corners;){this.changed=!1;try{this.show(await be(this.board.id,this.corners))}catch(e){this.show(void 0,e.message)}}this.asking=!1}}show(e,t){this.tried=e;let n=e?e.doubts:[t??``];this.lines.setAttribute(`d`,e?Rt(e.grid):``),this.element.dataset.good=String(n.length===0),this.state.textContent=j(n.length?`calibrate-doubts`:`calibrate-good`),this.doubts.replaceChildren(...n.map(e=>S(`li`,{},e)))}async save(){let{corners:e}=this;e&&await this.attempt(async()=>{await xe(this.board.id,e),this.begun=e,this.state.textContent=j(`calibrate-saved`)})}async forget(){await this.attempt(async()=>{await Se(this.board.id),this.state.textContent=j(`calibrate-forgotten`)})}async attempt(e){this.said.textContent=``;try{await e()}catch(e){this.said.textContent=j(`failed`,{why:e.message})}}};function Rt(e){let t=t=>`M${t.map(t=>e[t]?.map(e=>e.toFixed(1)).join(` `)??``).join(`L`)}`,n=[0,1,2,3,4,5,6,7,8];return n.flatMap(e=>[t(n.map(t=>e*9+t)),t(n.map(t=>t*9+e))]).join(``)}var zt=()=>new URLSearchParams(location.hash.slice(1)),Bt=()=>zt().has(`code`);function Vt(e,t){let n=e?`claim`:Bt()?`invited`:`login`,r=n!==`login`,i=(e,t,n,r=``,i)=>{let a=S(`input`,{id:e,name:e,type:t,autocomplete:n,value:r,required:!0,spellcheck:`false`});return{input:a,row:S(`label`,{for:e},j(e),a,i?S(`small`,{},i):null)}},a=i(`code`,`text`,`off`,zt().get(`code`)??``),o=i(`name`,`text`,`username`,zt().get(`name`)??``),s=i(`password`,`password`,r?`new-password`:`current-password`,``,r?j(`password-hint`):void 0),c=S(`p`,{class:`said`,role:`alert`}),l=async e=>{e.preventDefault();try{r?await u(a.input.value,o.input.value,s.input.value):await d(o.input.value,s.input.value),history.replaceState(null,``,`/`),t()}catch(e){c.textContent=j(`failed`,{why:String(e.message)})}},f=S(`form`,{class:`entry`,onsubmit:e=>void l(e)},S(`h1`,{},j(`${n}-title`)),r?S(`p`,{},j(`${n}-lead`)):null,r?a.row:null,o.row,s.row,S(`button`,{type:`submit`},j(`${n}-do`)),c),p=(r?[a,o,s]:[o,s]).find(({input:e})=>!e.value)?.input??s.input;return queueMicrotask(()=>p.focus()),S(`main`,{},f)}var Ht=[`white`,`black`],Ut=[`a`,`b`,`c`,`d`,`e`,`f`,`g`,`h`],Wt=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`],Gt=[...Wt].reverse(),Kt=Ut.flatMap(e=>Wt.map(t=>e+t)),M=e=>e.every(e=>e>=0&&e<=7)?Kt[8*e[0]+e[1]]:void 0,N=e=>M(e),P=e=>[e.charCodeAt(0)-97,e.charCodeAt(1)-49],qt=Kt.map(P),Jt=Kt.map((e,t)=>({key:e,pos:qt[t]}));function Yt(e){let t,n=()=>(t===void 0&&(t=e()),t);return n.clear=()=>{t=void 0},n}var Xt=()=>{let e;return{start(){e=performance.now()},cancel(){e=void 0},stop(){if(!e)return 0;let t=performance.now()-e;return e=void 0,t}}},F=e=>e===`white`?`black`:`white`,I=(e,t)=>(e[0]-t[0])**2+(e[1]-t[1])**2,Zt=(e,t)=>e.role===t.role&&e.color===t.color,Qt=(e,t)=>e[0]===t[0]&&e[1]===t[1],L=e=>(t,n)=>[(n?t[0]:7-t[0])*e.width/8,(n?7-t[1]:t[1])*e.height/8],R=(e,t)=>{e.style.transform=`translate(${t[0]}px,${t[1]}px)`},$t=(e,t,n=1)=>{e.style.transform=`translate(${t[0]}px,${t[1]}px) scale(${n})`},z=(e,t)=>{e.style.display=t?``:`none`},B=e=>{if(e.clientX||e.clientX===0)return[e.clientX,e.clientY];if(e.targetTouches?.[0])return[e.targetTouches[0].clientX,e.targetTouches[0].clientY]},en=Yt(()=>!(`ontouchstart`in window)&&[`macintosh`,`firefox`].every(e=>navigator.userAgent.toLowerCase().includes(e))),tn=e=>e.button===2&&!(e.ctrlKey&&en()),V=(e,t)=>{let n=document.createElement(e);return t&&(n.className=t),n};function nn(e,t,n){let r=P(e);return t||(r[0]=7-r[0],r[1]=7-r[1]),[n.left+n.width*r[0]/8+n.width/16,n.top+n.height*(7-r[1])/8+n.height/16]}var H=(e,t)=>Math.abs(e-t),rn=(e,t,n,r)=>H(e,n)*H(t,r)===2,an=(e,t,n,r)=>e===n!=(t===r),on=(e,t,n,r)=>H(e,n)===H(t,r)&&e!==n,sn=(e,t,n,r)=>an(e,t,n,r)||on(e,t,n,r),cn=(e,t,n,r)=>Math.max(H(e,n),H(t,r))===1,ln=(e,t,n,r,i)=>{let a=i?1:-1;return e===n&&(r===t+a||r===t+2*a&&(i?t<=1:t>=6))},un=(e,t,n,r)=>{let i=n-e,a=r-t;if(i&&a&&Math.abs(i)!==Math.abs(a))return[];let o=Math.sign(i),s=Math.sign(a),c=[],l=e+o,u=t+s;for(;l!==n||u!==r;)c.push([l,u]),l+=o,u+=s;return c.map(M).filter(e=>e!==void 0)},U=(e,t)=>t.animation.enabled?hn(e,t):W(e,t);function W(e,t){let n=e(t);return t.dom.redraw(),n}var dn=(e,t)=>({key:e,pos:P(e),piece:t}),fn=(e,t)=>t.sort((t,n)=>I(e.pos,t.pos)-I(e.pos,n.pos))[0];function pn(e,t){let n=new Map,r=[],i=new Map,a=[],o=[],s=new Map,c,l,u;for(let[t,n]of e)s.set(t,dn(t,n));for(let e of Kt)c=t.pieces.get(e),l=s.get(e),c?l?Zt(c,l.piece)||(a.push(l),o.push(dn(e,c))):o.push(dn(e,c)):l&&a.push(l);for(let e of o)l=fn(e,a.filter(t=>Zt(e.piece,t.piece))),l&&(u=[l.pos[0]-e.pos[0],l.pos[1]-e.pos[1]],n.set(e.key,u.concat(u)),r.push(l.key));for(let e of a)r.includes(e.key)||i.set(e.key,e.piece);return{anims:n,fadings:i}}function mn(e,t){let n=e.animation.current;if(n===void 0){e.dom.destroyed||e.dom.redrawNow();return}let r=1-(t-n.start)*n.frequency;if(r<=0)e.animation.current=void 0,e.dom.redrawNow();else{let t=gn(r);for(let e of n.plan.anims.values())e[2]=e[0]*t,e[3]=e[1]*t;e.dom.redrawNow(!0),requestAnimationFrame((t=performance.now())=>mn(e,t))}}function hn(e,t){let n=new Map(t.pieces),r=e(t),i=pn(n,t);if(i.anims.size||i.fadings.size){let e=t.animation.current&&t.animation.current.start;t.animation.current={start:performance.now(),frequency:1/t.animation.duration,plan:i},e||mn(t,performance.now())}else t.dom.redraw();return r}var gn=e=>e<.5?4*e*e*e:(e-1)*(2*e-2)*(2*e-2)+1,_n=e=>H(e.orig.pos[0],e.dest.pos[0])<=1&&(H(e.orig.pos[0],e.dest.pos[0])===1?e.dest.pos[1]===e.orig.pos[1]+(e.color===`white`?1:-1):ln(...e.orig.pos,...e.dest.pos,e.color===`white`)),vn=e=>rn(...e.orig.pos,...e.dest.pos),yn=e=>on(...e.orig.pos,...e.dest.pos),bn=e=>an(...e.orig.pos,...e.dest.pos),xn={pawn:_n,knight:vn,bishop:yn,rook:bn,queen:e=>yn(e)||bn(e),king:e=>cn(...e.orig.pos,...e.dest.pos)||e.orig.pos[1]===e.dest.pos[1]&&e.orig.pos[1]===(e.color===`white`?0:7)&&(e.orig.pos[0]===4&&(e.dest.pos[0]===2&&e.rookFilesFriendlies.includes(0)||e.dest.pos[0]===6&&e.rookFilesFriendlies.includes(7))||e.rookFilesFriendlies.includes(e.dest.pos[0]))};function Sn(e,t){let n=e.pieces,r=n.get(t);if(!r||r.color===e.turnColor)return[];let i=r.color,a=new Map([...n].filter(([e,t])=>t.color===i)),o=new Map([...n].filter(([e,t])=>t.color===F(i))),s={key:t,pos:P(t)},c=t=>xn[r.role](t)&&e.premovable.additionalPremoveRequirements(t),l={orig:s,role:r.role,allPieces:n,friendlies:a,enemies:o,color:i,rookFilesFriendlies:Array.from(n).filter(([e,t])=>e[1]===(i===`white`?`1`:`8`)&&t.color===i&&t.role===`rook`).map(([e])=>P(e)[0]),lastMove:e.lastMove};return Jt.filter(e=>c({...l,dest:e})).map(e=>e.key)}function G(e,...t){e&&setTimeout(()=>e(...t),1)}function Cn(e){e.orientation=F(e.orientation),e.animation.current=e.draggable.current=e.selected=void 0}function wn(e,t){for(let[n,r]of t)r?e.pieces.set(n,r):e.pieces.delete(n)}function Tn(e,t){if(e.check=void 0,t===!0&&(t=e.turnColor),t)for(let[n,r]of e.pieces)r.role===`king`&&r.color===t&&(e.check=n)}function En(e,t,n,r){q(e),e.premovable.current=[t,n],G(e.premovable.events.set,t,n,r)}function K(e){e.premovable.current&&(e.premovable.current=void 0,G(e.premovable.events.unset))}function Dn(e,t,n){K(e),e.predroppable.current={role:t,key:n},G(e.predroppable.events.set,t,n)}function q(e){let t=e.predroppable;t.current&&(t.current=void 0,G(t.events.unset))}function On(e,t,n){if(!e.autoCastle)return!1;let r=e.pieces.get(t);if(!r||r.role!==`king`)return!1;let i=P(t),a=P(n);if(i[1]!==0&&i[1]!==7||i[1]!==a[1])return!1;i[0]===4&&!e.pieces.has(n)&&(a[0]===6?n=N([7,a[1]]):a[0]===2&&(n=N([0,a[1]])));let o=e.pieces.get(n);return!o||o.color!==r.color||o.role!==`rook`?!1:(e.pieces.delete(t),e.pieces.delete(n),i[0]<a[0]?(e.pieces.set(N([6,a[1]]),r),e.pieces.set(N([5,a[1]]),o)):(e.pieces.set(N([2,a[1]]),r),e.pieces.set(N([3,a[1]]),o)),!0)}function kn(e,t,n){let r=e.pieces.get(t),i=e.pieces.get(n);if(t===n||!r)return!1;let a=i&&i.color!==r.color?i:void 0;return n===e.selected&&J(e),G(e.events.move,t,n,a),On(e,t,n)||(e.pieces.set(n,r),e.pieces.delete(t)),e.lastMove=[t,n],e.check=void 0,G(e.events.change),a||!0}function An(e,t,n,r){if(e.pieces.has(n)){if(r)e.pieces.delete(n);else return!1}return G(e.events.dropNewPiece,t,n),e.pieces.set(n,t),e.lastMove=[n],e.check=void 0,G(e.events.change),e.movable.dests=void 0,e.turnColor=F(e.turnColor),!0}function jn(e,t,n){let r=kn(e,t,n);return r&&(e.movable.dests=void 0,e.turnColor=F(e.turnColor),e.animation.current=void 0),r}function Mn(e,t,n){if(Ln(e,t,n)){let r=jn(e,t,n);if(r){let i=e.hold.stop();J(e);let a={premove:!1,ctrlKey:e.stats.ctrlKey,holdTime:i};return r!==!0&&(a.captured=r),G(e.movable.events.after,t,n,a),!0}}else if(Bn(e,t,n))return En(e,t,n,{ctrlKey:e.stats.ctrlKey}),J(e),!0;return J(e),!1}function Nn(e,t,n,r){let i=e.pieces.get(t);i&&(Rn(e,t,n)||r)?(e.pieces.delete(t),An(e,i,n,r),G(e.movable.events.afterNewPiece,i.role,n,{premove:!1,predrop:!1})):i&&Vn(e,t,n)?Dn(e,i.role,n):(K(e),q(e)),e.pieces.delete(t),J(e)}function Pn(e,t,n){if(G(e.events.select,t),e.selected){if(e.selected===t&&!e.draggable.enabled){J(e),e.hold.cancel();return}if((e.selectable.enabled||n)&&e.selected!==t&&Mn(e,e.selected,t)){e.stats.dragged=!1;return}}(e.selectable.enabled||e.draggable.enabled)&&(In(e,t)||zn(e,t))&&(Fn(e,t),e.hold.start())}function Fn(e,t){e.selected=t,zn(e,t)?e.premovable.customDests||(e.premovable.dests=Sn(e,t)):e.premovable.dests=void 0}function J(e){e.selected=void 0,e.premovable.dests=void 0,e.hold.cancel()}function In(e,t){let n=e.pieces.get(t);return!!n&&(e.movable.color===`both`||e.movable.color===n.color&&e.turnColor===n.color)}var Ln=(e,t,n)=>t!==n&&In(e,t)&&(e.movable.free||!!e.movable.dests?.get(t)?.includes(n));function Rn(e,t,n){let r=e.pieces.get(t);return!!r&&(t===n||!e.pieces.has(n))&&(e.movable.color===`both`||e.movable.color===r.color&&e.turnColor===r.color)}function zn(e,t){let n=e.pieces.get(t);return!!n&&e.premovable.enabled&&e.movable.color===n.color&&e.turnColor!==n.color}var Bn=(e,t,n)=>t!==n&&zn(e,t)&&(e.premovable.customDests?.get(t)??Sn(e,t)).includes(n);function Vn(e,t,n){let r=e.pieces.get(t),i=e.pieces.get(n);return!!r&&(!i||i.color!==e.movable.color)&&e.predroppable.enabled&&(r.role!==`pawn`||n[1]!==`1`&&n[1]!==`8`)&&e.movable.color===r.color&&e.turnColor!==r.color}function Hn(e,t){let n=e.pieces.get(t);return!!n&&e.draggable.enabled&&(e.movable.color===`both`||e.movable.color===n.color&&(e.turnColor===n.color||e.premovable.enabled))}function Un(e){let t=e.premovable.current;if(!t)return!1;let n=t[0],r=t[1],i=!1;if(Ln(e,n,r)){let t=jn(e,n,r);if(t){let a={premove:!0};t!==!0&&(a.captured=t),G(e.movable.events.after,n,r,a),i=!0}}return K(e),i}function Wn(e,t){let n=e.predroppable.current,r=!1;return n?(t(n)&&An(e,{role:n.role,color:e.movable.color},n.key)&&(G(e.movable.events.afterNewPiece,n.role,n.key,{premove:!1,predrop:!0}),r=!0),q(e),r):!1}function Gn(e){K(e),q(e),J(e)}function Kn(e){e.movable.color=e.movable.dests=e.animation.current=void 0,Gn(e)}function Y(e,t,n){let r=Math.floor(8*(e[0]-n.left)/n.width);t||(r=7-r);let i=7-Math.floor(8*(e[1]-n.top)/n.height);return t||(i=7-i),r>=0&&r<8&&i>=0&&i<8?M([r,i]):void 0}function qn(e,t,n,r){let i=P(e),a=qt.filter(e=>Qt(i,e)||sn(i[0],i[1],e[0],e[1])||rn(i[0],i[1],e[0],e[1])),o=a.map(e=>nn(N(e),n,r)).map(e=>I(t,e)),[,s]=o.reduce((e,t,n)=>e[0]<t?e:[t,n],[o[0],0]);return M(a[s])}var X=e=>e.orientation===`white`,Jn=`rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR`,Yn={p:`pawn`,r:`rook`,n:`knight`,b:`bishop`,q:`queen`,k:`king`},Xn={pawn:`p`,rook:`r`,knight:`n`,bishop:`b`,queen:`q`,king:`k`};function Zn(e){e===`start`&&(e=Jn);let t=new Map,n=7,r=0;for(let i of e)switch(i){case` `:case`[`:return t;case`/`:if(--n,n<0)return t;r=0;break;case`~`:{let e=M([r-1,n]),i=e&&t.get(e);i&&(i.promoted=!0);break}default:{let e=i.charCodeAt(0);if(e<57)r+=e-48;else{let e=i.toLowerCase(),a=M([r,n]);a&&t.set(a,{role:Yn[e],color:i===e?`black`:`white`}),++r}}}return t}function Qn(e){return Gt.map(t=>Ut.map(n=>{let r=e.get(n+t);if(r){let e=Xn[r.role];return r.color===`white`&&(e=e.toUpperCase()),r.promoted&&(e+=`~`),e}return`1`}).join(``)).join(`/`).replace(/1{2,}/g,e=>e.length.toString())}function $n(e,t){t.animation&&(tr(e.animation,t.animation),(e.animation.duration||0)<70&&(e.animation.enabled=!1))}function er(e,t){if(t.movable?.dests&&(e.movable.dests=void 0),t.drawable?.autoShapes&&(e.drawable.autoShapes=[]),tr(e,t),t.fen&&(e.pieces=Zn(t.fen),e.drawable.shapes=t.drawable?.shapes||[]),`check`in t&&Tn(e,t.check||!1),`lastMove`in t&&!t.lastMove?e.lastMove=void 0:t.lastMove&&(e.lastMove=t.lastMove),e.selected&&Fn(e,e.selected),$n(e,t),!e.movable.rookCastle&&e.movable.dests){let t=e.movable.color===`white`?`1`:`8`,n=`e`+t,r=e.movable.dests.get(n),i=e.pieces.get(n);if(!r||!i||i.role!==`king`)return;e.movable.dests.set(n,r.filter(e=>!(e===`a`+t&&r.includes(`c`+t))&&!(e===`h`+t&&r.includes(`g`+t))))}}function tr(e,t){for(let n in t)n!==`__proto__`&&n!==`constructor`&&Object.prototype.hasOwnProperty.call(t,n)&&(Object.prototype.hasOwnProperty.call(e,n)&&nr(e[n])&&nr(t[n])?tr(e[n],t[n]):e[n]=t[n])}function nr(e){if(typeof e!=`object`||!e)return!1;let t=Object.getPrototypeOf(e);return t===Object.prototype||t===null}var rr=[`green`,`red`,`blue`,`yellow`];function ir(e,t){if(t.touches&&t.touches.length>1)return;t.stopPropagation(),t.preventDefault(),t.ctrlKey?J(e):Gn(e);let n=B(t),r=Y(n,X(e),e.dom.bounds());r&&(e.drawable.current={orig:r,pos:n,brush:fr(t),snapToValidMove:e.drawable.defaultSnapToValidMove},ar(e))}function ar(e){requestAnimationFrame(()=>{let t=e.drawable.current;if(t){let n=Y(t.pos,X(e),e.dom.bounds());n||(t.snapToValidMove=!1);let r=t.snapToValidMove?qn(t.orig,t.pos,X(e),e.dom.bounds()):n;r!==t.mouseSq&&(t.mouseSq=r,t.dest=r===t.orig?void 0:r,e.dom.redrawNow()),ar(e)}})}function or(e,t){e.drawable.current&&(e.drawable.current.pos=B(t))}function sr(e){let t=e.drawable.current;t&&(t.mouseSq&&pr(e.drawable,t),cr(e))}function cr(e){e.drawable.current&&(e.drawable.current=void 0,e.dom.redraw())}function lr(e){e.drawable.shapes.length&&(e.drawable.shapes=[],e.dom.redraw(),mr(e.drawable))}var ur=(e,t)=>e.orig===t.orig&&e.dest===t.dest,dr=(e,t)=>e.brush===t.brush;function fr(e){let t=(e.shiftKey||e.ctrlKey)&&tn(e),n=e.altKey||e.metaKey||e.getModifierState?.(`AltGraph`);return rr[+!!t+(n?2:0)]}function pr(e,t){let n=e.shapes.find(e=>ur(e,t));n&&(e.shapes=e.shapes.filter(e=>!ur(e,t))),n&&dr(n,t)||e.shapes.push({orig:t.orig,dest:t.dest,brush:t.brush}),mr(e)}function mr(e){e.onChange&&e.onChange(e.shapes)}function hr(e,t){if(!(e.trustAllEvents||t.isTrusted)||t.buttons!==void 0&&t.buttons>1||t.touches&&t.touches.length>1)return;let n=e.dom.bounds(),r=B(t),i=Y(r,X(e),n);if(!i)return;let a=e.pieces.get(i),o=e.selected;if(!o&&e.drawable.enabled&&(e.drawable.eraseOnMovablePieceClick||!a||a.color!==e.turnColor)&&lr(e),t.cancelable!==!1&&(!t.touches||e.blockTouchScroll||a||o||gr(e,r)))t.preventDefault();else if(t.touches)return;let s=!!e.premovable.current,c=!!e.predroppable.current;e.stats.ctrlKey=t.ctrlKey,e.selected&&Ln(e,e.selected,i)?U(e=>Pn(e,i),e):Pn(e,i);let l=e.selected===i,u=Tr(e,i);if(a&&u&&l&&Hn(e,i)){e.draggable.current={orig:i,piece:a,origPos:r,pos:r,started:e.draggable.autoDistance&&e.stats.dragged,element:u,previouslySelected:o,originTarget:t.target,keyHasChanged:!1},u.cgDragging=!0,u.classList.add(`dragging`);let s=e.dom.elements.ghost;s&&(s.className=`ghost ${a.color} ${a.role}`,R(s,L(n)(P(i),X(e))),z(s,!0)),vr(e)}else s&&K(e),c&&q(e);e.dom.redraw()}function gr(e,t){let n=X(e),r=e.dom.bounds(),i=(e.touchIgnoreRadius*r.width/16)**2*2;for(let a of e.pieces.keys())if(I(nn(a,n,r),t)<=i)return!0;return!1}function _r(e,t,n,r){e.pieces.set(`a0`,t),e.dom.redraw();let i=B(n);e.draggable.current={orig:`a0`,piece:t,origPos:i,pos:i,started:!0,element:()=>Tr(e,`a0`),originTarget:n.target,newPiece:!0,force:!!r,keyHasChanged:!1},vr(e)}function vr(e){requestAnimationFrame(()=>{let t=e.draggable.current;if(!t)return;e.animation.current?.plan.anims.has(t.orig)&&(e.animation.current=void 0);let n=e.pieces.get(t.orig);if(!n||!Zt(n,t.piece))Cr(e);else if(!t.started&&I(t.pos,t.origPos)>=e.draggable.distance**2&&(t.started=!0),t.started){if(typeof t.element==`function`){let e=t.element();if(!e)return;e.cgDragging=!0,e.classList.add(`dragging`),t.element=e}let n=e.dom.bounds();R(t.element,[t.pos[0]-n.left-n.width/16,t.pos[1]-n.top-n.height/16]),e.jsHover?yr(e,t):t.keyHasChanged||=t.orig!==Y(t.pos,X(e),n)}vr(e)})}function yr(e,t){let n=Y(t.pos,X(e),e.dom.bounds());if(t.orig!==n){if(t.keyHasChanged=!0,n){if(e.movable.dests?.get(t.orig)?.includes(n)??e.premovable.dests?.includes(n)){let t=e.dom.elements.board.querySelector(`.move-dest[data-key="${n}"], .premove-dest[data-key="${n}"]`);t&&!t.classList.contains(`hover`)&&(br(e),t.classList.add(`hover`))}else br(e)}}else br(e)}function br(e){let t=e.dom.elements.board.querySelectorAll(`.move-dest, .premove-dest`);t.length>0&&t.forEach(e=>e.classList.remove(`hover`))}function xr(e,t){e.draggable.current&&(!t.touches||t.touches.length<2)&&(e.draggable.current.pos=B(t))}function Sr(e,t){let n=e.draggable.current;if(!n)return;if(t.type===`touchend`&&t.cancelable!==!1&&t.preventDefault(),t.type===`touchend`&&n.originTarget!==t.target&&!n.newPiece){e.draggable.current=void 0;return}K(e),q(e);let r=Y(B(t)||n.pos,X(e),e.dom.bounds());r&&n.started&&n.orig!==r?n.newPiece?Nn(e,n.orig,r,n.force):(e.stats.ctrlKey=t.ctrlKey,Mn(e,n.orig,r)&&(e.stats.dragged=!0)):n.newPiece?e.pieces.delete(n.orig):e.draggable.deleteOnDropOff&&!r&&(e.pieces.delete(n.orig),G(e.events.change)),(n.orig===n.previouslySelected||n.keyHasChanged)&&(n.orig===r||!r)?J(e):e.selectable.enabled||J(e),wr(e),e.draggable.current=void 0,e.dom.redraw()}function Cr(e){let t=e.draggable.current;t&&(t.newPiece&&e.pieces.delete(t.orig),e.draggable.current=void 0,J(e),wr(e),e.dom.redraw())}function wr(e){let t=e.dom.elements;t.ghost&&z(t.ghost,!1)}function Tr(e,t){let n=e.dom.elements.board.firstChild;for(;n;){if(n.cgKey===t&&n.tagName===`PIECE`)return n;n=n.nextSibling}}function Er(e,t){e.exploding={stage:1,keys:t},e.dom.redraw(),setTimeout(()=>{Dr(e,2),setTimeout(()=>Dr(e,void 0),120)},120)}function Dr(e,t){e.exploding&&(t?e.exploding.stage=t:e.exploding=void 0,e.dom.redraw())}function Or(e,t){function n(){Cn(e),t()}return{set(t){t.orientation&&t.orientation!==e.orientation&&n(),$n(e,t),(t.fen?U:W)(e=>er(e,t),e)},state:e,getFen:()=>Qn(e.pieces),toggleOrientation:n,setPieces(t){U(e=>wn(e,t),e)},selectSquare(t,n){t?U(e=>Pn(e,t,n),e):e.selected&&(J(e),e.dom.redraw())},move(t,n){U(e=>kn(e,t,n),e)},newPiece(t,n){U(e=>An(e,t,n),e)},playPremove(){if(e.premovable.current){if(U(Un,e))return!0;e.dom.redraw()}return!1},playPredrop(t){if(e.predroppable.current){let n=Wn(e,t);return e.dom.redraw(),n}return!1},cancelPremove(){W(K,e)},cancelPredrop(){W(q,e)},cancelMove(){W(e=>{Gn(e),Cr(e)},e)},stop(){W(e=>{Kn(e),Cr(e)},e)},explode(t){Er(e,t)},setAutoShapes(t){W(e=>e.drawable.autoShapes=t,e)},setShapes(t){W(e=>e.drawable.shapes=t.slice(),e)},getKeyAtDomPos(t){return Y(t,X(e),e.dom.bounds())},redrawAll:t,dragNewPiece(t,n,r){_r(e,t,n,r)},destroy(){Kn(e),e.dom.unbind?.(),e.dom.destroyed=!0}}}function kr(e,t,n){let r=new Map,i=[];for(let t of e)r.set(t.hash,!1);let a=t.firstElementChild,o;for(;a;)o=a.getAttribute(`cgHash`),r.has(o)?r.set(o,!0):i.push(a),a=a.nextElementSibling;for(let e of i)t.removeChild(e);for(let i of e)r.get(i.hash)||t.appendChild(n(i))}function Ar(e,t){kr(e.drawable.autoShapes.filter(e=>e.piece).map(e=>({shape:e,hash:Nr(e),current:!1,pendingErase:!1})),t,t=>Mr(e,t,e.dom.bounds()))}function jr(e){let t=X(e),n=L(e.dom.bounds()),r=e.dom.elements.autoPieces?.firstChild;for(;r;)$t(r,n(P(r.cgKey),t),r.cgScale),r=r.nextSibling}function Mr(e,{shape:t,hash:n},r){let i=t.orig,a=t.piece?.role,o=t.piece?.color,s=t.piece?.scale,c=V(`piece`,`${a} ${o}`);return c.setAttribute(`cgHash`,n),c.cgKey=i,c.cgScale=s,$t(c,L(r)(P(i),X(e)),s),c}var Nr=e=>[e.orig,e.piece?.role,e.piece?.color,e.piece?.scale].join(`,`);function Pr(e,t){if(!e.dropmode.active)return;K(e),q(e);let n=e.dropmode.piece;if(n){e.pieces.set(`a0`,n);let r=B(t),i=r&&Y(r,X(e),e.dom.bounds());i&&Nn(e,`a0`,i)}e.dom.redraw()}function Fr(e){let t=e.dom.elements.board;if((e.disableContextMenu||e.drawable.enabled)&&t.addEventListener(`contextmenu`,e=>e.preventDefault()),e.viewOnly)return;let n=Rr(e);t.addEventListener(`touchstart`,n,{passive:!1}),t.addEventListener(`mousedown`,n,{passive:!1})}function Ir(e,t){let n=[];if(`ResizeObserver`in window){let r=new ResizeObserver(t);r.observe(e.dom.elements.wrap),n.push(()=>r.disconnect())}else n.push(Lr(document.body,`chessground.resize`,t));if(!e.viewOnly){let t=zr(e,xr,or),r=zr(e,Sr,sr);for(let e of[`touchmove`,`mousemove`])n.push(Lr(document,e,t));for(let e of[`touchend`,`mouseup`])n.push(Lr(document,e,r));let i=()=>e.dom.bounds.clear();n.push(Lr(document,`scroll`,i,{capture:!0,passive:!0})),n.push(Lr(window,`resize`,i,{passive:!0}))}return()=>n.forEach(e=>e())}function Lr(e,t,n,r){return e.addEventListener(t,n,r),()=>e.removeEventListener(t,n,r)}var Rr=e=>t=>{e.draggable.current?Cr(e):e.drawable.current?cr(e):t.shiftKey||tn(t)?e.drawable.enabled&&ir(e,t):e.viewOnly||(e.dropmode.active?Pr(e,t):hr(e,t))},zr=(e,t,n)=>r=>{e.drawable.current?e.drawable.enabled&&n(e,r):e.viewOnly||t(e,r)};function Br(e){let t=X(e),n=L(e.dom.bounds()),r=e.dom.elements.board,i=e.pieces,a=e.animation.current,o=a?a.plan.anims:new Map,s=a?a.plan.fadings:new Map,c=e.draggable.current,l=new Set,u=new Map,d=Yr(e),f=new Map,p,m,h,g,_,v,y,b,x;for(m=r.firstChild;m;){if(p=m.cgKey,Ur(m)){if(h=i.get(p),_=o.get(p),v=s.get(p),g=m.cgPiece,m.cgDragging&&(!c||c.orig!==p)&&(m.classList.remove(`dragging`),R(m,n(P(p),t)),m.cgDragging=!1),!v&&m.cgFading&&(m.cgFading=!1,m.classList.remove(`fading`)),h){if(_&&m.cgAnimating&&g===qr(h)){let e=P(p);e[0]+=_[2],e[1]+=_[3],m.classList.add(`anim`),R(m,n(e,t))}else m.cgAnimating&&(m.cgAnimating=!1,m.classList.remove(`anim`),R(m,n(P(p),t)),e.addPieceZIndex&&(m.style.zIndex=Kr(P(p),t)));g===qr(h)&&(!v||!m.cgFading)?l.add(p):v&&g===qr(v)?(m.classList.add(`fading`),m.cgFading=!0):Xr(u,g,m)}else Xr(u,g,m)}else if(Wr(m)){let e=m.className;d.get(p)===e?(z(m,!0),d.delete(p)):Xr(f,e,m)}m=m.nextSibling}for(let[i,a]of d){x=f.get(a)?.pop();let o=n(P(i),t);if(x)x.cgKey=i,e.jsHover&&(x.dataset.key=i),R(x,o),z(x,!0);else{let t=V(`square`,a);t.cgKey=i,e.jsHover&&(t.dataset.key=i),R(t,o),r.insertBefore(t,r.firstChild)}}for(let[,e]of f.entries())for(let t of e)z(t,!1);for(let[a,s]of i)if(_=o.get(a),!l.has(a)){if(y=u.get(qr(s)),b=y&&y.pop(),b){b.cgKey=a,b.cgFading&&(b.classList.remove(`fading`),b.cgFading=!1);let r=P(a);e.addPieceZIndex&&(b.style.zIndex=Kr(r,t)),_&&(b.cgAnimating=!0,b.classList.add(`anim`),r[0]+=_[2],r[1]+=_[3]),R(b,n(r,t))}else{let i=qr(s),o=V(`piece`,i),c=P(a);o.cgPiece=i,o.cgKey=a,_&&(o.cgAnimating=!0,c[0]+=_[2],c[1]+=_[3]),R(o,n(c,t)),e.addPieceZIndex&&(o.style.zIndex=Kr(c,t)),r.appendChild(o)}}for(let t of u.values())Gr(e,t)}function Vr(e){let t=X(e),n=L(e.dom.bounds()),r=e.dom.elements.board.firstChild;for(;r;)(Ur(r)&&!r.cgAnimating||Wr(r))&&R(r,n(P(r.cgKey),t)),r=r.nextSibling}function Hr(e){let t=e.dom.elements.wrap.getBoundingClientRect(),n=e.dom.elements.container,r=t.height/t.width,i=Math.floor(t.width*window.devicePixelRatio/8)*8/window.devicePixelRatio,a=i*r;n.style.width=i+`px`,n.style.height=a+`px`,e.dom.bounds.clear(),e.addDimensionsCssVarsTo?.style.setProperty(`---cg-width`,i+`px`),e.addDimensionsCssVarsTo?.style.setProperty(`---cg-height`,a+`px`)}var Ur=e=>e.tagName===`PIECE`,Wr=e=>e.tagName===`SQUARE`;function Gr(e,t){for(let n of t)e.dom.elements.board.removeChild(n)}function Kr(e,t){let n=e[1];return`${t?10-n:3+n}`}var qr=e=>`${e.color} ${e.role}`,Jr=(e,t)=>e.lastMove?.[1]&&!e.pieces.has(e.lastMove[1])&&e.lastMove[0][0]===`e`&&[`h`,`a`].includes(e.lastMove[1][0])&&e.lastMove[0][1]===e.lastMove[1][1]&&un(...P(e.lastMove[0]),...P(e.lastMove[1])).some(t=>e.pieces.has(t))?(t>e.lastMove[0]?`g`:`c`)+t[1]:t;function Yr(e){let t=new Map;if(e.lastMove&&e.highlight.lastMove)for(let[n,r]of e.lastMove.entries())Z(t,n===1?Jr(e,r):r,`last-move`);if(e.check&&e.highlight.check&&Z(t,e.check,`check`),e.selected&&(Z(t,e.selected,`selected`),e.movable.showDests)){for(let n of e.movable.dests?.get(e.selected)??[])Z(t,n,`move-dest`+(e.pieces.has(n)?` oc`:``));for(let n of e.premovable.customDests?.get(e.selected)??e.premovable.dests??[])Z(t,n,`premove-dest`+(e.pieces.has(n)?` oc`:``))}let n=e.premovable.current;if(n)for(let e of n)Z(t,e,`current-premove`);else e.predroppable.current&&Z(t,e.predroppable.current.key,`current-premove`);let r=e.exploding;if(r)for(let e of r.keys)Z(t,e,`exploding`+r.stage);return e.highlight.custom&&e.highlight.custom.forEach((e,n)=>{Z(t,n,e)}),t}function Z(e,t,n){let r=e.get(t);r?e.set(t,`${r} ${n}`):e.set(t,n)}function Xr(e,t,n){let r=e.get(t);r?r.push(n):e.set(t,[n])}function Zr(){return{pieces:Zn(Jn),orientation:`white`,turnColor:`white`,coordinates:!0,coordinatesOnSquares:!1,ranksPosition:`right`,autoCastle:!0,viewOnly:!1,disableContextMenu:!1,addPieceZIndex:!1,blockTouchScroll:!1,touchIgnoreRadius:1,pieceKey:!1,trustAllEvents:!1,jsHover:!1,highlight:{lastMove:!0,check:!0},animation:{enabled:!0,duration:200},movable:{free:!0,color:`both`,showDests:!0,events:{},rookCastle:!0},premovable:{enabled:!0,showDests:!0,castle:!0,additionalPremoveRequirements:e=>!0,events:{}},predroppable:{enabled:!1,events:{}},draggable:{enabled:!0,distance:3,autoDistance:!0,showGhost:!0,deleteOnDropOff:!1},dropmode:{active:!1},selectable:{enabled:!0},stats:{dragged:!(`ontouchstart`in window)},events:{},drawable:{enabled:!0,visible:!0,defaultSnapToValidMove:!0,eraseOnMovablePieceClick:!0,shapes:[],autoShapes:[],brushes:{green:{key:`g`,color:`#15781B`,opacity:1,lineWidth:10},red:{key:`r`,color:`#882020`,opacity:1,lineWidth:10},blue:{key:`b`,color:`#003088`,opacity:1,lineWidth:10},yellow:{key:`y`,color:`#e68f00`,opacity:1,lineWidth:10},paleBlue:{key:`pb`,color:`#003088`,opacity:.4,lineWidth:15},paleGreen:{key:`pg`,color:`#15781B`,opacity:.4,lineWidth:15},paleRed:{key:`pr`,color:`#882020`,opacity:.4,lineWidth:15},paleGrey:{key:`pgr`,color:`#4a4a4a`,opacity:.35,lineWidth:15},purple:{key:`purple`,color:`#68217a`,opacity:.65,lineWidth:10},pink:{key:`pink`,color:`#ee2080`,opacity:.5,lineWidth:10},white:{key:`white`,color:`white`,opacity:1,lineWidth:10},paleWhite:{key:`pwhite`,color:`white`,opacity:.6,lineWidth:10},variation:{key:`variation`,color:`white`,opacity:.5,lineWidth:12}},prevSvgHash:``},hold:Xt()}}function Qr(){let e=Q(`defs`),t=$(Q(`filter`),{id:`cg-filter-blur`});return t.appendChild($(Q(`feGaussianBlur`),{stdDeviation:`0.013`})),e.appendChild(t),e}function $r(e,t){let n=e.drawable,r=n.current,i=r&&r.mouseSq?r:void 0,a=new Map,o=e.dom.bounds(),s=n.autoShapes.filter(e=>!e.piece);for(let t of n.shapes.concat(s).concat(i?[i]:[])){if(!t.dest)continue;let n=a.get(t.dest)??new Set,r=Ci(di(P(t.orig),e.orientation),o),i=Ci(di(P(t.dest),e.orientation),o);n.add(Ti(Ei(r,i))),a.set(t.dest,n)}let c=[],l=i?n.shapes.findIndex(e=>ur(e,i)&&dr(e,i)):-1;for(let[e,t]of n.shapes.concat(s).entries()){let n=l!==-1&&l===e;c.push({shape:t,current:!1,pendingErase:n,hash:ni(t,hi(t.dest,a),!1,o,n,gi(t.dest,a))})}i&&l===-1&&c.push({shape:i,current:!0,hash:ni(i,hi(i.dest,a),!0,o,!1,gi(i.dest,a)),pendingErase:!1});let u=c.map(e=>e.hash).join(`;`);u!==e.drawable.prevSvgHash&&(e.drawable.prevSvgHash=u,ei(n,c,t),ti(c,t,t=>oi(e,t,n.brushes,a,o)))}function ei(e,t,n){for(let r of[n.shapes,n.shapesBelow]){let i=r.querySelector(`defs`),a=t.filter(e=>r===n.shapesBelow==!!e.shape.below),o=new Map;for(let t of a.filter(e=>e.shape.dest&&e.shape.brush)){let n=_i(e.brushes[t.shape.brush],t.shape.modifiers),{key:r,color:i}=bi(t.shape);r&&i&&o.set(r,{key:r,color:i,opacity:1,lineWidth:1}),o.set(n.key,n)}let s=new Set,c=i.firstElementChild;for(;c;)s.add(c.getAttribute(`cgKey`)),c=c.nextElementSibling;for(let[e,t]of o.entries())s.has(e)||i.appendChild(li(t))}}function ti(e,t,n){for(let[r,i]of[[t.shapes,t.custom],[t.shapesBelow,t.customBelow]]){let[a,o]=[r,i].map(e=>e.querySelector(`g`)),s=e.filter(e=>r===t.shapesBelow==!!e.shape.below),c=new Map;for(let e of s)c.set(e.hash,!1);for(let e of[a,o]){let t=[],n=e.firstElementChild,r;for(;n;)r=n.getAttribute(`cgHash`),c.has(r)?c.set(r,!0):t.push(n),n=n.nextElementSibling;for(let n of t)e.removeChild(n)}for(let e of s.filter(e=>!c.get(e.hash)))for(let t of n(e))t.isCustom?o.appendChild(t.el):a.appendChild(t.el)}}function ni({orig:e,dest:t,brush:n,piece:r,modifiers:i,customSvg:a,label:o,below:s},c,l,u,d,f){return[u.width,u.height,l,d&&`pendingErase`,f,e,t,n,c&&`-`,r&&ri(r),i&&ii(i),a&&`custom-${ai(a.html)},${a.center?.[0]??`o`}`,o&&`label-${ai(o.text)}`,s&&`below`].filter(Boolean).join(`,`)}var ri=e=>[e.color,e.role,e.scale].filter(Boolean).join(`,`),ii=e=>[e.lineWidth,e.hilite].filter(Boolean).join(`,`);function ai(e){let t=0;for(let n=0;n<e.length;n++)t=(t<<5)-t+e.charCodeAt(n)>>>0;return t.toString()}function oi(e,{shape:t,current:n,pendingErase:r,hash:i},a,o,s){let c=Ci(di(P(t.orig),e.orientation),s),l=t.dest?Ci(di(P(t.dest),e.orientation),s):c,u=t.brush&&_i(a[t.brush],t.modifiers),d=o.get(t.dest),f=[];if(u){let e=$(Q(`g`),{cgHash:i});f.push({el:e}),c[0]!==l[0]||c[1]!==l[1]?e.appendChild(ci(t,u,c,l,n,hi(t.dest,o),r)):e.appendChild(si(a[t.brush],c,n,s,r,t.modifiers?.hilite))}if(t.label){let e=t.label;e.fill??=t.brush&&a[t.brush].color;let n=t.brush?void 0:`tr`;f.push({el:ui(e,i,c,l,d,n),isCustom:!0})}if(t.customSvg){let e=t.customSvg.center??`orig`,[n,r]=e===`label`?Oi(c,l,d).map(e=>e-.5):e===`dest`?l:c,a=$(Q(`g`),{transform:`translate(${n},${r})`,cgHash:i});a.innerHTML=`<svg width="1" height="1" viewBox="0 0 100 100">${t.customSvg.html}</svg>`,f.push({el:a,isCustom:!0})}return f}function si(e,t,n,r,i,a){let o=vi(),s=(r.width+r.height)/(4*Math.max(r.width,r.height));function c(r){return $(Q(`circle`),{stroke:r?a:e.color,"stroke-width":o[+!n]*(r?2:1),fill:`none`,opacity:a&&!i?1:xi(e,n,i),cx:t[0],cy:t[1],r:s-o[1]/2})}if(!a)return c(!1);let l=$(Q(`g`),{opacity:e.opacity}),u=$(Q(`g`),{filter:`url(#cg-filter-blur)`});return u.appendChild(c(!0)),l.appendChild(u),l.appendChild(c(!1)),l}function ci(e,t,n,r,i,a,o){function s(s){let c=Si(a&&!i),l=r[0]-n[0],u=r[1]-n[1],d=Math.atan2(u,l),f=Math.cos(d)*c,p=Math.sin(d)*c,m=bi(e);return $(Q(`line`),{stroke:s?m.color:t.color,"stroke-width":yi(t,i)*(s?1.14:1),"stroke-linecap":`round`,"marker-end":`url(#arrowhead-${s?m.key:t.key})`,opacity:e.modifiers?.hilite&&!o?1:xi(t,i,o),x1:n[0],y1:n[1],x2:r[0]-f,y2:r[1]-p})}if(!e.modifiers?.hilite)return s(!1);let c=$(Q(`g`),{opacity:t.opacity}),l=$(Q(`g`),{filter:`url(#cg-filter-blur)`});return l.appendChild(wi(n,r)),l.appendChild(s(!0)),c.appendChild(l),c.appendChild(s(!1)),c}function li(e){let t=$(Q(`marker`),{id:`arrowhead-`+e.key,orient:`auto`,overflow:`visible`,markerWidth:4,markerHeight:4,refX:e.key.startsWith(`hilite`)?1.86:2.05,refY:2});return t.appendChild($(Q(`path`),{d:`M0,0 V4 L3,2 Z`,fill:e.color})),t.setAttribute(`cgKey`,e.key),t}function ui(e,t,n,r,i,a){let o=.4,s=o*.75**e.text.length,c=Oi(n,r,i),l=a===`tr`?.4:0,u=$(Q(`g`),{transform:`translate(${c[0]+l},${c[1]-l})`,cgHash:t});u.appendChild($(Q(`circle`),{r:o/2,"fill-opacity":a?1:.8,"stroke-opacity":a?1:.7,"stroke-width":.03,fill:e.fill??`#666`,stroke:`white`}));let d=$(Q(`text`),{"font-size":s,"font-family":`Noto Sans`,"text-anchor":`middle`,fill:`white`,y:.13*.75**e.text.length});return d.innerHTML=e.text,u.appendChild(d),u}var di=(e,t)=>t===`white`?e:[7-e[0],7-e[1]],fi=(e,t)=>(e%t+t)%t,pi=(e,t)=>fi(e+t,16),mi=e=>[...e].some(t=>[-3,-2,-1,1,2,3].some(n=>e.has(pi(t,n)))),hi=(e,t)=>!!e&&t.has(e)&&mi(t.get(e)),Q=e=>document.createElementNS(`http://www.w3.org/2000/svg`,e),gi=(e,t)=>e&&t.has(e)?t.get(e).size:0;function $(e,t){for(let n in t)Object.prototype.hasOwnProperty.call(t,n)&&e.setAttribute(n,t[n]);return e}var _i=(e,t)=>t?{color:e.color,opacity:Math.round(e.opacity*10)/10,lineWidth:Math.round(t.lineWidth||e.lineWidth),key:[e.key,t.lineWidth].filter(Boolean).join(``)}:e,vi=()=>[3/64,4/64],yi=(e,t)=>(e.lineWidth||10)*(t?.85:1)/64;function bi(e){let t=e.modifiers?.hilite;return{key:t&&`hilite-${t.replace(`#`,``)}`,color:t}}var xi=(e,t,n)=>(e.opacity||1)*(n?.6:t?.9:1),Si=e=>(e?20:10)/64;function Ci(e,t){let n=Math.min(1,t.width/t.height),r=Math.min(1,t.height/t.width);return[(e[0]-3.5)*n,(3.5-e[1])*r]}function wi(e,t){let n={from:[Math.floor(Math.min(e[0],t[0])),Math.floor(Math.min(e[1],t[1]))],to:[Math.ceil(Math.max(e[0],t[0])),Math.ceil(Math.max(e[1],t[1]))]};return $(Q(`rect`),{x:n.from[0],y:n.from[1],width:n.to[0]-n.from[0],height:n.to[1]-n.from[1],fill:`none`,stroke:`none`})}var Ti=e=>fi(Math.round(e*8/Math.PI),16),Ei=(e,t)=>Math.atan2(t[1]-e[1],t[0]-e[0])+Math.PI,Di=(e,t)=>Math.sqrt([e[0]-t[0],e[1]-t[1]].reduce((e,t)=>e+t*t,0));function Oi(e,t,n){let r=Di(e,t),i=Ei(e,t);if(n&&(r-=33/64,mi(n))){r-=10/64;let e=Ti(i);e&1&&[-1,1].some(t=>n.has(pi(e,t)))&&(r-=.4)}return[e[0]-Math.cos(i)*r,e[1]-Math.sin(i)*r].map(e=>e+.5)}function ki(e,t){e.innerHTML=``,e.classList.add(`cg-wrap`);for(let n of Ht)e.classList.toggle(`orientation-`+n,t.orientation===n);e.classList.toggle(`manipulable`,!t.viewOnly);let n=V(`cg-container`);e.appendChild(n);let r=V(`cg-board`);n.appendChild(r);let i,a,o,s,c;if(t.drawable.visible&&([i,a]=[`cg-shapes-below`,`cg-shapes`].map(e=>Ai(e,!0)),[o,s]=[`cg-custom-below`,`cg-custom-svgs`].map(e=>Ai(e,!1)),c=V(`cg-auto-pieces`),n.appendChild(i),n.appendChild(o),n.appendChild(a),n.appendChild(s),n.appendChild(c)),t.coordinates){let e=t.orientation===`black`?` black`:``,r=t.ranksPosition===`left`?` left`:``;if(t.coordinatesOnSquares){let i=t.orientation===`white`?e=>e+1:e=>8-e;Ut.forEach((t,a)=>n.appendChild(ji(Wt.map(e=>t+e),`squares rank`+i(a)+e+r,a%2==0?`black`:`white`)))}else n.appendChild(ji(Wt,`ranks`+e+r,t.ranksPosition===`right`==(t.orientation===`white`)?`white`:`black`)),n.appendChild(ji(Ut,`files`+e,F(t.orientation)))}let l;return!t.viewOnly&&t.draggable.enabled&&t.draggable.showGhost&&(l=V(`piece`,`ghost`),z(l,!1),n.appendChild(l)),{board:r,container:n,wrap:e,ghost:l,shapes:a,shapesBelow:i,custom:s,customBelow:o,autoPieces:c}}function Ai(e,t){let n=$(Q(`svg`),{class:e,viewBox:t?`-4 -4 8 8`:`-3.5 -3.5 8 8`,preserveAspectRatio:`xMidYMid slice`,style:`color-scheme:light only`});return t&&n.appendChild(Qr()),n.appendChild(Q(`g`)),n}function ji(e,t,n){let r=V(`coords`,t),i;return e.forEach((e,t)=>{i=V(`coord`,`coord-${t%2==(n===`white`?0:1)?`light`:`dark`}`),i.textContent=e,r.appendChild(i)}),r}function Mi(e,t){let n=Zr();er(n,t||{});function r(){let t=`dom`in n?n.dom.unbind:void 0,r=ki(e,n),i=Yt(()=>r.board.getBoundingClientRect()),a=e=>{Br(s),r.autoPieces&&Ar(s,r.autoPieces),!e&&r.shapes&&$r(s,r)},o=()=>{Hr(s),Vr(s),r.autoPieces&&jr(s)},s=n;return s.dom={elements:r,bounds:i,redraw:Ni(a),redrawNow:a,unbind:t},s.drawable.prevSvgHash=``,Hr(s),a(!1),Fr(s),t||(s.dom.unbind=Ir(s,o)),s.events.insert?.(r),s}return Or(r(),r)}function Ni(e){let t=!1;return()=>{t||(t=!0,requestAnimationFrame(()=>{e(),t=!1}))}}function Pi(e){let t=e.contacts.find(t=>t.id===e.contact),n=t?.square?j(`the-piece`,{piece:j(`piece`,{letter:t.piece.toUpperCase()}),square:t.square}):j(`some-piece`),r=`what-${e.kind}`;return j(Dt(r)?r:`what-other`,{player:j(e.player===`white`?`White`:`Black`),what:n,played:e.played,kind:e.kind.replaceAll(`_`,` `)})}var Fi=e=>e.corrected!==null&&e.severity===`log`,Ii=e=>Math.round(e*100),Li=30,Ri=21,zi=1500,Bi=[[`touch`,`touch_ms`],[`lift`,`lift_ms`],[`place`,`place_ms`],[`release`,`release_ms`]];function Vi(e){return e===`touch`?C(`circle`,{r:4.5,class:`open`}):e===`lift`?C(`path`,{d:`M-5 4 L0 -5 L5 4 Z`}):e===`place`?C(`path`,{d:`M-5 -4 L0 5 L5 -4 Z`}):C(`circle`,{r:4.5})}function Hi(e){return j(e.square!==null&&e.to!==null&&e.to!==e.square?`contact-label-to`:`contact-label`,{player:j(e.player===`white`?`White`:`Black`),piece:j(`piece-name`,{letter:e.piece.toUpperCase()}),square:e.square??e.to??``,kind:j(`contact-${e.kind}`),to:e.to??``})}var Ui=class{incident;nearest;element=S(`div`,{class:`timeline`});now=C(`line`,{class:`now`,y1:0,y2:`100%`});constructor(e,t,n){this.incident=e,this.nearest=t;let{times_ms:r}=e;if(r.length<2)return;let i=this.shown(),a=C(`svg`,{height:i.length*Li+8,role:`img`,"aria-label":this.said(i)});a.append(C(`line`,{class:`move`,x1:this.x(e.at_ms),x2:this.x(e.at_ms),y1:0,y2:`100%`})),i.forEach((e,t)=>a.append(...this.lane(e,t*Li))),a.append(this.now),a.addEventListener(`click`,e=>{let{left:t,width:i}=a.getBoundingClientRect();n(Math.round((e.clientX-t)/i*(r.length-1)))}),this.element.append(a,this.legend())}at(e){let t=this.percent(e);this.now.setAttribute(`x1`,t),this.now.setAttribute(`x2`,t)}percent(e){return`${e/Math.max(this.incident.times_ms.length-1,1)*100}%`}x(e){return this.percent(this.nearest(e))}shown(){let{contacts:e,contact:t,times_ms:n}=this.incident,r=e=>n.some(t=>t>e.touch_ms-zi&&t<e.release_ms+zi),i=e=>e.id===t?0:1;return e.filter(r).sort((e,t)=>i(e)-i(t)||e.touch_ms-t.touch_ms)}lane(e,t){let n=`lane ${e.player} ${e.id===this.incident.contact?`about`:``}`,[r,i]=[this.x(e.touch_ms),this.x(e.release_ms)],a=parseFloat(r)>55,o=C(`text`,{class:n,x:a?i:r,y:t+12,"text-anchor":a?`end`:`start`},Hi(e));return[C(`line`,{class:n,x1:r,x2:i,y1:t+Ri,y2:t+Ri}),o,...Bi.flatMap(([r,i])=>{let a=e[i];if(a===null)return[];let o=C(`svg`,{x:this.x(a),y:t+Ri,overflow:`visible`,class:n},Vi(r));return o.append(C(`title`,{},`${j(`edge-${r}`)} ${Ce(a-this.zero)} s`)),[o]})]}get zero(){let{contacts:e,contact:t,at_ms:n}=this.incident;return e.find(e=>e.id===t)?.touch_ms??n}legend(){return S(`p`,{class:`legend`},...Bi.flatMap(([e])=>[C(`svg`,{width:14,height:14,viewBox:`-7 -7 14 14`,"aria-hidden":`true`},Vi(e)),S(`span`,{},j(`edge-${e}`))]))}said(e){let t=e=>Bi.flatMap(([t,n])=>{let r=e[n];return r===null?[]:[`${j(`edge-${t}`)} ${Ce(r-this.zero)} s`]}).join(`, `);return[j(`timeline`),...e.map(e=>`${Hi(e)}: ${t(e)}`)].join(`. `)}},Wi=[1,1.5,2,3,4],Gi=250,Ki=e=>e,qi=class e{incident;rules;close;element=S(`section`,{class:`incident`,role:`dialog`,"aria-modal":`true`,"aria-labelledby":`incident-title`});image=S(`img`,{alt:``});stage=S(`div`,{class:`stage`},this.image);caption=S(`p`,{class:`caption`,"aria-live":`off`});board=S(`div`,{class:`position`});timeline;note=S(`textarea`,{id:`note`,rows:`2`,maxlength:`2000`});corrected=S(`p`,{class:`corrected`,role:`status`});ruled=S(`p`,{class:`ruled`,role:`status`});said=S(`p`,{class:`said`,role:`alert`});held=S(`button`,{type:`button`,"aria-keyshortcuts":`H`,onclick:()=>void this.hold()});kept=S(`p`,{class:`kept`});publicKey=S(`code`,{});play=S(`button`,{type:`button`,"aria-keyshortcuts":`Space`,onclick:()=>this.toggle()});loaded=new Map;at=0;zoom=0;timer=0;constructor(e,t,n){this.incident=e,this.rules=t,this.close=n}static async open(t,n,r){let i=new e(await c(t,A()),n,r);return i.build(),i}get id(){return this.incident.id}build(){let{incident:e}=this;this.board=S(`div`,{class:`position`});let t=(e,t,n,r=``)=>S(`button`,{type:`button`,class:r,"aria-keyshortcuts":t,onclick:n},e,S(`kbd`,{},t));this.note.value=e.ruled?.note??``,this.timeline=new Ui(e,e=>this.nearest(e),e=>this.step(e-this.at)),this.element.replaceChildren(S(`header`,{},S(`div`,{},S(`h2`,{id:`incident-title`,tabindex:`-1`},`${e.board}: ${Pi(e)}`),S(`p`,{class:`names`},this.who())),t(j(`back`),`Esc`,()=>this.close())),S(`div`,{class:`proof`},e.times_ms.length?this.stage:S(`p`,{class:`none`},j(e.freed?`frames-freed`:`no-frames`)),this.caption,this.timeline.element,S(`div`,{class:`controls`},t(`◀`,`←`,()=>this.step(-1)),this.play,t(`▶`,`→`,()=>this.step(1)),t(j(`zoom`),`+`,()=>this.zoomBy(1)),...this.marks().map(({id:e,ms:n},r)=>t(j(e),String(r+1),()=>this.step(this.nearest(n)-this.at))))),S(`div`,{class:`case`},S(`div`,{class:`frame`},this.board),S(`dl`,{},S(`dt`,{},j(`article`,{article:e.article})),S(`dd`,{},j(`how-sure`,{percent:Ii(e.probability)})),S(`dt`,{},j(`allowed`)),S(`dd`,{},e.allowed.length?e.allowed.join(`, `):j(`allowed-none`)),S(`dt`,{},j(`played`)),S(`dd`,{},e.played)),S(`h3`,{},j(`why`)),S(`ul`,{},...e.facts.map(e=>S(`li`,{},e))),e.standing?S(`p`,{class:`standing`},e.standing):null,e.withdrawn?S(`p`,{class:`withdrawn`},j(`withdrawn`)):null),S(`div`,{class:`ruling`},S(`h3`,{},j(`ruling`)),this.ruled,...this.rules?this.ruling(t):[e.ruled?.note?S(`p`,{},e.ruled.note):null,this.corrected]),S(`div`,{class:`evidence`},S(`h3`,{},j(`evidence`)),this.kept,this.rules&&S(`div`,{class:`buttons`},S(`a`,{href:h(this.id),download:``,class:`button`,"aria-keyshortcuts":`X`},j(`export`),S(`kbd`,{},`X`)),this.held),S(`p`,{class:`hint`},j(`export-what`),` `,this.publicKey))),_().then(e=>this.publicKey.textContent=e),this.note.addEventListener(`keydown`,e=>this.inNote(e)),this.showRuling(),this.label();let n=this.contact()?.touch_ms;this.go(n===void 0?0:this.nearest(n))}ruling(e){return[S(`div`,{class:`buttons`},e(j(`upheld`),`U`,()=>void this.rule(`upheld`),`upheld`),e(j(`dismissed`),`D`,()=>void this.rule(`dismissed`),`dismissed`),e(j(`unclear`),`C`,()=>void this.rule(`unclear`),`unclear`),e(j(`undo`),`Z`,()=>void this.undo())),S(`h3`,{},j(`correction`)),this.corrected,S(`div`,{class:`buttons`},e(j(`announced`),`J`,()=>void this.correct(`announced`)),e(j(`accidental`),`A`,()=>void this.correct(`accidental`))),S(`label`,{for:`note`},j(`note`),S(`kbd`,{},`N`)),this.note,this.said]}ready(){Mi(this.board,{fen:this.incident.fen,viewOnly:!0,coordinates:!0,orientation:this.incident.player,animation:{enabled:!1},drawable:{enabled:!1,visible:!0,autoShapes:this.arrows()}}),this.element.querySelector(`#incident-title`)?.focus()}who(){let{players:e,at_ms:t}=this.incident,n=e.round&&`${j(`round`)} ${e.round}`;return[Te(e),n,we(t,A())].filter(Boolean).join(` · `)}contact(){return this.incident.contacts.find(e=>e.id===this.incident.contact)}arrows(){let e=(e,t)=>({orig:Ki(e.slice(0,2)),dest:Ki(e.slice(2,4)),brush:t}),{obliged:t,played_uci:n}=this.incident,r=t.map(t=>e(t,`green`));n&&r.push(e(n,`red`));let i=this.contact()?.square;return i&&r.push({orig:Ki(i),brush:`yellow`}),r}marks(){let e=this.contact();return[...e?[{id:`mark-touch`,ms:e.touch_ms},{id:`mark-release`,ms:e.release_ms}]:[],{id:`mark-breach`,ms:this.incident.at_ms}]}nearest(e){let t=0;return this.incident.times_ms.forEach((n,r)=>{let i=this.incident.times_ms[t]??0;Math.abs(n-e)<Math.abs(i-e)&&(t=r)}),t}frame(e){let t=this.loaded.get(e);return t||(t=new Image,t.src=l(this.id,e),this.loaded.set(e,t)),t}go(e){let{times_ms:t}=this.incident;if(!t.length)return;this.at=Math.min(Math.max(e,0),t.length-1),this.image.src=this.frame(this.at).src;for(let e=1;e<=4;e+=1)this.at+e<t.length&&this.frame(this.at+e);this.at>0&&this.frame(this.at-1);let n=this.contact()?.touch_ms??this.incident.at_ms,r=j(`frame-of`,{number:this.at+1,count:t.length,offset:Ce((t[this.at]??n)-n)});this.caption.textContent=r,this.image.alt=r,this.timeline?.at(this.at)}step(e){this.stop(),this.go(this.at+e)}zoomBy(e){this.zoom=(this.zoom+e+Wi.length)%Wi.length,this.image.style.transform=`scale(${Wi[this.zoom]??1})`}toggle(){this.timer?this.stop():this.run()}run(){let{times_ms:e}=this.incident;if(e.length<2)return;let t=this.at+1<e.length?this.at+1:0,n=t?(e[t]??0)-(e[this.at]??0):Gi;this.timer=window.setTimeout(()=>{this.frame(t).complete&&this.go(t),this.run()},Math.min(Math.max(n,10),Gi)),this.label()}stop(){window.clearTimeout(this.timer),this.timer=0,this.label()}label(){this.play.replaceChildren(j(this.timer?`pause`:`play`),S(`kbd`,{},`␣`))}showRuling(){let{ruled:e,corrected:t}=this.incident,n=t&&j(`said-${t.correction}`,{who:t.who,time:we(t.at_ms,A())}),r=Fi(this.incident)?j(`nothing-left`):j(`judged-again`);this.corrected.textContent=n?`${n} ${r}`:``,this.ruled.textContent=e?j(`ruled`,{ruling:j(e.ruling),who:e.who,time:we(e.at_ms,A())}):j(`not-ruled`),this.ruled.dataset.ruling=e?.ruling??``;let{held:i,freed:a}=this.incident;this.kept.textContent=j(a?`frames-freed`:i?`held`:`not-held`),this.held.replaceChildren(j(i?`let-go`:`hold`),S(`kbd`,{},`H`)),this.held.disabled=a}async hold(){await this.attempt(()=>g(this.id,!this.incident.held))}async refresh(){let e=e=>JSON.stringify([e.times_ms.length,e.corrected,e.probability,e.obliged,e.withdrawn]),t=e(this.incident);if(this.incident=await c(this.id,A()),this.showRuling(),e(this.incident)!==t){let e=this.at,t=this.note.value;this.loaded.clear(),this.build(),this.ready(),this.note.value=t,this.go(e)}}async rule(e){await this.attempt(()=>p(this.id,e,this.note.value))}async correct(e){await this.attempt(()=>v(this.id,e))}async undo(){let{ruled:e,corrected:t}=this.incident,n=t&&t.at_ms>(e?.at_ms??0);await this.attempt(()=>n?y(this.id):m(this.id))}async attempt(e){this.said.textContent=``;try{await e(),await this.refresh()}catch(e){this.said.textContent=j(`failed`,{why:e.message})}}inNote(e){e.stopPropagation(),(e.key===`Enter`&&!e.shiftKey||e.key===`Escape`)&&(e.preventDefault(),this.note.blur(),this.element.querySelector(`#incident-title`)?.focus())}key(e){let t=this.marks()[Number(e.key)-1],n={Escape:()=>this.close(),ArrowLeft:()=>this.step(e.shiftKey?-10:-1),ArrowRight:()=>this.step(e.shiftKey?10:1),Home:()=>this.step(-1/0),End:()=>this.step(1/0)," ":()=>this.toggle(),"+":()=>this.zoomBy(1),"-":()=>this.zoomBy(-1),...this.rules&&{u:()=>void this.rule(`upheld`),d:()=>void this.rule(`dismissed`),c:()=>void this.rule(`unclear`),j:()=>void this.correct(`announced`),a:()=>void this.correct(`accidental`),z:()=>void this.undo(),h:()=>void this.hold(),x:()=>this.element.querySelector(`.evidence a`)?.click(),n:()=>this.note.focus()}},r=t?()=>this.step(this.nearest(t.ms)-this.at):n[e.key];return r?.(),r!==void 0}},Ji=e=>!e.ruled&&!Fi(e),Yi=class{open;element=S(`section`,{class:`queue`,"aria-labelledby":`queue-title`});count=S(`span`,{class:`count`});next=S(`div`,{class:`next`});off=S(`p`,{class:`off`});list=S(`div`,{role:`listbox`,"aria-labelledby":`queue-title`,tabindex:`0`});incidents=[];chosen;constructor(e){this.open=e,this.element.append(S(`h2`,{id:`queue-title`},j(`incidents`)),this.count,this.next,this.off,this.list)}get first(){return this.chosen??this.incidents[0]?.id}show(e,t){this.incidents=e,e.some(e=>e.id===this.chosen)||(this.chosen=e[0]?.id);let n=e.filter(Ji).length;this.count.textContent=j(`to-rule`,{count:n}),this.list.replaceChildren(...e.map(e=>this.row(e))),this.mark(),this.hint(t)}hint(e){let t=e.some(e=>e.state.is===`looking`||e.state.is===`starting`),n=this.incidents.some(Ji)?`next-open`:e.length?t?`next-looking`:`next-wait`:`next-none`;this.next.replaceChildren(S(`h3`,{},j(`next-title`)),S(`p`,{},j(n)))}showOff(e){this.off.textContent=e.length?j(`alerts-off`,{kinds:e.map(e=>j(`kind-${e}`)).join(`, `)}):``}step(e){let t=this.incidents.findIndex(e=>e.id===this.chosen),n=this.incidents[Math.min(Math.max(t+e,0),this.incidents.length-1)];this.chosen=n?.id,this.mark()}row(e){let{ruled:t}=e,n=Fi(e)?`closed`:`severity-${e.severity}`;return S(`div`,{role:`option`,id:`incident-${e.id}`,class:`row ${e.severity} ${Ji(e)?``:`ruled`}`,onclick:()=>{this.chosen=e.id,this.open(e.id)}},S(`p`,{class:`head`},S(`b`,{},e.board),` ${we(e.at_ms,A())} `,S(`span`,{class:`severity`},j(t?t.ruling:n)),S(`span`,{class:`sure`},j(`sure`,{percent:Ii(e.probability)}))),S(`p`,{},Pi(e)),e.withdrawn?S(`p`,{class:`withdrawn`},j(`withdrawn`)):null)}mark(){for(let e of this.list.children){let t=e.id===`incident-${this.chosen}`;e.setAttribute(`aria-selected`,String(t)),t&&e.scrollIntoView({block:`nearest`})}this.chosen!==void 0&&this.list.setAttribute(`aria-activedescendant`,`incident-${this.chosen}`)}},Xi=[`king`,`queen`,`rook`,`bishop`,`knight`,`pawn`],Zi=[`white`,`black`],Qi=[[`K`,`e1`,`h1`],[`Q`,`e1`,`a1`],[`k`,`e8`,`h8`],[`q`,`e8`,`a8`]];function $i(e,t){let{pieces:n}=e.state;return Qi.filter(([e,r,i])=>{let a=e===e.toUpperCase()?`white`:`black`,o=(e,t)=>{let r=n.get(e);return r?.role===t&&r.color===a};return t.includes(e)&&o(r,`king`)&&o(i,`rook`)}).map(([e])=>e).join(``)||`-`}var ea=class{board;element=S(`dialog`,{class:`fix`,"aria-labelledby":`fix-title`});said=S(`p`,{class:`said`,role:`status`});place=S(`div`,{class:`position`});fen=S(`input`,{id:`fix-fen`,type:`text`,spellcheck:`false`,autocomplete:`off`});turn=this.select(`fix-turn`,[[`w`,j(`White`)],[`b`,j(`Black`)]]);ground;constructor(e){this.board=e,this.element.addEventListener(`close`,()=>this.element.remove())}async open(){let e=await x(this.board.id).catch(()=>void 0),{board:t}=this;this.element.replaceChildren(S(`header`,{},S(`h2`,{id:`fix-title`},j(`fix-title`,{board:t.name})),this.button(j(`close`),()=>this.element.close())),S(`p`,{class:`lead`},j(`fix-lead`)),this.said,S(`div`,{class:`halves`},this.stands(),S(`div`,{},this.picture(),this.players(),this.lastMove(e),this.end()))),this.element.showModal(),this.edit(t.fen)}picture(){let{id:e,name:t}=this.board;return S(`img`,{class:`live`,alt:j(`picture-of`,{board:t}),src:`/api/boards/${e}/picture?t=${Date.now()}`})}button(e,t){return S(`button`,{type:`button`,onclick:t},e)}select(e,t){return S(`select`,{id:e},...t.map(([e,t])=>S(`option`,{value:e},t)))}labelled(e,t){return S(`label`,{for:t.id},e,t)}part(e,...t){return S(`section`,{},S(`h3`,{},e),...t)}async attempt(e,t){this.said.classList.remove(`bad`),this.said.textContent=``;try{let n=await e(),r=n instanceof Response&&n.status===202;this.said.textContent=j(r?`fix-later`:t)}catch(e){this.said.classList.add(`bad`),this.said.textContent=j(`failed`,{why:e.message})}}players(){let{players:e}=this.board,t=(e,t)=>S(`input`,{id:`fix-${e}`,type:`text`,value:t,maxlength:`80`,autocomplete:`off`}),[n,r,i]=[t(`white`,e.white),t(`black`,e.black),t(`round`,e.round)],a=()=>this.attempt(()=>ne(this.board.id,{white:n.value,black:r.value,round:i.value}),`fix-done`);return this.part(j(`fix-players`),this.labelled(j(`White`),n),this.labelled(j(`Black`),r),this.labelled(j(`round`),i),this.button(j(`save`),()=>void a()))}lastMove(e){let t=e?.moves.at(-1);if(!e?.alternatives.length||!t)return null;let n=`${Math.floor(t.ply/2)+1}.${t.ply%2?`..`:``}`,r=this.select(`fix-move`,e.alternatives.map(e=>[e.uci,e.san]));r.value=t.uci;let i=()=>this.attempt(()=>te(this.board.id,r.value),`fix-done`);return this.part(j(`fix-last`),this.labelled(j(`fix-instead`,{move:`${n}\u00a0${t.san}`}),r),this.button(j(`fix-played`),()=>void i()))}end(){let e=this.select(`fix-result`,[[``,j(`result-open`)],[`1-0`,`1–0`],[`0-1`,`0–1`],[`1/2-1/2`,`½–½`]]),t=()=>this.attempt(()=>b(this.board.id,{result:e.value||null}),`fix-ended`);return this.part(j(`fix-end`),this.labelled(j(`result`),e),this.button(j(`fix-end-do`),()=>void t()))}stands(){let e=Zi.map(e=>this.tray(e));this.fen.addEventListener(`input`,()=>this.read()),this.turn.addEventListener(`change`,()=>this.write());let t=()=>this.attempt(()=>ee(this.board.id,this.fen.value),`fix-done`),n=()=>this.attempt(()=>b(this.board.id,{fen:this.fen.value}),`fix-begun`);return this.part(j(`fix-position`),...e.slice(1),S(`div`,{class:`frame`},this.place),...e.slice(0,1),this.labelled(j(`fix-turn`),this.turn),this.labelled(j(`fix-fen`),this.fen),S(`div`,{class:`buttons`},this.button(j(`fix-stands`),()=>void t()),this.button(j(`fix-begin`),()=>void n())))}tray(e){return S(`div`,{class:`tray cg-wrap`,"aria-hidden":`true`},...Xi.map(t=>{let n=document.createElement(`piece`);n.className=`spare ${e} ${t}`,n.title=j(`piece-name`,{letter:t===`knight`?`N`:t.charAt(0).toUpperCase()});let r=n=>{n.preventDefault(),this.ground?.dragNewPiece({color:e,role:t},n,!0)};return n.addEventListener(`mousedown`,r),n.addEventListener(`touchstart`,r,{passive:!1}),n}))}edit(e){this.ground=Mi(this.place,{coordinates:!0,animation:{enabled:!1},movable:{free:!0,color:`both`},premovable:{enabled:!1},highlight:{lastMove:!1},draggable:{deleteOnDropOff:!0,showGhost:!0},events:{change:()=>this.write()}}),this.fen.value=e,this.read()}read(){let[e,t]=this.fen.value.trim().split(/\s+/);this.ground?.set({fen:e??``}),(t===`w`||t===`b`)&&(this.turn.value=t)}write(){if(!this.ground)return;let e=$i(this.ground,this.board.fen.split(` `)[2]??`-`);this.fen.value=`${this.ground.getFen()} ${this.turn.value} ${e} - 0 1`}};function ta(e){let t=S(`input`,{type:`file`,accept:`.csv,.txt,.pgn,text/csv,text/plain`,hidden:!0}),n=async()=>{let[n]=t.files??[];if(t.value=``,n)try{let{boards:t}=await re(await n.text());e(j(`pairings-done`,{boards:t.join(`, `)}))}catch(t){e(j(`failed`,{why:t.message}))}};return t.addEventListener(`change`,()=>void n()),S(`span`,{},S(`button`,{type:`button`,onclick:()=>t.click()},j(`pairings`)),t)}function na(){let e=(e,t,n)=>S(`input`,{id:e,name:e,type:`text`,required:t,placeholder:n,autocomplete:`off`,spellcheck:`false`}),t=e(`board-name`,!0,j(`board-name-example`)),n=e(`board-source`,!0,`rtsp://192.168.1.20/stream1`),r=e(`board-start`,!1,j(`board-start-example`)),i=S(`p`,{class:`said bad`,role:`alert`}),a=S(`button`,{type:`submit`},j(`add-board-do`)),o=async e=>{e.preventDefault(),i.textContent=j(`board-trying`),a.disabled=!0;try{await ie(t.value,n.value,r.value||void 0),c.close()}catch(e){i.textContent=j(`failed`,{why:e.message})}a.disabled=!1},s=(e,t,n)=>S(`label`,{for:e},j(e),t,n?S(`small`,{},n):null),c=S(`dialog`,{class:`fix small`,"aria-labelledby":`add-title`},S(`form`,{onsubmit:e=>void o(e)},S(`h2`,{id:`add-title`},j(`add-board`)),s(`board-name`,t),s(`board-source`,n,j(`board-source-hint`)),s(`board-start`,r),i,S(`div`,{class:`buttons`},a,S(`button`,{type:`button`,onclick:()=>c.close()},j(`close`)))));c.addEventListener(`close`,()=>c.remove()),document.body.append(c),c.showModal()}var ra=700,ia=12,aa=e=>[e.slice(0,2),e.slice(2,4)];function oa(e){let t=Math.max(0,e.moves.length-ia),n=t-t%2;return e.moves.slice(n).map((e,t)=>(n+t)%2==0?`${(n+t)/2+1}.\u00a0${e}`:e).join(` `)}function sa(e){let{state:t}=e,n=[];return t.is===`looking`?n.push(t.why??j(`looking-what`)):t.is===`out_of_step`?n.push(j(`out-of-step-what`,{squares:(t.squares??[]).join(`, `)})):t.is===`over`?n.push(j(`over-what`)):t.why&&n.push(t.why),e.not_recording?n.push(j(`not-recording`,{why:e.not_recording})):e.space?.short&&n.push(j(`short-${e.space.limit}`,{hours:e.space.hours_left})),n}var ca=class{role;calibrate;element=S(`section`,{class:`wall`,"aria-labelledby":`wall-title`});cards=new Map;empty;constructor(t,n){this.role=t,this.calibrate=n;let r=S(`p`,{class:`said`,role:`status`}),i=e(t,`administrator`),a=i&&S(`button`,{type:`button`,onclick:na},j(`add-board`)),o=e(t,`arbiter`)&&ta(e=>r.textContent=e);this.empty=S(`p`,{class:`empty`},j(i?`no-boards-add`:`no-boards`)),this.element.append(S(`header`,{},S(`h2`,{id:`wall-title`},j(`boards`)),a,o),r,this.empty)}show(e){let t=this.cards.get(e.id);t||(t=new la(e,this.role,this.calibrate),this.cards.set(e.id,t),this.element.append(t.element),t.ready()),t.show(e),this.empty.hidden=!0}remove(e){let t=this.cards.get(e);t?.stop(),t?.element.remove(),this.cards.delete(e),this.empty.hidden=this.cards.size>0}stop(){for(let e of this.cards.values())e.stop()}},la=class{board;element;position=S(`div`,{class:`position`});picture=S(`img`,{alt:``});state=S(`span`,{class:`state`});names=S(`p`,{class:`names`});line=S(`p`,{class:`moves`});advice=S(`div`,{class:`advice`});ground;timer=0;constructor(t,n,r){this.board=t;let i=e(n,`reviewer`),a=e(n,`arbiter`);this.picture.alt=j(`picture-of`,{board:t.name});let o=(e,t)=>S(`button`,{type:`button`,onclick:()=>void t().catch(e=>this.say([e.message]))},e),s=o(j(`new-game`),async()=>{confirm(j(`new-game-sure`))&&await b(t.id)}),c=o(j(`fix`),()=>this.fix()),l=e(n,`administrator`)&&o(j(`remove-board`),async()=>{confirm(j(`remove-board-sure`,{board:t.name}))&&await ae(t.id)}),u=o(j(`look-again`),()=>oe(t.id)),d=S(`button`,{type:`button`,onclick:()=>r(t)},j(`calibrate`));this.element=S(`article`,{class:`card`,"aria-label":t.name},S(`header`,{},S(`h3`,{},t.name),this.state),this.names,this.advice,S(`div`,{class:`views`},S(`div`,{class:`frame`},this.position),i&&this.picture),this.line,a&&S(`footer`,{},c,s,u,d,l)),i&&this.follow(t.id)}ready(){this.ground=Mi(this.position,{viewOnly:!0,coordinates:!1,animation:{enabled:!1}})}async fix(){let e=new ea(this.board);this.element.append(e.element),await e.open()}show(e){this.board=e;let t=e.next&&Te(e.next);this.names.textContent=[Te(e.players),t&&j(`next-pairing`,{pairing:t})].filter(Boolean).join(` · `),this.ground?.set({fen:e.fen,lastMove:e.last?aa(e.last):[]}),this.state.textContent=j(`state-${e.state.is}`),this.element.dataset.state=e.state.is,this.line.textContent=e.moves.length?oa(e):j(`no-moves`),this.say(sa(e))}say(e){this.advice.replaceChildren(...e.map(e=>S(`p`,{},e)))}follow(e){let t=()=>{let n=new Image,r=()=>this.timer=window.setTimeout(t,ra);document.hidden?r():(n.onload=()=>{this.picture.src=n.src,this.picture.classList.add(`live`),r()},n.onerror=r,n.src=`/api/boards/${e}/picture?t=${Date.now()}`)};t()}stop(){window.clearTimeout(this.timer),this.picture.removeAttribute(`src`)}},ua=document.querySelector(`#app`),da=[`incident`,`incident_withdrawn`,`evidence`,`evidence_freed`,`held`,`let_go`,`ruling`,`judgement`],fa=class{user;leave;boards=new Map;incidents=[];off=[];sees;rules;keeps;wall;queue;opened;reopen;before=null;overlay=S(`div`,{class:`overlay`,hidden:!0});link=S(`span`,{class:`link`,role:`status`});news=S(`p`,{class:`news`,role:`status`,"aria-live":`polite`});help=S(`dialog`,{class:`help`});events;last=0;constructor(t,n){this.user=t,this.leave=n,this.sees=e(t.role,`reviewer`),this.rules=e(t.role,`arbiter`),this.keeps=e(t.role,`administrator`),this.wall=this.freshWall(),this.queue=new Yi(e=>void this.open(e))}async start(){await this.fetch(),this.build(),document.addEventListener(`keydown`,this.onkey),this.listen()}async fetch(){for(let e of await o())this.boards.set(e.id,e);this.sees&&(this.incidents=await s(),this.off=(await _e()).filter(e=>!e.in_use).map(e=>e.kind))}build(){this.wall.stop(),this.wall=this.freshWall(),this.queue=new Yi(e=>void this.open(e));let e=(e,t,n)=>S(`button`,{type:`button`,onclick:n},e,t?S(`kbd`,{},t):null);ua.replaceChildren(S(`header`,{class:`top`},S(`h1`,{},`Adoube`),this.link,this.keeps?e(j(`admin-title`),``,()=>this.openAdmin()):null,e(j(`language`),`L`,()=>this.language()),e(j(`keys`),`?`,()=>this.showHelp()),e(j(`log-out`,{name:this.user.name}),``,()=>void this.logOut())),this.news,S(`main`,{class:`desk`},this.wall.element,this.sees?this.queue.element:S(`aside`,{class:`queue`},S(`p`,{},j(`viewer-note`)))),this.overlay,this.help);for(let e of this.boards.values())this.wall.show(e);this.showQueue()}showQueue(){this.queue.show(this.incidents,[...this.boards.values()]),this.queue.showOff(this.off);let e=this.incidents.filter(Ji).length;document.title=e?`(${e}) Adoube`:`Adoube`}listen(){let e=new EventSource(`/api/events${this.last?`?after=${this.last}`:``}`);this.events=e,e.onopen=()=>{this.link.textContent=j(`connected`),this.link.classList.remove(`lost`),this.same(),this.refresh()},e.onerror=()=>{this.link.textContent=j(`cut-off`),this.link.classList.add(`lost`),e.readyState===EventSource.CLOSED&&window.setTimeout(()=>void this.again(),2e3)},e.addEventListener(`board`,e=>{let t=JSON.parse(e.data);this.boards.set(t.id,t),this.wall.show(t),this.queue.hint([...this.boards.values()])}),e.addEventListener(`board_removed`,e=>{let t=e;this.last=Number(t.lastEventId)||this.last;let{board:n}=JSON.parse(t.data).body;this.boards.delete(n),this.wall.remove(n),this.queue.hint([...this.boards.values()])});for(let t of da)e.addEventListener(t,e=>{this.last=Number(e.lastEventId)||this.last,this.refresh()})}async again(){try{(await a()).user?this.listen():this.end()}catch{window.setTimeout(()=>void this.again(),2e3)}}async same(){let{user:e}=await a().catch(()=>({user:this.user}));JSON.stringify(e)!==JSON.stringify(this.user)&&this.end()}async refresh(){if(this.sees)try{let e=new Set(this.incidents.map(e=>e.id));this.incidents=await s();let t=this.incidents.find(t=>!e.has(t.id));t&&(this.news.textContent=j(`new-alert`,{sentence:`${t.board}: ${Pi(t)}`})),this.showQueue(),await this.opened?.refresh()}catch(e){e instanceof t&&e.status===401&&this.end()}}async open(e){this.over(await qi.open(e,this.rules,()=>this.shut()),()=>this.open(e))}freshWall(){return new ca(this.user.role,e=>this.calibrate(e))}calibrate(e){this.over(new Lt(e,()=>this.shut()),async()=>this.calibrate(e))}openAdmin(){this.over(new jt([...this.boards.values()],()=>this.shut()),async()=>this.openAdmin())}over(e,t){this.before??=document.activeElement,this.opened?.stop(),this.opened=e,this.reopen=t,this.covered(!0),this.overlay.replaceChildren(e.element),e.ready()}covered(e){this.overlay.hidden=!e;for(let t of ua.children)t!==this.overlay&&t!==this.help&&t.toggleAttribute(`inert`,e)}shut(){this.opened instanceof jt&&this.fetch().then(()=>this.showQueue()),this.opened?.stop(),this.opened=void 0,this.reopen=void 0,this.overlay.replaceChildren(),this.covered(!1),this.before instanceof HTMLElement&&this.before.focus(),this.before=null}language(){Et(A()===`de`?`en`:`de`);let{reopen:e}=this;this.shut(),this.news.textContent=``,this.build(),this.link.textContent=j(this.link.classList.contains(`lost`)?`cut-off`:`connected`),e?.()}showHelp(){this.help.replaceChildren(S(`h2`,{},j(`keys`)),S(`dl`,{},...[[`↑ ↓`,`key-queue`],[`Enter`,`key-open`],[`← →`,`key-step`],[`Home End`,`key-ends`],[`1 2 3`,`key-jump`],[`␣`,`key-play`],[`+ −`,`key-zoom`],[`U D C`,`key-rule`],[`J A`,`key-correct`],[`N`,`key-note`],[`Z`,`key-undo`],[`X`,`key-export`],[`H`,`key-hold`],[`Esc`,`key-close`],[`L`,`key-language`]].flatMap(([e,t])=>[S(`dt`,{},S(`kbd`,{},e)),S(`dd`,{},j(t))])),S(`button`,{type:`button`,onclick:()=>this.help.close()},j(`close`))),this.help.showModal()}onkey=e=>{let t=e.target;e.ctrlKey||e.altKey||e.metaKey||document.querySelector(`dialog[open]`)||t.matches(`input, textarea, select`)&&e.key!==`Escape`||(!t.matches(`button, summary`)||e.key!==`Enter`&&e.key!==` `)&&this.key(e)&&e.preventDefault()};key(e){if(e.key===`?`)this.showHelp();else if(e.key===`l`)this.language();else if(this.opened)return this.opened.key(e);else if(e.key===`ArrowDown`||e.key===`j`)this.queue.step(1);else if(e.key===`ArrowUp`||e.key===`k`)this.queue.step(-1);else if(e.key===`Enter`&&this.queue.first!==void 0)this.open(this.queue.first);else return!1;return!0}async logOut(){await f().catch(()=>void 0),this.end()}end(){this.events?.close(),this.wall.stop(),this.shut(),document.removeEventListener(`keydown`,this.onkey),this.leave()}};async function pa(){try{let{user:e,unclaimed:t}=await a();e&&!Bt()?await new fa(e,()=>void pa()).start():ua.replaceChildren(Vt(t,()=>void pa()))}catch{ua.replaceChildren(S(`main`,{},S(`p`,{class:`said`},j(`cut-off`)))),window.setTimeout(()=>void pa(),2e3)}}Et(A()),pa();