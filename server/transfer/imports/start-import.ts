import type { ImportBody, ImportPreview } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Field, isEntered, type SelectKind } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import { calendarAt, commitChange, type Writing } from '#server/records/changes/commit-change.ts'
import type { CsvInspection, OptionsColumn } from './csv/csv-tasks.ts'
import { assertNoStatusColumns } from './checks/restricted-fields.ts'
import type { ImportDeps } from './import-deps.ts'
import { noColumnsMapped, prepareTarget, type StartBody, type Target } from './prepare-target.ts'
import { runCsvTask } from './csv/run-csv-task.ts'
import { suspendTrigrams } from '#server/query/search/index/sync-definition.ts'
import { startRun } from './run/run-import.ts'
import { assertOwnImport, showImport } from './show-import.ts'
import { csvPathOf, isThere } from './staged-files.ts'
import { findImport, lockImport, updateImport } from './store.ts'
import { NO_PROGRESS, type StoredImport } from './stored-import.ts'
import { needsValue } from '#domain/fields/kinds.ts'
import type { FormulaCalendar } from '#domain/formulas/expression.ts'
import { isImportable } from '#domain/imports/map-columns.ts'
import { canBeKey, type KeyColumn, type MappedColumn, type RowPlan } from '#domain/imports/row-to-values.ts'

/** Maps columns to fields, or throws. */
function planRows(target: Target, body: StartBody, preview: ImportPreview, calendar: FormulaCalendar): RowPlan {
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
    // Auto numbers can be a key but not a target, and calculated values neither.
    if (!field || field.kind === 'auto-number' || !isEntered(field)) return []
    const { format, replace, emptyUnreadable } = column
    return [{ at, header: preview.columns[at]?.header ?? '', field: field.id, format, replace, emptyUnreadable }]
  })
  if (columns.length === 0) throw noColumnsMapped()
  assertDistinctFields(target, columns)
  assertRequiredMapped(target, columns)
  const plan = { collection, columns, width: preview.columns.length, calendar }
  return body.key === undefined ? plan : { ...plan, key: keyColumn(target, body, preview) }
}

function keyColumn(target: Target, { key, columns }: StartBody, preview: ImportPreview): KeyColumn {
  if (key === 'id') return idColumn(columns)
  const wanted = fieldOf(target, key ?? '')
  if (!canBeKey(wanted)) throw invalidPlan(`${wanted.label} can’t identify records. Choose another field.`)
  const at = columns.findIndex((column) => 'field' in column && fieldOf(target, column.field).id === wanted.id)
  if (at === -1) throw invalidPlan(`No column is mapped to ${wanted.label}, which identifies the records.`)
  const column = columns[at]
  const reading = column && 'field' in column ? { format: column.format, replace: column.replace } : {}
  return { at, header: preview.columns[at]?.header || wanted.label, field: wanted.id, ...reading }
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
  if (isImportable(kind)) return
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
    if (seen.has(field)) throw invalidPlan(`Two columns are mapped to ${label}. Skip one of them.`)
    seen.add(field)
  }
}

/** A required field without a column would reject every row. */
function assertRequiredMapped({ collection, hiddenFields }: Target, columns: readonly MappedColumn[]): void {
  const mapped = new Set(columns.map((column) => column.field))
  const missing = collection.fields.filter((field) => needsValue(field) && !mapped.has(field.id))
  const [first] = missing.filter((field) => !hiddenFields.has(field.id))
  if (first) throw invalidPlan(`${first.label} is required, but no column is mapped to it.`)
  if (missing.length > 0)
    throw invalidPlan('New records need values in fields you can’t edit. Ask an owner to import them.')
}

const invalidPlan = (why: string) => new Problem('invalid-request', `${why} Nothing was imported.`)

/** An import that is ready to start: its inspection and its settings. */
export type PreparedImport = {
  readonly item: StoredImport
  readonly look: CsvInspection
  /** Includes the options of new fields. */
  readonly body: StartBody
}

export async function prepareImport(
  deps: ImportDeps,
  actor: Actor,
  id: string,
  body: StartBody,
): Promise<PreparedImport> {
  const item = await getReadyImport(deps, actor, id)
  const look = await reinspect(deps, item, body)
  assertColumnCount(look.preview, body)
  return { item, look, body: await withCollectedOptions(deps, id, look, body) }
}

/** Creates the collection or fields that the import needs, and plans how rows are read. */
export async function planImport(
  writing: Writing,
  { body, look }: PreparedImport,
): Promise<{ readonly target: Target; readonly plan: RowPlan }> {
  const target = await prepareTarget(writing, body)
  const plan = planRows(target, body, look.preview, calendarAt(writing))
  if (!target.madeCollection) assertNoStatusColumns(writing.actor, plan)
  return { target, plan }
}

/** In bytes: at least some ten thousand rows. */
const LARGE_FILE = 4 * 1024 * 1024

