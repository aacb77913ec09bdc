import type { FileBody, PersonBody, RelatedBody } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { printNumber } from '#domain/fields/number-format.ts'
import { type ComputedField, resultField } from '#domain/formulas/value-field.ts'
import { escapeGuarded } from '#domain/imports/print-csv.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import { printList } from '#domain/shared/list-text.ts'
import { t } from '#web/i18n/t.ts'
import { formatNumberField } from '#web/shared/formatting/format-number-field.ts'
import { formatDay, formatInstant } from '#web/shared/formatting/format-value.ts'
import {
  IconAlignLeft,
  IconBraces,
  IconCalendar,
  IconCalendarClock,
  IconCircleDot,
  IconCornerDownLeft,
  IconHash,
  IconLetterT,
  IconLink,
  IconListNumbers,
  IconListSearch,
  IconMathFunction,
  IconPaperclip,
  IconPhone,
  IconProgress,
  IconSquareCheck,
  IconSum,
  IconTallymarks,
  IconTags,
  IconTextSize,
  IconWorld,
} from '#web/ui/icons/general.ts'
import { IconMail, IconUser } from '#web/ui/icons/start.ts'
import type { KindTraits, LinkedRecords } from './kind-traits.ts'

const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const readNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const readNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

const printPlain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
const printText = (value: unknown): string => escapeGuarded(printPlain(value))
const printNames = (names: readonly string[], many: boolean): string =>
  escapeGuarded(many ? printList(names) : (names[0] ?? ''))

const hasParts = (value: unknown, ...parts: readonly string[]): value is object =>
  typeof value === 'object' && value !== null && parts.every((part) => part in value)
const isRelated = (value: unknown): value is RelatedBody => hasParts(value, 'id', 'title')
const isPerson = (value: unknown): value is PersonBody => hasParts(value, 'id', 'name')
const isFile = (value: unknown): value is FileBody => hasParts(value, 'id', 'bytes')

/** References with names; a plain ID becomes a reference without a name. */
function readReferences<Reference>(
  value: unknown,
  isReference: (one: unknown) => one is Reference,
  nameless: (id: string) => Reference,
): readonly Reference[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === 'string' ? [nameless(one)] : isReference(one) ? [one] : [],
  )
}

const readRelated = (value: unknown) => readReferences<RelatedBody>(value, isRelated, (id) => ({ id, title: '' }))
function readLinked(value: unknown): LinkedRecords | null {
  if (!hasParts(value, 'count', 'records')) return null
  const { count, records } = value as { readonly count: unknown; readonly records: unknown }
  return typeof count === 'number' && count > 0 ? { count, records: readRelated(records) } : null
}
const readPeople = (value: unknown) => readReferences<PersonBody>(value, isPerson, (id) => ({ id, name: '' }))
const readFiles = (value: unknown): readonly FileBody[] => (Array.isArray(value) ? value.filter(isFile) : [])

/** References as sent to the server: a list, or a single id. */
function idsToSend(references: readonly { readonly id: string }[], many: boolean): unknown {
  const ids = references.map(({ id }) => id)
  return many ? ids : (ids[0] ?? null)
}

const EDITED_IN_CELLS = { isPastable: true, hasCellEditor: true, continuesSeries: false, onDuplicate: 'keep' } as const

/** Shared by kinds that are read-only in lists. */
const EDITED_ON_PAGE = { ...EDITED_IN_CELLS, isPastable: false, hasCellEditor: false } as const

