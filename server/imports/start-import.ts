import type { ImportBody, ImportPreview } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { FieldKind } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/changes/commit-change.ts'
import type { CsvLook } from './csv-tasks.ts'
import { refuseMoves } from './frozen-rows.ts'
import type { ImportNeeds } from './import-needs.ts'
import { planRows } from './plan-rows.ts'
import { type StartBody, prepareTarget } from './prepare-target.ts'
import { runCsvTask } from './run-csv-task.ts'
import { beginRun } from './run-import.ts'
import { ownImport, showImport } from './show-import.ts'
import { csvPathOf, isThere } from './staged-files.ts'
import { changeImport, findImport, holdImport } from './store.ts'
import { NO_PROGRESS, type StoredImport } from './stored-import.ts'

/** Story: begin to import a file that was looked at. One that failed may be started again, planned differently. */
export async function startImport(needs: ImportNeeds, actor: Actor, id: string, body: StartBody): Promise<ImportBody> {
  const item = await readyImport(needs, actor, id)
  const look = await lookAgain(needs, item, body)
  refuseOtherWidth(look.preview, body)
  const complete = await withChoices(needs, id, look, body)

  const started = await commitChange(needs, actor, async (writing) => {
    refuseBusy(await holdImport(writing.transaction, id))
    const target = await prepareTarget(writing, complete)
    const plan = planRows(target, complete, look.preview)
    if (!target.madeCollection) refuseMoves(writing.actor, plan)
    const running: StoredImport = {
      ...item,
      look,
      state: 'running',
      collection: target.collection.id,
      madeCollection: target.madeCollection,
      progress: { ...NO_PROGRESS, madeFields: target.madeFields, runner: needs.self, aliveAt: writing.at },
      failure: null,
      endedAt: null,
    }
    await changeImport(writing.transaction, id, running)
    return { answer: { running, plan, at: writing.at }, changes: target.changes, events: target.events }
  })
  beginRun(needs, {
    item: started.running,
    actor,
    plan: started.plan,
    form: look.form,
    at: started.at,
    skipsBadRows: body.onBadRow === 'skip',
  })
  return showImport(started.running)
}

/** An import that waits to be started, with its file. */
export async function readyImport(needs: ImportNeeds, actor: Actor, id: string): Promise<StoredImport> {
  const item = ownImport(actor, await findImport(needs.database.read, id))
  refuseBusy(item)
  // A run that failed may still be tidying up behind itself.
  await needs.runs.get(id)?.over
  if (await isThere(csvPathOf(needs, id))) return item
  throw new Problem('import-not-ready', 'The file of this import is no longer kept. Choose it again.')
}

/** Refuses an import that is under way or over. */
export function refuseBusy(item: StoredImport | undefined): void {
  if (item?.state === 'ready' || item?.state === 'failed') return
  const isUnderWay = item?.state === 'running' || item?.state === 'undoing'
  throw new Problem(
    'import-not-ready',
    isUnderWay
      ? 'This import is under way already.'
      : 'This import is over. Choose the file again to import it once more.',
  )
}

/** Somebody may know better how the file is written than the look did. */
async function lookAgain(needs: ImportNeeds, item: StoredImport, body: StartBody): Promise<CsvLook> {
  const { look } = item
  const separator = body.separator ?? look?.form.separator
  const encoding = body.encoding ?? look?.form.encoding
  if (!look || separator !== look.form.separator || encoding !== look.form.encoding) {
    const known = { separator, encoding, hasHeader: body.hasHeader }
    return runCsvTask({ type: 'look', file: csvPathOf(needs, item.id), known })
  }
  const hasHeader = body.hasHeader ?? look.form.hasHeader
  return { form: { ...look.form, hasHeader }, preview: { ...look.preview, hasHeader } }
}

function refuseOtherWidth({ columns }: ImportPreview, body: StartBody): void {
  if (columns.length === body.columns.length) return
  throw new Problem(
    'invalid-request',
    `The file has ${columns.length} columns, but it was said where ${body.columns.length} go. Nothing was imported.`,
    { errors: [{ path: 'columns', code: 'wrong-length', message: `There are ${columns.length} columns.` }] },
  )
}

/** New fields of choices get every value of their column as one: the look may have seen only some, or been overruled. */
async function withChoices(needs: ImportNeeds, id: string, look: CsvLook, body: StartBody): Promise<StartBody> {
  const columnsOf = (...kinds: readonly FieldKind[]): number[] =>
    body.columns.flatMap((column, at) => ('newField' in column && kinds.includes(column.newField.kind) ? at : []))
  const selects = columnsOf('select', 'multi-select', 'state')
  if (selects.length === 0) return body

  const listColumns = columnsOf('multi-select')
  const file = csvPathOf(needs, id)
  const found = await runCsvTask({ type: 'choices', file, form: look.form, columns: selects, listColumns })
  const columns = body.columns.map((column, at) => {
    const names = found[selects.indexOf(at)]
    if (names === undefined || !('newField' in column)) return column
    return { newField: { ...column.newField, options: { choices: choicesFrom(column.newField, names) } } }
  })
  return { ...body, columns }
}

type NewField = Extract<StartBody['columns'][number], { newField: unknown }>['newField']

/** The choices asked for come first, with their colours. */
function choicesFrom({ label, options }: NewField, names: readonly string[] | null) {
  const asked = options.choices ?? []
  if (names === null) {
    throw new Problem(
      'definition-invalid',
      `${label} has too many different values, or too long ones, for a field of choices. Import it as text.`,
    )
  }
  const known = new Set(asked.map((choice) => choice.name.trim()))
  return [...asked, ...names.filter((name) => !known.has(name)).map((name) => ({ name }))]
}
