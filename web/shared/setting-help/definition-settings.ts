import { t } from '#web/i18n/t.ts'

/** Describes a setting and its default. */
export type SettingHelp = { readonly label: string; readonly place: string; readonly text: string }

const COLLECTION = t('Collections')
const FIELD = t('Fields')
const FLOW = t('Rules and workflow')

export const DEFINITION_SETTINGS = {
  'collection-label': {
    label: t('Collection name'),
    place: COLLECTION,
    text: t('Shown in the sidebar and above the list. You can change it at any time.'),
  },
  'collection-description': {
    label: t('Collection description'),
    place: COLLECTION,
    text: t(
      'What the collection is for. Shown on the home page, in the list menu and when you hover over its name. Default: none.',
    ),
  },
  'collection-name': {
    label: t('Collection API name'),
    place: COLLECTION,
    text: t(
      'Used in URLs and the API. Generated from the name by default. Changing it breaks existing links, but saved views and filters are updated.',
    ),
  },
  'collection-title': {
    label: t('Primary field'),
    place: COLLECTION,
    text: t(
      'Identifies a record in lists, linked records and search. Default: the first text field. Without one, the record ID is shown.',
    ),
  },
  'record-layout': {
    label: t('Record layout'),
    place: COLLECTION,
    text: t(
      'The sections, columns and order in which records and the form for new records show their fields, for everyone. A field can be hidden while it is empty, unless it is required. Default: the order of the field list, with long texts and files last.',
    ),
  },
  'collection-look': {
    label: t('Collection icon and color'),
    place: COLLECTION,
    text: t(
      'Helps people recognize the collection in the sidebar, on the home page and in search. Default: a plain folder.',
    ),
  },
  'field-label': {
    label: t('Field name'),
    place: FIELD,
    text: t('Shown above the value and in the column header. You can change it at any time.'),
  },
  'field-description': {
    label: t('Field description'),
    place: FIELD,
    text: t(
      'Tells people what to enter. Shown with the field’s input in a record, in the column menu and when you hover over the column header. Default: none.',
    ),
  },
  'field-name': {
    label: t('Field API name'),
    place: FIELD,
    text: t(
      'Used in filters and the API. Generated from the name by default. Saved filters are updated when it changes, but other references aren’t.',
    ),
  },
  'field-kind': {
    label: t('Field type'),
    place: FIELD,
    text: t(
      'What the field contains: text, a number, a date, an option, files and so on. You can change it later; you’ll see a warning before data is lost. Default: text.',
    ),
  },
  'field-default': {
    label: t('Default value'),
    place: FIELD,
    text: t('The value new records start with. Existing records don’t change. Default: none.'),
  },
  'field-default-formula': {
    label: t('Calculate the default value'),
    place: FIELD,
    text: t(
      'A formula calculates the default value once, when a record is created, from the values with which it is created. Default: off.',
    ),
  },
  'field-required': {
    label: t('Required'),
    place: FIELD,
    text: t(
      'Records can’t be saved without a value. Existing records without one stay as they are until they are edited. Off by default.',
    ),
  },
  'field-unique': {
    label: t('Unique'),
    place: FIELD,
    text: t(
      'No two records can have the same value. Empty values are ignored. You can’t turn this on while there are duplicates. Off by default.',
    ),
  },
  'field-linked-once': {
    label: t('Each record can be linked only once'),
    place: FIELD,
    text: t(
      'Makes the link one-to-one: each record of the linked collection is linked in at most one record, and shows only that one. You can’t turn this on while records are linked more than once. Off by default.',
    ),
  },
  'number-format': {
    label: t('Number format'),
    place: FIELD,
    text: t(
      'How a number is shown, typed, imported and exported: with a currency, percent sign or unit, or as a duration, stars or a bar. Stored numbers don’t change.',
    ),
  },
  'field-formula': {
    label: t('Formula'),
    place: FIELD,
    text: t(
      'How the value is calculated from other fields of the record, for example price * quantity, and of linked records, for example sum(tasks.hours). Only people who can read all of these fields can see the value, unless a role names the field.',
    ),
  },
  'field-rollup-path': {
    label: t('Linked records'),
    place: FIELD,
    text: t(
      'The linked records from which the value is calculated. You can continue to the records linked from there, up to three steps. The value includes all of these records, also those that the reader can’t see.',
    ),
  },
  'field-rollup-field': {
    label: t('Field'),
    place: FIELD,
    text: t(
      'The field of the linked records that is shown or summarized. Only people who can read it in all records can see the value, unless a role names the new field.',
    ),
  },
  'field-rollup-function': {
    label: t('Function'),
    place: FIELD,
    text: t(
      'How the values of the linked records are combined. Empty values are ignored. Without values, the sum is 0.',
    ),
  },
  'field-rollup-filter': {
    label: t('Only records where'),
    place: FIELD,
    text: t(
      'Limits the linked records that are included, for example to open tasks. A condition can use fields of the linked records, but not the current user or date, because the values are stored.',
    ),
  },
  'field-option': {
    label: t('Value limits'),
    place: FIELD,
    text: t(
      'Minimum and maximum value or length, or the number of decimal places. No limit by default. Existing values stay until they are edited.',
    ),
  },
  'field-pattern': {
    label: t('Pattern'),
    place: FIELD,
    text: t(
      'A regular expression that the whole text must match, such as [A-Z]+-[0-9]+ for AB-12. By default, any text is accepted.',
    ),
  },
  'field-choices': {
    label: t('Options'),
    place: FIELD,
    text: t(
      'The available options, in sort order. Renaming an option doesn’t change any records. You’ll see a warning before an option in use is removed.',
    ),
  },
  'field-target': {
    label: t('Linked collection'),
    place: FIELD,
    text: t('The collection to link to. People see only the records they can access.'),
  },
  'field-shown-there': {
    label: t('Also show the links in the linked collection'),
    place: FIELD,
    text: t(
      'Adds a field of the type “Linked from” to the linked collection. It lists the records that link to each record, and can be renamed, moved and deleted there without changing the links. Default: on.',
    ),
  },
  'field-relation': {
    label: t('Linked record field'),
    place: FIELD,
    text: t(
      'The field whose links are shown from the other side. People see only the records they can access. The links are stored once, in the linked records.',
    ),
  },
  'field-linked-columns': {
    label: t('Columns'),
    place: FIELD,
    text: t(
      'The fields of the linked records that a record lists next to their titles, in this order. People see only the fields they can read. If empty, a status, a date or other short fields are chosen.',
    ),
  },
  'field-many': {
    label: t('Multiple values'),
    place: FIELD,
    text: t(
      'Whether a record can have several values. Turning this off keeps only the first value; you’ll see a warning before data is lost. Off by default.',
    ),
  },
  'field-file-types': {
    label: t('Accepted files'),
    place: FIELD,
    text: t('The file types that can be uploaded, detected from the content, not the name. Default: all types.'),
  },
  'field-strip-location': {
    label: t('Remove location data (GPS) from photos'),
    place: FIELD,
    text: t('Permanently removes location data (GPS) from photos before they are saved. Off by default.'),
  },
  'rule-conditions': {
    label: t('Rule conditions'),
    place: FLOW,
    text: t(
      'A rule applies to records that match the first condition (all by default). These records must also match the second one, whether they are saved in a form, by an import or through the API.',
    ),
  },
  'rule-message': {
    label: t('Error message'),
    place: FLOW,
    text: t('Explain what is wrong and how to fix it. Shown in forms, imports and API responses.'),
  },
  'rule-field': {
    label: t('Where the error is shown'),
    place: FLOW,
    text: t('The field the message is shown next to. By default, the message is shown above the record.'),
  },
  'state-required': {
    label: t('Required before leaving a status'),
    place: FLOW,
    text: t(
      'Fields that must have a value before a record leaves this status. People are asked for missing values when they change the status. Default: none.',
    ),
  },
  'state-frozen': {
    label: t('Locked fields'),
    place: FLOW,
    text: t(
      'Fields that can’t be edited while a record has this status, not even by owners. To edit them, change the status first. Default: none.',
    ),
  },
  'move-name': {
    label: t('Transition name'),
    place: FLOW,
    text: t('The label of the button that changes the status, such as “Approve”.'),
  },
  'move-states': {
    label: t('From and to'),
    place: FLOW,
    text: t('A transition leads from one status to another. Each pair of statuses can have only one.'),
  },
  'move-roles': {
    label: t('Who can perform a transition'),
    place: FLOW,
    text: t(
      'Only people with one of these roles. By default, everyone who can change record status in this collection.',
    ),
  },
  'move-note': {
    label: t('Transition comment'),
    place: FLOW,
    text: t('Whether people are asked for a reason, which is saved in the record’s history. Off by default.'),
  },
  'move-when': {
    label: t('When a transition is available'),
    place: FLOW,
    text: t('The records this transition is available for. By default, all records with its starting status.'),
  },
} as const satisfies { readonly [setting: string]: SettingHelp }