/** Values have the kind of the result. */
const COMPUTED = {
  ...EDITED_ON_PAGE,
  read: (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null,
  copyText: (value: unknown, field: ComputedField, decimal: string): string => {
    const result = resultField(field)
    return traitsOf(result).copyText(value, result, decimal)
  },
  localText: (value: unknown, field: ComputedField): string | undefined => {
    const result = resultField(field)
    return traitsOf(result).localText?.(value, result)
  },
  onDuplicate: 'omit',
} as const

const TEXT_VALUE = { ...EDITED_IN_CELLS, read: readText, copyText: printText }

/** The traits of every field kind; the components are in `web/field-kinds/field-kinds.ts`. */
export const KIND_TRAITS: { readonly [Kind in FieldKind]: KindTraits<Kind> } = {
  text: {
    ...TEXT_VALUE,
    label: t('Text'),
    hint: t('One line: names, codes, short answers'),
    Icon: IconLetterT,
    continuesSeries: true,
    onDuplicate: 'mark',
  },
  'long-text': {
    ...TEXT_VALUE,
    label: t('Long text'),
    hint: t('Multiple lines of plain text'),
    Icon: IconAlignLeft,
    onDuplicate: 'mark',
  },
  'rich-text': {
    ...EDITED_ON_PAGE,
    label: t('Rich text'),
    hint: t('A document with headings, lists and links'),
    Icon: IconTextSize,
    // The server stores only documents that conform to its schema.
    read: (value) => (typeof value === 'object' && value !== null ? (value as RichDocument) : readText(value)),
    copyText: printText,
  },
  number: {
    ...EDITED_IN_CELLS,
    label: t('Number'),
    hint: t('Amounts, counts, measurements'),
    Icon: IconHash,
    read: readNumber,
    copyText: (value, { options }, decimal) =>
      (typeof value === 'number' ? printNumber(value, options) : printPlain(value)).replace('.', decimal),
    localText: (value, { options }) => (typeof value === 'number' ? formatNumberField(value, options) : undefined),
    continuesSeries: true,
  },
  checkbox: {
    ...EDITED_IN_CELLS,
    label: t('Checkbox'),
    hint: t('Yes or no'),
    Icon: IconSquareCheck,
    read: (value) => value === true,
    copyText: printPlain,
  },
  date: {
    ...EDITED_IN_CELLS,
    label: t('Date'),
    hint: t('A calendar date'),
    Icon: IconCalendar,
    read: readText,
    copyText: printPlain,
    localText: (value) => (typeof value === 'string' ? formatDay(value) : undefined),
    continuesSeries: true,
  },
  'date-time': {
    ...EDITED_IN_CELLS,
    label: t('Date and time'),
    hint: t('A date and time, shown in each person’s own time zone'),
    Icon: IconCalendarClock,
    read: readText,
    copyText: printPlain,
    localText: (value) => (typeof value === 'string' ? formatInstant(value) : undefined),
  },
  select: {
    ...TEXT_VALUE,
    label: t('Select'),
    hint: t('One option from a list, with colors'),
    Icon: IconCircleDot,
  },
  'multi-select': {
    ...EDITED_IN_CELLS,
    label: t('Multi-select'),
    hint: t('Several options from a list, with colors'),
    Icon: IconTags,
    read: readNames,
    copyText: (value) => printNames(readNames(value), true),
  },
  state: {
    ...TEXT_VALUE,
    label: t('Status'),
    hint: t('The stage of a record in its workflow; one per collection'),
    Icon: IconProgress,
  },
  email: { ...TEXT_VALUE, label: t('Email'), hint: t('An email address'), Icon: IconMail },
  url: { ...TEXT_VALUE, label: t('URL'), hint: t('A link to a web page'), Icon: IconWorld },
  phone: {
    ...TEXT_VALUE,
    label: t('Phone'),
    hint: t('A phone number, searchable by its digits'),
    Icon: IconPhone,
  },
  relation: {
    ...EDITED_IN_CELLS,
    label: t('Linked record'),
    hint: t('Links to records in another collection'),
    Icon: IconLink,
    read: readRelated,
    toWire: (value, { options }) => idsToSend(readRelated(value), options.many),
    copyText: (value, { options }) =>
      printNames(
        readRelated(value).map(({ id, title }) => (title === '' ? id : title)),
        options.many,
      ),
  },
  reverse: {
    ...EDITED_ON_PAGE,
    label: t('Linked from'),
    hint: t('Records in another collection that link to this one'),
    Icon: IconCornerDownLeft,
    read: readLinked,
    copyText: (value) =>
      printNames(
        (readLinked(value)?.records ?? []).map(({ id, title }) => (title === '' ? id : title)),
        true,
      ),
    onDuplicate: 'omit',
  },
  user: {
    ...EDITED_IN_CELLS,
    label: t('People'),
    hint: t('One or more people in this workspace'),
    Icon: IconUser,
    read: readPeople,
    toWire: (value, { options }) => idsToSend(readPeople(value), options.many),
    copyText: (value, { options }) =>
      printNames(
        readPeople(value).map(({ name }) => name),
        options.many,
      ),
  },
  files: {
    ...EDITED_IN_CELLS,
    label: t('Files'),
    hint: t('Images, documents and other files'),
    Icon: IconPaperclip,
    read: readFiles,
    toWire: (value) => idsToSend(readFiles(value), true),
    copyText: (value) =>
      printNames(
        readFiles(value).map(({ name }) => name),
        true,
      ),
    isPastable: false,
    // A file belongs to a single record.
    onDuplicate: 'omit',
  },
  'auto-number': {
    ...EDITED_ON_PAGE,
    label: t('Autonumber'),
    hint: t('Numbers records automatically, starting at 1'),
    Icon: IconListNumbers,
    read: readNumber,
    copyText: printPlain,
    // An identifier, so digits aren't grouped.
    localText: (value) => (typeof value === 'number' ? String(value) : undefined),
    onDuplicate: 'omit',
  },
  json: {
    ...EDITED_IN_CELLS,
    label: t('JSON'),
    hint: t('Structured data for integrations'),
    Icon: IconBraces,
    read: (value) => value ?? null,
    copyText: (value) => escapeGuarded(JSON.stringify(value)),
    hasCellEditor: false,
  },
  formula: {
    ...COMPUTED,
    label: t('Formula'),
    hint: t('A value calculated from other fields and linked records'),
    Icon: IconMathFunction,
  },
  lookup: {
    ...COMPUTED,
    label: t('Lookup'),
    hint: t('Values of a field of linked records'),
    Icon: IconListSearch,
  },
  count: {
    ...COMPUTED,
    label: t('Count'),
    hint: t('The number of linked records'),
    Icon: IconTallymarks,
  },
  rollup: {
    ...COMPUTED,
    label: t('Rollup'),
    hint: t('A summary of a field of linked records, such as the sum'),
    Icon: IconSum,
  },
}

/** Traits of a kind known only at run time. */
export type AnyKindTraits = Omit<KindTraits<FieldKind>, 'toWire' | 'copyText' | 'localText'> & {
  readonly toWire?: (value: unknown, field: Field) => unknown
  readonly copyText: (value: unknown, field: Field, decimal: string) => string
  readonly localText?: (value: unknown, field: Field) => string | undefined
}

export const traitsOf = ({ kind }: Pick<Field, 'kind'>): AnyKindTraits =>
  // The registry maps each kind to its own traits, but TypeScript can't correlate the two when indexing by a union.
  KIND_TRAITS[kind] as AnyKindTraits
