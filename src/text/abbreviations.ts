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

/** Abbreviations that never end a sentence where all is in small letters or in capitals. */
export const UNCASED_ABBREVIATIONS: ReadonlySet<string> = new Set(
  'DR MR MRS PROF VS al capt dr est gen gov incl lt maj mr mrs prof rep rev sen sgt'.split(' '),
);

/** Abbreviations that may end a sentence. */
export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    'Apr Assn Assoc Aug Ave Bhd Bldg Blvd Bros CO CORP Cie Co Corp Cos Dec Dept Esq Feb Hwy INC Inc Intl Jan Jr LTD Ltd Mfg Natl ' +
    'Nov Oct Penn Pkwy Plc Pty Rd Sask Sep Sept Sr Thurs Tues Univ etc ft hr hrs lb lbs mph oz sq yd yrs'
  ).split(' '),
);

/** States as they follow the name of a town and a comma, where a capital after them starts a sentence. */
export const STATES: ReadonlySet<string> = new Set(
  (
    'Ala Ariz Ark Calif Colo Conn D.C Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont N.C N.D ' +
    'N.H N.J N.M N.Y Neb Nev Okla Ore Pa R.I S.C S.D Tenn Tex Va Vt W.Va Wash Wis Wyo'
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

/** Words in small letters that start sentences of people who write no capitals. */
export const SMALL_STARTERS: ReadonlySet<string> = new Set(
  'anyway but he how i im it its lol my ok okay omg she so that there they this we what when where who why yeah yes you your'.split(
    ' ',
  ),
);

/** Capitalised words that go on after a time or a place: 9 p.m. Monday, 10 a.m. EST. */
export const AFTER_TIMES: ReadonlySet<string> = new Set(
  (
    'Apr April Aug August BST CDT CEST CET CST Dec December EDT EST ET Feb Friday GMT Jan January July June MDT MST Mar ' +
    'March May Monday Nov November Oct October PDT PST PT Saturday Sep Sept September Sunday Thursday Tuesday UTC Wednesday'
  ).split(' '),
);
