import type { FileBody, PersonBody, RelatedBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Decision, decide, whereFieldsReadable } from '#domain/access/decide.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { printValue } from '#domain/fields/kinds.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { namesOf } from '#server/access/people/routes.ts'
import { findAssets } from '#server/records/values/assets-store.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { rowsInside, scopeOf, visibleIds } from '#server/access/record-access/authorized-query.ts'
import { readColumnOf } from '#server/records/crud/store.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'

type AssetRow = Awaited<ReturnType<typeof findAssets>>[number]

export type NameReader = { readonly actor: Actor; readonly definitions: Definitions }

export async function relatedById(
  deps: RecordDeps,
  reader: NameReader,
  field: Field<'relation'>,
  ids: readonly RecordId[],
): Promise<Map<RecordId, RelatedBody>> {
  const visible = [...(await visibleIds(deps, reader, field.options.collection, ids))]
  const related = reader.definitions.byId.get(field.options.collection)
  const decision: Decision = decide(reader.actor, 'records:read', related)
  if (!related || !decision.allowed) return new Map()
  const titles = await recordTitles(deps, reader, related, visible)
  return new Map(visible.map((id) => [id, { id, title: titles.get(id) || id }]))
}

/** Titles of these records for a reader: the title field's value where it is readable, otherwise undefined. */
export async function recordTitles(
  deps: Pick<RecordDeps, 'database' | 'clock'>,
  { actor, definitions }: NameReader,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<Map<RecordId, string>> {
  const field = collection.titleField === null ? undefined : fieldById(collection, collection.titleField)
  const decision = decide(actor, 'records:read', collection)
  if (!field || ids.length === 0 || !decision.allowed || decision.hiddenFields.has(field.id)) return new Map()
  const column = columnOf(field.id)
  const print = (cell: CellValue | undefined): string => printValue(field, valueOfCell(field, cell))
  // The title is read together with the condition, so that a record that becomes hidden in between doesn't reveal its
  // new title.
  const bounded = whereFieldsReadable(decision, [field.id])
  if (bounded?.where) {
    const queryActor = { actor, definitions, now: deps.clock() }
    const rows = await rowsInside(
      scopeOf(deps, definitions),
      queryActor,
      { collection, decision: bounded, fields: [field] },
      ids,
    )
    return new Map(rows.map((row) => [String(row['id']), print(row[column])]))
  }
  const cells = await readColumnOf(deps.database.read, collection.id, column, ids)
  return new Map([...cells].map(([id, cell]) => [id, print(cell)]))
}

/** Read permission for a user field includes the names of its users. */
export async function peopleById(
  deps: Pick<RecordDeps, 'database'>,
  ids: readonly string[],
): Promise<Map<string, PersonBody>> {
  const names = await namesOf(deps.database.read, ids)
  return new Map([...names].map(([id, name]) => [id, { id, name }]))
}

/**
 * Details of these files; the caller must have checked that the actor can read the field. `isHere` filters the files.
 */
export async function filesById(
  deps: Pick<RecordDeps, 'database' | 'fileAddress'>,
  actor: Actor,
  ids: readonly string[],
  isHere: (asset: AssetRow) => boolean = () => true,
): Promise<Map<string, FileBody>> {
  const assets = (await findAssets(deps.database.read, ids)).filter(isHere)
  return new Map(
    assets.map((asset) => [
      asset.id,
      {
        id: asset.id,
        name: asset.name,
        type: asset.type,
        bytes: asset.bytes,
        width: asset.width,
        height: asset.height,
        ...deps.fileAddress(asset, actor),
      },
    ]),
  )
}
