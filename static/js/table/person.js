// @ts-check
/**
 * Sentences about the reader in the second person: "You win the trick" for "{seat} wins the trick". They are made from the
 * translated templates with a table of each language's verbs; a test goes through the templates of all games.
 */

/**
 * @typedef {object} Grammar
 * @property {string} subject
 * @property {Record<string, string>} verbs from the third person to the second; what is the same in both has no value
 * @property {string} same verbs that are the same in both
 * @property {[RegExp, string][]} their what the subject has
 * @property {[RegExp, string][]} own what belongs to the reader or is done to them, with `@` for the placeholder; in order
 */

/** @param {string} pairs "wins win, has have" */
const table = (pairs) => Object.fromEntries(pairs.split(", ").map((pair) => pair.split("|")));

/** @type {Record<string, Grammar>} */
const GRAMMARS = {
  en: {
    subject: "you",
    verbs: table(
      "has|have, is|are, goes|go, does|do, passes|pass, crosses|cross, guesses|guess, discards|discard, loses|lose, chooses|choose, replaces|replace, places|place, hides|hide, moves|move, leaves|leave, makes|make, takes|take, trades|trade, shares|share, scores|score, rolls|roll",
    ),
    same: "bet bid set",
    their: [[/\btheir own\b/g, "your own"]],
    own: [
      [/(\b[Aa] card|\{count\} cards|\{cards\}) of @/g, "$1 of yours"],
      [/(?:\b[Tt]he|^) ?(\w+(?: \w+)?) of @/g, "your $1"],
      [/(\{\w+\}) of @/g, "your $1"],
      [/@'s/g, "your"],
      [/@/g, "you"],
    ],
  },
  de: {
    subject: "du",
    verbs: table(
      "beginnt|beginnst, behält|behältst, bekommt|bekommst, bietet|bietest, bleibt|bleibst, deckt|deckst, endet|endest, entkommt|entkommst, erhält|erhältst, ersetzt|ersetzt, fragt|fragst, führt|führst, geht|gehst, gewinnt|gewinnst, gibt|gibst, hat|hast, huscht|huschst, ist|bist, kommt|kommst, legt|legst, liegt|liegst, lost|lost, löscht|löschst, löst|löst, macht|machst, mischt|mischst, nimmt|nimmst, passt|passt, sagt|sagst, schiebt|schiebst, schlüpft|schlüpfst, setzt|setzt, sieht|siehst, sitzt|sitzt, spielt|spielst, steigt|steigst, stiehlt|stiehlst, tauscht|tauschst, tippt|tippst, trifft|triffst, verliert|verlierst, versetzt|versetzt, versteckt|versteckst, wettet|wettest, wettete|wettetest, will|willst, wird|wirst, wählt|wählst, wünscht|wünschst, würfelt|würfelst, zeigt|zeigst, zieht|ziehst, zweifelt|zweifelst, zählt|zählst",
    ),
    same: "mit",
    their: [[/\bsich\b/g, "dir"]],
    own: [
      [/\b[Dd]ie ([A-ZÄÖÜ][\wäöü]+) von @/g, "deine $1"],
      [/\b[Dd]as ([A-ZÄÖÜ][\wäöü]+) von @/g, "dein $1"],
      [/\bden ([A-ZÄÖÜ][\wäöü]+) von @/g, "deinen $1"],
      [/\bfragt @/g, "fragt dich"],
      [/^@ fragen/g, "dich fragen"],
      [/\b(von|mit|bei|zu|aus) @/g, "$1 dir"],
      [/\b(an|auf|für) @/g, "$1 dich"],
      [/@/g, "du"],
    ],
  },
  fr: {
    subject: "vous",
    verbs: table(
      "a|avez, abandonne|abandonnez, annonce|annoncez, avait|aviez, cache|cachez, choisit|choisissez, commence|commencez, compte|comptez, continue|continuez, demande|demandez, devine|devinez, dit|dites, donne|donnez, doute|doutez, doit|devez, déclenche|déclenchez, défausse|défaussez, déplace|déplacez, en|en, enchérit|enchérissez, est|êtes, fait|faites, finit|finissez, gagne|gagnez, garde|gardez, joue|jouez, lance|lancez, marque|marquez, met|mettez, mise|misez, montre|montrez, mène|menez, mélange|mélangez, n’a|n’avez, parie|pariez, part|partez, partage|partagez, passe|passez, perd|perdez, pioche|piochez, pose|posez, prend|prenez, remplace|remplacez, remporte|remportez, reste|restez, retourne|retournez, retrouve|retrouvez, reçoit|recevez, se|vous, suit|suivez, s’échappe|vous échappez, tire|tirez, veut|voulez, vole|volez, voit|voyez, y|y, va|allez, écarte|écartez, esquive|esquivez, couche|couchez, glisse|glissez, échange|échangez, étale|étalez, éteint|éteignez, faufile|faufilez, rejoint|rejoignez",
    ),
    same: "ne",
    their: [
      [/\bson action\b/g, "votre action"],
      [/\bsa\b/g, "votre"],
      [/\bses\b/g, "vos"],
    ],
    own: [
      [/à @ son /g, "votre "],
      [/\bOn attend @/g, "on vous attend"],
      [/\b[Ll](?:a |e |’)(\S+) de @/g, "votre $1"],
      [/@/g, "vous"],
    ],
  },
  nl: {
    subject: "je",
    verbs: table("heeft|hebt, is|bent, houdt|houdt, wil|wilt"),
    same: "biedt checkt deelt dooft draait eindigt gaat geeft glipt gooit kiest krijgt legt ligt loot maakt neemt ontkomt pakt past raadt ruilt schudt scoort speelt staat steelt stopt telt toont trapt trekt twijfelt verbergt verlegt verliest verplaatst vertrekt vervangt vraagt wint zegt zet zette ziet zit",
    their: [],
    own: [
      [/\b(?:[Dd]e|[Hh]et) (\w+(?: \w+)?) van @/g, "jouw $1"],
      [/\b(van|aan|op|bij|met|naar|voor|[Vv]raagt?) @/g, "$1 jou"],
      [/@/g, "jij"],
    ],
  },
};

const AND = new Set(["and", "so", "und", "en", "dus", "et", "donc"]);
const WHICH = new Set(["which", "das", "die", "der", "dat", "qui"]); // after a comma: then somebody else is the subject
const CLITICS = new Set(["se", "y", "en", "ne"]); // in French, the verb comes after these

/** The second person of a verb, null if the word is no verb that is known. @param {Grammar} grammar @param {string} word */
function second({ verbs, same, subject }, word) {
  const known = verbs[word] ?? (same.split(" ").includes(word) ? word : null);
  return known ?? (subject === "you" && /^[a-z-]+[^s]s$/.test(word) ? word.slice(0, -1) : null);
}

/** What the subject of a sentence does, in the second person; null if it does not begin with a known verb. @param {Grammar} grammar @param {string} clause @param {boolean} apart there is a comma between the two */
function conjugated(grammar, clause, apart) {
  const words = clause.split(" ");
  let verb = !apart; // a verb may stand here
  for (const [i, word] of words.entries()) {
    const [, bare, comma] = /** @type {RegExpExecArray} */ (/^(.*?)([,;]?)$/.exec(word));
    const before = words[i - 1] ?? "";
    if (before.endsWith(",") && WHICH.has(bare)) break;
    const made = verb ? second(grammar, bare) : null;
    if (i === 0 && made === null && !apart) return null;
    if (made !== null) words[i] = made + comma;
    verb = comma !== "" || AND.has(bare) || (verb && grammar.subject === "vous" && CLITICS.has(bare));
  }
  return words.join(" ");
}

/** @param {string} words */
const capital = (words) => words.charAt(0).toLocaleUpperCase() + words.slice(1);

/**
 * A translated template with words for the reader instead of these placeholders.
 * @param {string} template @param {string[]} names of the placeholders that stand for the reader @param {string} language
 */
export function addressed(template, names, language) {
  const grammar = GRAMMARS[language] ?? GRAMMARS.en;
  const { subject, their, own } = grammar;
  const inTurn = (/** @type {string} */ words, /** @type {[RegExp, string]} */ [what, by]) => words.replace(what, by);
  return names.reduce((text, name) => {
    const spoken = text.replace(
      new RegExp(`(^|: |; )\\{${name}\\}(,?) ([^.:\u202f]*)`, "g"),
      (all, /** @type {string} */ before, /** @type {string} */ comma, /** @type {string} */ clause) => {
        const made = conjugated(grammar, clause, comma !== "");
        if (made === null) return all;
        return `${before}${before ? subject : capital(subject)}${comma} ${made}`;
      },
    );
    const said = spoken.startsWith(capital(subject)) ? their.reduce(inTurn, spoken) : spoken;
    const marked = said.replaceAll(`{${name}}`, "@");
    const first = own.reduce(inTurn, marked);
    return /^[@A-Z]/.test(marked) ? capital(first) : first;
  }, template);
}
