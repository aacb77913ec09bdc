import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { CollectionBody, OptionsInput } from '#api/collections.ts'
import { checkImport, type ColumnTarget, type ImportPreview, startImport } from '#api/imports.ts'
import type { FieldKind } from '#domain/fields/field.ts'
import type { TextFormat } from '#domain/fields/field-kind.ts'
import { SYSTEM_FIELDS, SYSTEM_LABELS } from '#domain/fields/system-fields.ts'
import { guessTitleColumn, isImportable } from '#domain/imports/map-columns.ts'
import { canBeKey, type Replacement } from '#domain/imports/row-to-values.ts'
import { foldText } from '#domain/shared/text.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { t } from '#web/i18n/t.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'

export type ColumnPlan = {
  readonly target: 'skip' | 'new' | 'field'
  /** The name of the existing field if `target` is `field`. */
  readonly field: string
  readonly label: string
  readonly kind: FieldKind
  /** The format of the column's texts. */
  readonly format: TextFormat
  /** Text replacements made during the import. */
  readonly replace: readonly Replacement[]
  readonly emptyUnreadable: boolean
}

export type ImportPlan = {
  /** The name of the target collection; null creates a new one called `label`. */
  readonly into: string | null
  readonly label: string
  readonly columns: readonly ColumnPlan[]
  readonly titleColumn: number | null
  readonly hasHeader: boolean
  readonly skipsBadRows: boolean
  /** The field used to match existing records, or `id`; null adds every row as a new record. */
  readonly key: string | null
}

/** Relations are excluded, because a CSV column doesn't specify a target collection. */
export const isNewFieldKind = (kind: FieldKind): boolean => isImportable(kind) && kind !== 'relation'

/** `us-airports_2008.csv` → “Us airports 2008”. */
export function labelFromFile(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[-_.\s]+/g, ' ')
    .trim()
  return words === '' ? t('Imported records') : words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

/** `release_year` → “Release year”; headers that contain capital letters stay unchanged. */
function labelOf(header: string, at: number): string {
  const words = header.trim().replaceAll('_', ' ')
  if (words === '') return t('Column {at}', { at: at + 1 })
  return words === words.toLocaleLowerCase() ? words.charAt(0).toLocaleUpperCase() + words.slice(1) : words
}

/** Makes labels unique: the second “Name” becomes “Name 2”. */
function differentLabels(labels: readonly string[]): string[] {
  const taken = new Set<string>()
  return labels.map((label) => {
    let unique = label
    for (let count = 2; taken.has(foldText(unique)); count += 1) unique = `${label} ${count}`
    taken.add(foldText(unique))
    return unique
  })
}

function headerOf(preview: ImportPreview, at: number, hasHeader: boolean): string {
  if (!hasHeader) return ''
  return (preview.hasHeader ? preview.columns[at]?.header : preview.rows[0]?.[at]) ?? ''
}

export const columnName = (preview: ImportPreview, at: number, hasHeader: boolean): string =>
  headerOf(preview, at, hasHeader).trim() || t('Column {at}', { at: at + 1 })

/** Counts only the rows that were inspected. */
export function recordCount(preview: ImportPreview, { hasHeader }: Pick<ImportPlan, 'hasHeader'>): number {
  return preview.rowsLookedAt + Number(preview.hasHeader) - Number(hasHeader)
}

export function planForNew(preview: ImportPreview, fileName: string, hasHeader = preview.hasHeader): ImportPlan {
  const labels = differentLabels(preview.columns.map((_, at) => labelOf(headerOf(preview, at, hasHeader), at)))
  return {
    into: null,
    label: labelFromFile(fileName),
    columns: preview.columns.map(({ kind, format }, at) => ({
      target: 'new',
      field: '',
      label: labels[at] ?? '',
      kind,
      // Formats that can't be detected default to those of the user's language.
      format: { ...LOCAL_FORMAT, ...definedParts(format) },
      replace: [],
      emptyUnreadable: false,
    })),
    titleColumn: guessTitleColumn(preview.columns),
    hasHeader,
    skipsBadRows: false,
    key: null,
  }
}

const definedParts = (format: TextFormat): TextFormat =>
  Object.fromEntries(Object.entries(format).filter(([, part]) => part !== undefined))

/** Maps columns to fields by name; the others become new fields if the user can add fields. */
export function planInto(plan: ImportPlan, preview: ImportPreview, collection: CollectionBody): ImportPlan {
  const mayAdd = collection.can.includes('collections:manage')
  const taken = new Set<string>()
  const columns = plan.columns.map((column, at): ColumnPlan => {
    const header = foldText(headerOf(preview, at, plan.hasHeader)).trim()
    const found = collection.fields.find(
      ({ name, label }) => !taken.has(name) && (foldText(name) === header || foldText(label) === header),
    )
    if (found && isImportable(found.kind)) {
      taken.add(found.name)
      return { ...column, target: 'field', field: found.name }
    }
    return { ...column, target: mayAdd && !found && !isAssigned(header) ? 'new' : 'skip', field: '' }
  })
  return { ...plan, into: collection.name, columns, key: null }
}

/** Whether an exported column contains values that the server assigns. */
const isAssigned = (header: string): boolean =>
  SYSTEM_FIELDS.some((name) => [name, SYSTEM_LABELS[name]].some((known) => foldText(known) === header))

