import type { ImportCheck } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { createIssueCollector, type IssueCollector, type RowError } from '#domain/imports/row-issues.ts'
import { Problem } from '#domain/shared/problem.ts'
import { clientClosedRequest } from '#server/platform/database/database-errors.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import type { RowBatch } from './csv/csv-tasks.ts'
import { runCsvTask } from './csv/run-csv-task.ts'
import type { ImportDeps } from './import-deps.ts'
import type { StartBody } from './prepare-target.ts'
import { csvPathOf } from './staged-files.ts'
import { planImport, type PreparedImport, prepareImport } from './start-import.ts'
import { fieldById } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import { createRowReader, type RowPlan } from '#domain/imports/row-to-values.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { compileRules, violatedLocally } from '#domain/rules/rule-violations.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { ruleContextOf } from '#server/records/rules/evaluate-rules.ts'
import { columnsOfField, valueOfCell } from '#server/records/values/row-mapping.ts'
import { fieldsInRow } from '#server/transfer/imports/csv/rows-to-cells.ts'
import { type CandidateRow, candidatesOf, createRowLinker } from '#server/transfer/imports/run/link-rows.ts'
import { valuesInUse } from '#server/transfer/imports/run/rows-store.ts'
import { ruleErrors } from './checks/check-rules.ts'
import { duplicateError, UNIQUE_DEFAULT_CONFLICT, uniqueCell } from './checks/check-rows.ts'

/** Time limit for the check in ms; the import itself checks all rows before any become visible. */
const MAX_CHECK_MS = 20_000
const ENOUGH = new Problem('import-failed', 'Preview limit reached.')

/** Checks rows in the same way as an import, except for rules about other records, and stores nothing. */
export async function checkImport(
  deps: ImportDeps,
  actor: Actor,
  id: string,
  { body, signal }: { readonly body: StartBody; readonly signal: AbortSignal },
): Promise<ImportCheck> {
  const prepared = await prepareImport(deps, actor, id, body)
  const draft = await planDraft(deps, actor, prepared)
  const collector = createIssueCollector()
  const enough = new AbortController()
  signal.addEventListener('abort', () => enough.abort(clientClosedRequest()), { once: true })
  const startedAtMs = performance.now()
  const check = createRowChecker(deps, actor, draft)
  let rowsRead = 0
  let checked = Promise.resolve()
  const take = async (batch: RowBatch): Promise<void> => {
    if (enough.signal.aborted) return
    collector.add(await check(batch))
    rowsRead = batch.rowsRead
    if (performance.now() - startedAtMs > MAX_CHECK_MS) enough.abort(ENOUGH)
  }
  const onBatch = (batch: RowBatch): Promise<void> => {
    checked = checked.then(() => take(batch))
    return checked
  }
  const { dialect } = deps.database
  const file = csvPathOf(deps, id)
  const task = { type: 'read', file, form: prepared.look.form, plan: draft.plan, dialect, isCheck: true } as const
  const isWhole = await runCsvTask(task, { onBatch, signal: enough.signal }).then(
    () => true,
    (error: unknown) => {
      if (error !== ENOUGH) throw error
      return false
    },
  )
  return resultOf(collector, rowsRead, isWhole)
}

const resultOf = (collector: IssueCollector, rowsRead: number, isWhole: boolean): ImportCheck => ({
  rowsRead,
  rowsRejected: collector.rowCount(),
  issues: collector.issues().map((issue) => ({ ...issue, texts: [...issue.texts] })),
  isWhole,
})

/** Thrown to roll back the collection and fields that the import would create. */
const ONLY_A_CHECK = new Problem('import-failed', 'Dry run: nothing was saved.')

async function planDraft(deps: ImportDeps, actor: Actor, prepared: PreparedImport): Promise<ImportDraft> {
  let draft: ImportDraft | undefined
  await commitChange(deps, actor, async (writing) => {
    const { target, plan } = await planImport(writing, prepared)
    const created = new Set(target.madeFields)
    const stored = target.madeCollection ? [] : plan.collection.fields.filter(({ id }) => !created.has(id))
    draft = { plan, definitions: writing.definitions, storedFields: new Set(stored.map(({ id }) => id)) }
    throw ONLY_A_CHECK
  }).then(undefined, (error: unknown) => {
    if (error !== ONLY_A_CHECK) throw error
  })
  if (!draft) throw ONLY_A_CHECK
  return draft
}

/** A planned import whose collection or fields may not exist yet. */
type ImportDraft = {
  readonly plan: RowPlan
  readonly definitions: Definitions
  readonly storedFields: ReadonlySet<string>
}

