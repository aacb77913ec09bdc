import { t } from '#web/i18n/t.ts'
import type { SettingHelp } from './setting-help.ts'

const COLLECTION = t('Collections')
const FIELD = t('Fields')
const FLOW = t('Rules and workflow')

/** What is set about collections: their fields, their rules, their workflow. */
export const DEFINITION_SETTINGS = {
  'collection-label': {
    label: t('Label of a collection'),
    place: COLLECTION,
    text: t(
      'What people read in the sidebar and above the list. It can be changed at any time; nothing depends on it.',
    ),
  },
  'collection-name': {
    label: t('Name of a collection'),
    place: COLLECTION,
    text: t(
      'Stands in addresses and is what programs use. By default it is made from the label. Links with the old name stop working when you change it; saved views and filters follow.',
    ),
  },
  'collection-title': {
    label: t('Title of a record'),
    place: COLLECTION,
    text: t(
      'The field that names a record in lists, in relations and in the search. By default the first field of text. Without one, records go by their id.',
    ),
  },
  'collection-look': {
    label: t('Icon and colour of a collection'),
    place: COLLECTION,
    text: t(
      'How everybody tells it from the others in the sidebar, on the home page and in the search. By default a plain folder. Nothing depends on it.',
    ),
  },
  'field-label': {
    label: t('Label of a field'),
    place: FIELD,
    text: t('What people read above a value and at the head of its column. It can be changed at any time.'),
  },
  'field-name': {
    label: t('Name of a field'),
    place: FIELD,
    text: t(
      'What filters and programs call the field. By default it is made from the label. Saved filters follow a change; what is written down elsewhere does not.',
    ),
  },
  'field-kind': {
    label: t('Kind of a field'),
    place: FIELD,
    text: t(
      'What its values are: text, a number, a date, a choice, files and so on. By default text. It can be changed later; what the change would lose is told first.',
    ),
  },
  'field-default': {
    label: t('Default of a field'),
    place: FIELD,
    text: t('What a new record starts with here. By default nothing. Records that are there already do not change.'),
  },
  'field-required': {
    label: t('Required'),
    place: FIELD,
    text: t(
      'No record can be stored without a value here. Off by default. Records that are empty already stay so until somebody changes them.',
    ),
  },
  'field-unique': {
    label: t('Unique'),
    place: FIELD,
    text: t(
      'No two records may have the same value; empty ones do not count. Off by default. It cannot be switched on while there are doubles.',
    ),
  },
  'field-option': {
    label: t('Limits of a value'),
    place: FIELD,
    text: t(
      'Least and most that a value may be or be long, or how many decimals it has. By default there is no limit. Values that are there already stay until they are changed.',
    ),
  },
  'field-pattern': {
    label: t('Pattern'),
    place: FIELD,
    text: t(
      'A regular expression that the whole text must match, such as [A-Z]+-[0-9]+ for AB-12. By default any text is taken.',
    ),
  },
  'field-choices': {
    label: t('Choices'),
    place: FIELD,
    text: t(
      'What one may choose from, in the order lists sort by. A choice can be renamed without touching any record; one that is in use cannot vanish unseen.',
    ),
  },
  'field-target': {
    label: t('Points into'),
    place: FIELD,
    text: t('The collection whose records can be chosen here. People see only the records they may read.'),
  },
  'field-many': {
    label: t('Several values'),
    place: FIELD,
    text: t(
      'Whether one record may hold several. Off by default. Switching it off again keeps the first of each record, after telling you what is lost.',
    ),
  },
  'field-file-types': {
    label: t('Accepted files'),
    place: FIELD,
    text: t(
      'Which types of file may be stored, judged by their content and not by their name. By default all of them.',
    ),
  },
  'field-strip-location': {
    label: t('Remove where pictures were taken'),
    place: FIELD,
    text: t('Takes the place out of a picture before it is kept, for good. Off by default.'),
  },
  'rule-conditions': {
    label: t('When, and what must hold then'),
    place: FLOW,
    text: t(
      'A rule counts for the records that the first condition describes, by default all of them. The second must hold in each of these, whoever writes it, in forms, imports and programs.',
    ),
  },
  'rule-message': {
    label: t('What people read when a rule is broken'),
    place: FLOW,
    text: t('One sentence that says what is wrong and what to do. It is shown in forms, in imports and to programs.'),
  },
  'rule-field': {
    label: t('Where a rule is shown'),
    place: FLOW,
    text: t('The field beside which the sentence appears. By default above the whole record.'),
  },
  'state-required': {
    label: t('Filled in before a state is left'),
    place: FLOW,
    text: t(
      'Fields without which a record cannot move on. They are asked for when somebody moves it. By default none.',
    ),
  },
  'state-frozen': {
    label: t('Frozen in a state'),
    place: FLOW,
    text: t(
      'Fields nobody can change while a record is in this state, owners included. By default none. It can move on and be changed there.',
    ),
  },
  'move-name': {
    label: t('Name of a move'),
    place: FLOW,
    text: t('What the button says that moves a record, such as “Approve”.'),
  },
  'move-states': {
    label: t('From and to'),
    place: FLOW,
    text: t('The states a move leads between. Between two states there is at most one move.'),
  },
  'move-roles': {
    label: t('Who may take a move'),
    place: FLOW,
    text: t('Only people with one of these roles. By default everybody who may move records of this collection.'),
  },
  'move-note': {
    label: t('Note of a move'),
    place: FLOW,
    text: t(
      'Whether whoever moves a record is asked for a reason, which stands in its history. By default nobody is asked.',
    ),
  },
  'move-when': {
    label: t('When a move is open'),
    place: FLOW,
    text: t('The records a move is offered for. By default all that are in the state it begins in.'),
  },
} as const satisfies { readonly [setting: string]: SettingHelp }
