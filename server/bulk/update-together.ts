import { userIdOf } from '#domain/access/actor.ts'
import { checkChangedValues, fieldsNamed, type HiddenFields, type NamedValues } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { takesFiles } from '#domain/uploads/file-fields.ts'
import type { Change } from '#server/changes/change-log.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import { checkReferences, reachOfAll } from '#server/records/check-references.ts'
import { partlyWritten, refuseAllClosed, type WriteGround, type Written } from '#server/records/refuse-closed.ts'
import { acceptedValues, refuseInvalid } from '#server/records/values-problem.ts'
import { unreadIn } from '#server/records/unread-in.ts'
import { getAllVisible } from '#server/records/visible-records.ts'
import { differing } from '#server/records/differing.ts'
import { writeValues } from '#server/records/write-values.ts'
import { refuseFrozen } from '#server/workflows/refuse-frozen.ts'
import { inTurns } from './in-turns.ts'
import { valueChanges } from './value-changes.ts'

/** New values of one record, as they are asked for. */
export type UpdateItem = {
  readonly id: RecordId
  readonly values: NamedValues
  readonly version?: number | undefined
}

/** What was written together: each record with the fields that are open in some records only. */
export type Together = { readonly written: readonly Written[]; readonly changes: readonly Change[] }

/**
 * Changes records each in its own way, with a statement for all of them instead of one for each. Undefined where one is
 * refused, or where it matters which comes first: then nothing is written, and whoever takes them one by one says why.
 */
export async function updateTogether(
  writing: Writing,
  ground: WriteGround,
  items: readonly UpdateItem[],
): Promise<Together | undefined> {
  if (items.length < 2 || !areApart(ground, items)) return undefined
  const judged = await judge(writing, ground, items).then(
    (all) => all,
    (error: unknown) => {
      if (error instanceof Problem) return undefined
      throw error
    },
  )
  if (!judged) return undefined
  const { collection } = ground
  const moves = judged
    .map(({ record, changed, unread }) => ({ record, values: changed, unread }))
    .filter(({ values }) => Object.keys(values).length > 0)
  const updatedBy = userIdOf(writing.actor)
  await writeValues(
    writing,
    collection,
    moves.map((move) => ({ ...move, updatedAt: writing.at, updatedBy })),
  )
  const written = judged.map(({ record, fields }) => ({ record: record.id, fields }))
  return { written, changes: valueChanges(collection, moves) }
}

/** Whether no record comes twice, and none may take what another one lets go: a unique value, a file. */
function areApart({ collection }: WriteGround, items: readonly UpdateItem[]): boolean {
  if (new Set(items.map(({ id }) => id)).size < items.length) return false
  const alone = collection.fields.filter((field) => field.unique || takesFiles(field))
  return !alone.some(({ name }) => items.some(({ values }) => Object.hasOwn(values, name)))
}

type Judged = {
  readonly record: CollectionRecord
  readonly values: RecordValues
  readonly changed: RecordValues
  readonly unread: HiddenFields
  readonly fields: Written['fields']
}

async function judge(writing: Writing, ground: WriteGround, items: readonly UpdateItem[]): Promise<readonly Judged[]> {
  const { collection, decision } = ground
  const ids = items.map(({ id }) => id)
  const records = await getAllVisible(writing, collection, decision, ids)
  const unreadOf = await unreadIn(writing, collection, records)
  const judged: Judged[] = []
  for await (const [at, record] of inTurns([...records.entries()])) {
    const { values: named = {}, version } = items[at] ?? {}
    if (version !== undefined && version !== record.version) throw new Problem('version-conflict', 'It was changed.')
    const fields = partlyWritten(writing.actor, ground, named)
    const values = acceptedValues(checkChangedValues(collection, named, decision.hiddenFields))
    const unread = unreadOf(record)
    const changed = differing(collection, record, values, unread)
    refuseFrozen(collection, record, changed, unread)
    judged.push({ record, values, changed, unread, fields })
  }
  await refuseAllClosed(
    writing,
    ground,
    judged.map(({ record, fields }) => ({ record: record.id, fields })),
  )
  await refuseStrangers(writing, ground, items, judged)
  return judged
}

/** Each record by itself: people who were in it before stay. */
async function refuseStrangers(
  writing: Writing,
  { collection }: WriteGround,
  items: readonly UpdateItem[],
  judged: readonly Judged[],
): Promise<void> {
  const points = items.some(({ values }) =>
    fieldsNamed(collection, values).some(({ kind }) => kind === 'relation' || kind === 'user'),
  )
  if (!points) return
  const given = judged.map(({ values }) => values)
  const reach = await reachOfAll(writing, collection, given)
  for (const { record, values } of judged) {
    refuseInvalid(await checkReferences(writing, collection, { before: record.values, after: values }, reach))
  }
}
