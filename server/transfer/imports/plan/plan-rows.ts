import type { ImportPreview } from '#api/imports.ts'
import type { Field } from '#domain/fields/field.ts'
import { isEmptyValue, startingValue } from '#domain/fields/kinds.ts'
import { canComeFromCsv } from '#domain/imports/map-columns.ts'
import { type KeyColumn, type MappedColumn, type RowPlan, canBeKey } from '#domain/imports/row-to-values.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type StartBody, type Target, noColumnsMapped } from './prepare-target.ts'

/** Which column goes into which field, or what is wrong with that. */
export function planRows(target: Target, body: StartBody, preview: ImportPreview): RowPlan {
  const { collection } = target
  const made = collection.fields.slice(target.madeCollection ? 0 : collection.fields.length - target.madeFields.length)
  let madeBefore = 0
  const columns = body.columns.flatMap((column, at): MappedColumn[] => {
    if ('skip' in column || 'id' in column) return []
    const field = 'field' in column ? fieldNamed(target, column.field, body.key) : made[madeBefore]
    if ('newField' in column) {
      assertImportableKind(column.newField)
      madeBefore += 1
    }
    // A number that was counted tells a record; nobody gives one.
    if (!field || field.kind === 'auto-number') return []
    return [{ at, header: preview.columns[at]?.header ?? '', field: field.id }]
  })
  if (columns.length === 0) throw noColumnsMapped()
  assertDistinctFields(target, columns)
  assertRequiredMapped(target, columns)
  const plan = { collection, columns, width: preview.columns.length }
  return body.key === undefined ? plan : { ...plan, key: keyColumn(target, body, preview) }
}

/** The column that tells the record of a row. */
function keyColumn(target: Target, { key, columns }: StartBody, preview: ImportPreview): KeyColumn {
  if (key === 'id') return idColumn(columns)
  const wanted = fieldOf(target, key ?? '')
  if (!canBeKey(wanted)) throw invalidPlan(`${wanted.label} can’t identify records. Choose another field.`)
  const at = columns.findIndex((column) => 'field' in column && fieldOf(target, column.field).id === wanted.id)
  if (at === -1) throw invalidPlan(`No column is imported to ${wanted.label}, which identifies the records.`)
  return { at, header: preview.columns[at]?.header || wanted.label, field: wanted.id }
}

function idColumn(columns: StartBody['columns']): KeyColumn {
  const at = columns.findIndex((column) => 'id' in column)
  if (at === -1) throw invalidPlan('No column contains the record IDs.')
  return { at, header: 'id', field: 'id' }
}

function fieldOf({ collection, hiddenFields }: Target, nameOrId: string): Field {
  const visible = collection.fields.filter((field) => !hiddenFields.has(field.id))
  const field = visible.find((each) => each.name === nameOrId) ?? visible.find((each) => each.id === nameOrId)
  if (field) return field
  throw invalidPlan(`There is no field “${nameOrId}” in ${collection.label}.`)
}

function fieldNamed(target: Target, nameOrId: string, key: string | undefined): Field {
  const field = fieldOf(target, nameOrId)
  const isKey = key !== undefined && (field.name === key || field.id === key)
  if (!isKey) assertImportableKind(field)
  return field
}

function assertImportableKind({ kind, label }: Pick<Field, 'kind' | 'label'>): void {
  if (canComeFromCsv(kind)) return
  throw invalidPlan(
    kind === 'files'
      ? `${label} contains files, which can’t be imported from a CSV. Skip that column.`
      : `${label} is assigned by the server. Skip that column.`,
  )
}

function assertDistinctFields({ collection }: Target, columns: readonly MappedColumn[]): void {
  const seen = new Set<string>()
  for (const { field } of columns) {
    const label = collection.fields.find((each) => each.id === field)?.label ?? ''
    if (seen.has(field)) throw invalidPlan(`Two columns are imported to ${label}. Skip one of them.`)
    seen.add(field)
  }
}

/** A field that must be filled in and gets nothing would refuse every row. */
function assertRequiredMapped({ collection, hiddenFields }: Target, columns: readonly MappedColumn[]): void {
  const mapped = new Set(columns.map((column) => column.field))
  const isMissing = (field: Field) =>
    field.required && !mapped.has(field.id) && isEmptyValue(startingValue(field)) && field.kind !== 'auto-number'
  const missing = collection.fields.filter(isMissing)
  const [first] = missing.filter((field) => !hiddenFields.has(field.id))
  if (first) throw invalidPlan(`${first.label} is required, but no column is imported to it.`)
  if (missing.length > 0)
    throw invalidPlan('New records need values in fields you can’t edit. Ask an owner to import them.')
}

const invalidPlan = (why: string) => new Problem('invalid-request', `${why} Nothing was imported.`)