/** Changes a column. A field can have only one column, so another column mapped to the same field is skipped. */
export function withColumn(plan: ImportPlan, at: number, part: Partial<ColumnPlan>): ImportPlan {
  const columns = plan.columns.map((column, index): ColumnPlan => {
    if (index === at) return { ...column, ...withoutFixes(column, part), ...part }
    const losesField = part.target === 'field' && column.target === 'field' && column.field === part.field
    return losesField ? { ...column, target: 'skip', field: '' } : column
  })
  const titleGone = columns[plan.titleColumn ?? -1]?.target !== 'new'
  const nextTitle = columns.findIndex(({ target }) => target === 'new')
  const key = isKeyThere(plan, columns) ? plan.key : null
  return { ...plan, columns, key, titleColumn: titleGone ? (nextTitle === -1 ? null : nextTitle) : plan.titleColumn }
}

/** Discards fixes if the field or its type changes. */
const withoutFixes = (column: ColumnPlan, { target, field, kind }: Partial<ColumnPlan>): Partial<ColumnPlan> =>
  (target ?? column.target) === column.target &&
  (field ?? column.field) === column.field &&
  (kind ?? column.kind) === column.kind
    ? {}
    : { replace: [], emptyUnreadable: false }

const isKeyThere = ({ key }: ImportPlan, columns: readonly ColumnPlan[]): boolean =>
  key === 'id' || columns.some(({ target, field }) => target === 'field' && field === key)

export function keyOptions(
  plan: ImportPlan,
  preview: ImportPreview,
  { fields }: CollectionBody,
): readonly { readonly name: string; readonly label: string }[] {
  const filled = new Set(plan.columns.flatMap(({ target, field }) => (target === 'field' ? [field] : [])))
  const known = fields.filter((field) => filled.has(field.name) && canBeKey(field))
  const hasIds = idColumn(preview, plan.hasHeader) !== null
  return [...(hasIds ? [{ name: 'id', label: t('ID') }] : []), ...known]
}

export function keyColumnOf(plan: ImportPlan, preview: ImportPreview): number | null {
  if (plan.key === 'id') return idColumn(preview, plan.hasHeader)
  const at = plan.columns.findIndex(({ target, field }) => target === 'field' && field === plan.key)
  return at === -1 ? null : at
}

function idColumn(preview: ImportPreview, hasHeader: boolean): number | null {
  const at = preview.columns.findIndex((_, index) => /^id$/i.test(headerOf(preview, index, hasHeader).trim()))
  return at === -1 ? null : at
}

/** Returns the first problem of a plan, or null if the import can start. */
export function planError(plan: ImportPlan): string | null {
  if (plan.into === null && plan.label.trim() === '') return t('Enter a name for the new collection.')
  const used = plan.columns.filter(({ target }) => target !== 'skip')
  if (used.length === 0) return t('All columns are skipped. Select at least one.')
  if (used.some(({ target, label }) => target === 'new' && label.trim() === ''))
    return t('Every new field needs a name.')
  return null
}

function targetOf(column: ColumnPlan, preview: ImportPreview['columns'][number] | undefined): ColumnTarget {
  if (column.target === 'skip') return { skip: true }
  const { format, replace, emptyUnreadable } = column
  const reading = {
    format,
    ...(replace.length > 0 && { replace: [...replace] }),
    ...(emptyUnreadable && { emptyUnreadable }),
  }
  if (column.target === 'field') return { field: column.field, ...reading }
  // Detected options are only used for the detected type; other types start without options.
  const options = preview?.kind === column.kind ? (preview.options as OptionsInput) : {}
  const newField = { label: column.label.trim(), kind: column.kind, required: false, unique: false, options }
  return { newField, ...reading }
}

export function startBody(plan: ImportPlan, preview: ImportPreview): z.input<typeof startImport.body> {
  return {
    into: plan.into === null ? { newCollection: { label: plan.label.trim() } } : { collection: plan.into },
    columns: plan.columns.map((column, at) =>
      plan.key === 'id' && at === keyColumnOf(plan, preview)
        ? ({ id: true } as const)
        : targetOf(column, preview.columns[at]),
    ),
    ...(plan.key !== null && { key: plan.key }),
    hasHeader: plan.hasHeader,
    ...(plan.into === null && { titleColumn: plan.titleColumn }),
    onBadRow: plan.skipsBadRows ? 'skip' : 'stop',
  }
}

export type PlannedImport = { readonly plan: ImportPlan; readonly preview: ImportPreview }

/** Replaces names with placeholders: names don't affect the check, so editing one shouldn't repeat it. */
function checkBody({ plan, preview }: PlannedImport): z.input<typeof checkImport.body> {
  const label = (at: number) => t('Column {at}', { at: at + 1 })
  const columns = plan.columns.map((column, at) => ({ ...column, label: label(at) }))
  return startBody({ ...plan, label: t('Imported records'), columns, skipsBadRows: true }, preview)
}

export const checkQuery = (id: string, planned: PlannedImport) => {
  const body = checkBody(planned)
  return queryOptions({
    queryKey: [...queryKeys.import(id), 'check', body],
    queryFn: async ({ signal }) => {
      const check = await call(checkImport, { params: { import: id }, body, signal })
      const say = await serverTranslator()
      return { ...check, issues: check.issues.map((issue) => ({ ...issue, message: say(issue.message) })) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    enabled: planned.plan.columns.some(({ target }) => target !== 'skip'),
  })
}

export function useStartImport(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ plan, preview }: PlannedImport) =>
      call(startImport, { params: { import: id }, body: startBody(plan, preview) }),
    onSuccess: (started) => queryClient.setQueryData(queryKeys.import(id), started),
  })
}
