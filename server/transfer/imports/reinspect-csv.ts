import type { z } from 'zod'
import type { ImportBody, inspectImport as endpoint } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { fieldByName } from '#domain/collections/collection.ts'
import { canBeKey } from '#domain/imports/row-to-values.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { type KeyColumnRef, findByKey } from './changes/changes-store.ts'
import type { CsvInspection, RowBatch } from './csv/csv-tasks.ts'
import type { ImportDeps } from './import-deps.ts'
import { runCsvTask } from './csv/run-csv-task.ts'
import { showImport } from './show-import.ts'
import { csvPathOf } from './staged-files.ts'
import { assertStartable, getReadyImport } from './start-import.ts'
import { updateImport, lockImport } from './store.ts'

type Body = z.output<(typeof endpoint)['body']>
type Matches = NonNullable<ImportBody['matches']>

/** Inspects a file again with a given format, and counts key matches. */
export async function reinspectImport(deps: ImportDeps, actor: Actor, id: string, body: Body): Promise<ImportBody> {
  const item = await getReadyImport(deps, actor, id)
  const { key, ...known } = body
  const file = csvPathOf(deps, id)
  const look =
    item.look && Object.keys(known).length === 0 ? item.look : await runCsvTask({ type: 'look', file, known })
  await deps.database.write(async (transaction) => {
    assertStartable(await lockImport(transaction, id))
    await updateImport(transaction, id, { look })
  })
  const shown = showImport({ ...item, look })
  return key ? { ...shown, matches: await countMatches(deps, actor, { file, look, key }) } : shown
}

type MatchCount = { readonly file: string; readonly look: CsvInspection; readonly key: NonNullable<Body['key']> }

/** The maximum number of rows read, the same as for an inspection. */
const ROWS_INSPECTED = 100_000
const ENOUGH_ROWS = new Problem('import-failed', 'Preview limit reached.')

/** Counts rows that would update a record, create one, or be rejected as ambiguous. */
async function countMatches(deps: ImportDeps, actor: Actor, { file, look, key }: MatchCount): Promise<Matches> {
  const definitions = await deps.definitions.current()
  const { collection, field } = keyFor(definitions, actor, key)
  const column = { at: key.column, header: look.preview.columns[key.column]?.header ?? '', field: field?.id ?? 'id' }
  const isWritten = field !== undefined && field.kind !== 'auto-number'
  const plan = { collection, columns: isWritten ? [column] : [], width: look.preview.columns.length, key: column }
  const pending = [...definitions.pendingImports]
  const { dialect } = deps.database
  const place = { dialect, collection: collection.id, column: field ? columnOf(field.id) : 'id', importId: '', pending }

  const matches = { updates: 0, creates: 0, unclear: 0, isWhole: true }
  const tally: MatchTally = { place, seen: new Set(), matches, isId: field === undefined }
  const enough = new AbortController()
  const count = async (batch: RowBatch): Promise<void> => {
    if (enough.signal.aborted) return
    await countBatch(deps, tally, batch)
    if (batch.rowsRead >= ROWS_INSPECTED) enough.abort(ENOUGH_ROWS)
  }
  let counted = Promise.resolve()
  const onBatch = (batch: RowBatch): Promise<void> => {
    counted = counted.then(() => count(batch))
    return counted
  }
  const task = { type: 'read', file, form: look.form, plan, dialect } as const
  await runCsvTask(task, { onBatch, signal: enough.signal }).then(undefined, (error: unknown) => {
    if (error !== ENOUGH_ROWS) throw error
    matches.isWhole = false
  })
  return matches
}

/** Only for users who can read and update everything the key could match. */
function keyFor(definitions: Definitions, actor: Actor, key: MatchCount['key']) {
  const { collection, decision } = getCollection(definitions, actor, 'records:import', key.collection)
  const others = (['records:read', 'records:update'] as const).map(
    (permission) => getCollection(definitions, actor, permission, key.collection).decision,
  )
  const decisions = [decision, ...others]
  if (decisions.some(({ where }) => where)) {
    throw new Problem(
      'forbidden',
      `You don’t have permission to update records in ${collection.label} by importing. Ask an owner.`,
    )
  }
  if (key.field === 'id') return { collection, field: undefined }
  const field = fieldByName(collection, key.field)
  const isHidden = decisions.some(
    ({ hiddenFields, partlyHidden }) => field && (hiddenFields.has(field.id) || partlyHidden?.has(field.id)),
  )
  if (field && !isHidden && canBeKey(field)) return { collection, field }
  throw new Problem(
    'invalid-request',
    `There is no field “${key.field}” that can identify records in ${collection.label}.`,
  )
}

type MatchTally = {
  readonly place: KeyColumnRef
  readonly seen: Set<string>
  readonly matches: { updates: number; creates: number; unclear: number }
  readonly isId: boolean
}

async function countBatch(
  deps: ImportDeps,
  { place, seen, matches, isId }: MatchTally,
  batch: RowBatch,
): Promise<void> {
  const keys = [...new Set(batch.keys.filter((key) => key !== null))]
  const rows = await findByKey(deps.database.read, place, keys)
  const found = new Map([...rows].map(([key, { count }]) => [String(key), count]))
  matches.unclear += new Set(batch.refused.map(({ row }) => row)).size
  for (const key of batch.keys) {
    const name = String(key)
    const count = key === null ? 0 : (found.get(name) ?? 0)
    if (key !== null && (seen.has(name) || count > 1 || (isId && count === 0))) matches.unclear += 1
    else if (count === 1) matches.updates += 1
    else matches.creates += 1
    if (key !== null) seen.add(name)
  }
}
