import type { ImportCheck } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { createIssueCollector, type IssueCollector } from '#domain/imports/row-issues.ts'
import { Problem } from '#domain/shared/problem.ts'
import { clientClosedRequest } from '#server/platform/database/database-errors.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { createRowChecker, type ImportDraft } from './checks/row-checker.ts'
import type { RowBatch } from './csv/csv-tasks.ts'
import { runCsvTask } from './csv/run-csv-task.ts'
import type { ImportDeps } from './import-deps.ts'
import type { StartBody } from './prepare-target.ts'
import { csvPathOf } from './staged-files.ts'
import { planImport, type PreparedImport, prepareImport } from './start-import.ts'

/** The import checks the rows behind itself, before anything becomes visible. */
const MAX_CHECK_MS = 20_000
const ENOUGH = new Problem('import-failed', 'Preview limit reached.')

/** Checks rows as an import would, except for rules about other records, and stores nothing. */
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
const ONLY_A_CHECK = new Problem('import-failed', 'Dry run, nothing was saved.')

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