/** Starts an inspected import; a failed one can be started again with another plan. */
export async function startImport(deps: ImportDeps, actor: Actor, id: string, body: StartBody): Promise<ImportBody> {
  const prepared = await prepareImport(deps, actor, id, body)
  const { item, look } = prepared
  const started = await commitChange(deps, actor, async (writing) => {
    assertStartable(await lockImport(writing.transaction, id))
    const { target, plan } = await planImport(writing, prepared)
    if (item.bytes >= LARGE_FILE) await suspendTrigrams(writing.transaction, target.collection)
    const { at } = writing
    const running: StoredImport = {
      ...item,
      look,
      state: 'running',
      collection: target.collection.id,
      madeCollection: target.madeCollection,
      progress: {
        ...NO_PROGRESS,
        madeFields: target.madeFields,
        runner: deps.self,
        aliveAt: at,
        startedAt: at,
        firstId: deps.newId(),
      },
      failure: null,
      endedAt: null,
    }
    await updateImport(writing.transaction, id, running)
    return { answer: { running, plan, at }, changes: target.changes, events: target.events }
  })
  startRun(deps, {
    item: started.running,
    actor,
    plan: started.plan,
    form: look.form,
    at: started.at,
    skipsBadRows: body.onBadRow === 'skip',
  })
  return showImport(started.running)
}

export async function getReadyImport(deps: ImportDeps, actor: Actor, id: string): Promise<StoredImport> {
  const item = assertOwnImport(actor, await findImport(deps.database.read, id))
  assertStartable(item)
  // A failed run may still be cleaning up.
  await deps.runs.get(id)?.over
  if (await isThere(csvPathOf(deps, id))) return item
  throw new Problem('import-not-ready', 'The file for this import has expired. Choose it again.')
}

/** Rejects an import that is running or done. */
export function assertStartable(item: StoredImport | undefined): void {
  if (item?.state === 'ready' || item?.state === 'failed') return
  const isUnderWay = item?.state === 'running' || item?.state === 'undoing'
  throw new Problem(
    'import-not-ready',
    isUnderWay
      ? 'This import is already running.'
      : 'This import has finished. To import the file again, choose it again.',
  )
}

/** Inspects again if the user chose another format. */
async function reinspect(deps: ImportDeps, item: StoredImport, body: StartBody): Promise<CsvInspection> {
  const { look } = item
  const separator = body.separator ?? look?.form.separator
  const encoding = body.encoding ?? look?.form.encoding
  if (!look || separator !== look.form.separator || encoding !== look.form.encoding) {
    const known = { separator, encoding, hasHeader: body.hasHeader }
    return runCsvTask({ type: 'look', file: csvPathOf(deps, item.id), known })
  }
  const hasHeader = body.hasHeader ?? look.form.hasHeader
  return { form: { ...look.form, hasHeader }, preview: { ...look.preview, hasHeader } }
}

function assertColumnCount({ columns }: ImportPreview, body: StartBody): void {
  if (columns.length === body.columns.length) return
  throw new Problem(
    'invalid-request',
    `Nothing was imported. The file has ${columns.length} columns, but the mapping has ${body.columns.length} entries.`,
    { errors: [{ path: 'columns', code: 'wrong-length', message: `The file has ${columns.length} columns.` }] },
  )
}

/** New select fields get every distinct value as an option; the inspection may have seen only some rows. */
async function withCollectedOptions(
  deps: ImportDeps,
  id: string,
  look: CsvInspection,
  body: StartBody,
): Promise<StartBody> {
  const selects = body.columns.flatMap((column, at): OptionsColumn[] => {
    const field = 'newField' in column ? selectDraft(column.newField) : undefined
    return field && 'newField' in column ? [{ at, field, format: column.format, replace: column.replace }] : []
  })
  if (selects.length === 0) return body

  const found = await runCsvTask({ type: 'choices', file: csvPathOf(deps, id), form: look.form, columns: selects })
  const columns = body.columns.map((column, at) => {
    const names = found[selects.findIndex((select) => select.at === at)]
    if (names === undefined || !('newField' in column)) return column
    return { ...column, newField: { ...column.newField, options: { choices: optionsFrom(column.newField, names) } } }
  })
  return { ...body, columns }
}

function selectDraft({ label, kind }: NewField): Field<SelectKind> | undefined {
  if (kind !== 'select' && kind !== 'multi-select' && kind !== 'state') return undefined
  return { id: '', name: '', label, kind, required: false, unique: false, default: null, options: { choices: [] } }
}

type NewField = Extract<StartBody['columns'][number], { newField: unknown }>['newField']

/** Requested options come first, with their colors. */
function optionsFrom({ label, options }: NewField, names: readonly string[] | null) {
  const requested = options.choices ?? []
  if (names === null) {
    throw new Problem(
      'definition-invalid',
      `${label} has too many different values, or values that are too long, for a select field. Import it as text.`,
    )
  }
  const known = new Set(requested.map((choice) => choice.name.trim()))
  return [...requested, ...names.filter((name) => !known.has(name)).map((name) => ({ name }))]
}