type RowCheck = (rows: readonly CandidateRow[]) => Promise<readonly RowError[]> | readonly RowError[]

/**
 * Finds the errors in each batch without storing its rows. With a key, it isn't known yet which rows are new, so
 * uniqueness, rules and required values of new records aren't checked.
 */
function createRowChecker(deps: ImportDeps, actor: Actor, draft: ImportDraft) {
  const { plan } = draft
  const link = createRowLinker(deps, actor, createRowReader(plan).references)
  const checks = plan.key ? [] : [...uniqueChecks(deps, draft), ...ruleChecks(deps, actor, draft)]
  const columnAt = new Map(plan.columns.map(({ at, field }) => [fieldById(plan.collection, field)?.label ?? '', at]))
  return async (batch: RowBatch): Promise<readonly RowError[]> => {
    const linked = await link(batch)
    const rejected = new Set(batch.refused.map(({ row }) => row))
    const rows = checks.length > 0 ? candidatesOf(batch, linked).filter(({ number }) => !rejected.has(number)) : []
    const errors: RowError[] = [...batch.refused, ...linked.refused]
    for (const check of checks) errors.push(...(await check(rows)))
    return errors.map((error) => ({ ...error, at: error.at ?? columnAt.get(error.column) ?? null }))
  }
}

/** Checks for values that already exist in the table or in an earlier row. */
function uniqueChecks({ database }: ImportDeps, { plan, storedFields }: ImportDraft): readonly RowCheck[] {
  const reader = createRowReader(plan)
  const fields = fieldsInRow(reader)
  const layout = { columns: fields.flatMap(columnsOfField), pointers: reader.references }
  return [...fields, ...reader.references]
    .filter(({ unique }) => unique)
    .flatMap((field): RowCheck[] => {
      const cellOf = uniqueCell(field, layout)
      if (!cellOf) return []
      const seen = new Set<CellValue>()
      const isInFile = plan.columns.some((each) => each.field === field.id)
      const check: RowCheck = async (rows) => {
        const given = rows.map((candidate) => ({ number: candidate.number, value: cellOf(candidate) }))
        const values = [...new Set(given.map(({ value }) => value))].filter((value) => value !== null)
        const { read: db, dialect } = database
        const isStored = storedFields.has(field.id)
        const used = isStored
          ? await valuesInUse({ db, dialect }, plan.collection.id, columnOf(field.id), values)
          : new Set()
        return given.flatMap(({ number, value }) => {
          if (value === null) return []
          const isTaken = used.has(value) || seen.has(value)
          seen.add(value)
          if (!isTaken) return []
          return [isInFile ? duplicateError(number, field, value) : { row: number, ...UNIQUE_DEFAULT_CONFLICT }]
        })
      }
      return [check]
    })
}

/** Checks validation rules that depend only on the record's own values. */
function ruleChecks(
  deps: ImportDeps,
  actor: Actor,
  { plan: { collection, ...plan }, definitions }: ImportDraft,
): readonly RowCheck[] {
  const at = deps.clock().toISOString()
  const rules = compileRules(ruleContextOf({ definitions, at }, collection))
  if (rules.length === 0) return []
  const valuesOf = createValueReader({ collection, ...plan })
  const record = {
    id: '',
    collection: collection.id,
    version: 1,
    createdAt: at,
    createdBy: null,
    updatedAt: at,
    updatedBy: null,
  }
  const check: RowCheck = (rows) =>
    rows.flatMap((row) => {
      const broken = violatedLocally(rules, { ...record, values: valuesOf(row) })
      return ruleErrors({ actor, definitions }, collection, { row: row.number, rules: broken })
    })
  return [check]
}

function createValueReader(plan: RowPlan): (row: CandidateRow) => RecordValues {
  const reader = createRowReader(plan)
  const fields = fieldsInRow(reader)
  const columns = fields.flatMap(columnsOfField)
  const places = fields.map((field) => ({ field, place: columns.indexOf(columnOf(field.id)) }))
  const empty = plan.collection.fields.map((field): [string, FieldValue] => [field.id, emptyValue(field)])
  const idsIn = (field: Field, ids: readonly string[] = []): FieldValue => (holdsList(field) ? ids : (ids[0] ?? null))
  return ({ row, lists, ids }) =>
    Object.fromEntries([
      ...empty,
      ...places.map(({ field, place }): [string, FieldValue] => [field.id, valueOfCell(field, row[place])]),
      ...reader.lists.map((field, at): [string, FieldValue] => [field.id, lists[at] ?? []]),
      ...reader.references.map((field, at): [string, FieldValue] => [field.id, idsIn(field, ids[at])]),
    ])
}
