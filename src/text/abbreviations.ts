/**
 * Abbreviations of written English, without their full stop; general knowledge, as style guides list them. What is
 * listed keeps its full stop. Dotted ones (U.S., a.m., e.g.) and single capitals need no entry; words that are more often
 * whole words at the end of a sentence (in., no., Sun.) have none.
 */

/** Abbreviations that never end a sentence: a name or a figure follows. */
export const LEADING_ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    'Adm Attn Brig Capt Cmdr Col Cpl Dr Drs Fig Figs Fr Ft Gen Gov Govs Hon Insp Lt Maj Messrs Mlle Mme Mmes Mr Mrs Ms ' +
    'Mt Mx No Nos Pfc Pres Prof Profs Pvt Rep Reps Rev Rt Sen Sens Sgt St Ste Supt Vol Vols approx ca cf eds esp fig ' +
    'figs nos pp resp v viz vol vols vs'
  ).split(' '),
);

/** Abbreviations that may end a sentence. */
export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    'Ala Apr Ariz Ark Assn Assoc Aug Ave Bldg Blvd Bros Calif Co Colo Conn Corp Cos Dec Del Dept Esq Feb Fla Ga Inc Intl Jan Jr ' +
    'Kan Ky Ltd Mass Md Mfg Mich Minn Mo Mont Natl Neb Nev Nov Oct Okla Ore Penn Pa Plc Pty Rd Sask Sep Sept Sr Tenn Tex Thurs ' +
    'Tues Univ Va Vt Wash Wis Wyo etc ft hr hrs lb lbs mph oz sq yd yrs'
  ).split(' '),
);

/** Words that start sentences so often, and are capitalised elsewhere so rarely, that they tell where one starts. */
export const SENTENCE_STARTERS: ReadonlySet<string> = new Set(
  (
    'A About After All Also Although Among An And Another Any As At Because Before Both But By Despite During Each Even ' +
    'Every Few For From Had Has He Her Here His How However I If In Indeed Instead Is It Its Last Later Many Meanwhile ' +
    'Moreover Most Mr Mrs Ms My Nevertheless Nor Not Now Of On Once One Only Or Other Our Over She Since So Some Still Such ' +
    'That The Their Then There These They This Those Though Through Thus To Today Two Under Until We What When Where ' +
    'Whether Which While Who Why With Yesterday Yet You Your'
  ).split(' '),
);
