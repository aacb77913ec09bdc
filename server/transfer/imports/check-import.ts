import type { ImportCheck } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { fieldById } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { createIssueCollector, type IssueCollector, type RowError } from '#domain/imports/row-issues.ts'
import { createRowReader, type RowPlan } from '#domain/imports/row-to-values.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { clientClosedRequest } from '#server/platform/database/database-errors.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { columnsOfField } from '#server/records/values/row-mapping.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { duplicateError } from './checks/check-rows.ts'
import type { RowBatch } from './csv/csv-tasks.ts'
import { fieldsInRow } from './csv/rows-to-cells.ts'
import { runCsvTask } from './csv/run-csv-task.ts'
import type { ImportDeps } from './import-deps.ts'
import type { StartBody } from './prepare-target.ts'
import { type CandidateRow, candidatesOf, createRowLinker } from './run/link-rows.ts'
import { valuesInUse } from './run/rows-store.ts'
import { csvPathOf } from './staged-files.ts'
import { planImport, type PreparedImport, prepareImport } from './start-import.ts'

/** The import checks the rows behind itself, before anything becomes visible. */
const MAX_CHECK_MS = 20_000
const ENOUGH = new Problem('import-failed', 'Preview limit reached.')

/** Checks rows as an import would, except for validation rules, and stores nothing. */
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
  const check = rowChecker(deps, actor, draft)
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
  const task = { type: 'read', file: csvPathOf(deps, id), form: prepared.look.form, plan: draft.plan, dialect } as const
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

type Draft = { readonly plan: RowPlan; readonly storedFields: ReadonlySet<string> }

/** Thrown to roll back the collection and fields that the import would create. */
const ONLY_A_CHECK = new Problem('import-failed', 'Dry run, nothing was saved.')

async function planDraft(deps: ImportDeps, actor: Actor, prepared: PreparedImport): Promise<Draft> {
  let draft: Draft | undefined
  await commitChange(deps, actor, async (writing) => {
    const { target, plan } = await planImport(writing, prepared)
    const created = new Set(target.madeFields)
    const stored = target.madeCollection ? [] : plan.collection.fields.filter(({ id }) => !created.has(id))
    draft = { plan, storedFields: new Set(stored.map(({ id }) => id)) }
    throw ONLY_A_CHECK
  }).then(undefined, (error: unknown) => {
    if (error !== ONLY_A_CHECK) throw error
  })
  if (!draft) throw ONLY_A_CHECK
  return draft
}

type RowChecker = (batch: RowBatch) => Promise<readonly RowError[]>

function rowChecker(deps: ImportDeps, actor: Actor, { plan, storedFields }: Draft): RowChecker {
  const reader = createRowReader(plan)
  const link = createRowLinker(deps, actor, reader.references)
  const columns = fieldsInRow(reader).flatMap(columnsOfField)
  // Updated records may keep their values.
  const unique = plan.key ? [] : fieldsInRow(reader).filter((field) => field.unique)
  const seen = new Map(unique.map((field) => [field, new Set<CellValue>()]))
  const duplicatesIn = async (rows: readonly CandidateRow[], field: Field): Promise<RowError[]> => {
    const column = columnOf(field.id)
    const place = columns.indexOf(column)
    const given = rows.map(({ row, number }) => ({ number, value: row[place] ?? null }))
    const values = [...new Set(given.map(({ value }) => value))].filter((value) => value !== null)
    const { read: db, dialect } = deps.database
    const isStored = storedFields.has(field.id)
    const used = isStored
      ? await valuesInUse({ db, dialect }, plan.collection.id, column, values)
      : new Set<CellValue>()
    const before = seen.get(field) ?? new Set<CellValue>()
    return given.flatMap(({ number, value }) => {
      if (value === null) return []
      const isTaken = used.has(value) || before.has(value)
      before.add(value)
      return isTaken ? [duplicateError(number, field, value)] : []
    })
  }
  const columnAt = new Map(plan.columns.map(({ at, field }) => [fieldById(plan.collection, field)?.label ?? '', at]))
  return async (batch) => {
    const linked = await link(batch)
    const rows = unique.length > 0 ? candidatesOf(batch, linked) : []
    const duplicates: RowError[] = []
    for (const field of unique) duplicates.push(...(await duplicatesIn(rows, field)))
    const errors: readonly RowError[] = [...batch.refused, ...linked.refused, ...duplicates]
    return errors.map((error) => ({ ...error, at: error.at ?? columnAt.get(error.column) ?? null }))
  }
}
