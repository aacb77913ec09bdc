import type { Selectable } from 'kysely'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import type { SystemTables } from '#server/platform/database/tables/system-tables.ts'
import type { Field } from '#domain/fields/field.ts'
import type { FormerValues } from '#server/schema/fields/former-values.ts'

export type KindChange = {
  readonly job: string
  readonly collection: CollectionId
  readonly field: FieldId
  readonly next: Field
  readonly position: number | null
  readonly acceptLoss: boolean
  /** The new field, with the ID of the shadow columns, which is used nowhere else. */
  readonly shadow: Field
  /** If the change undoes another one. */
  readonly former?: FormerValues | undefined
}

export async function insertChange({ db }: Transaction, change: KindChange): Promise<void> {
  const { job, collection, field, shadow, next, position, acceptLoss, former } = change
  const spec = JSON.stringify({ next, position, acceptLoss, former })
  await db
    .insertInto('kind_changes')
    .values({ collection_id: collection, job_id: job, field_id: field, shadow_id: shadow.id, spec })
    .execute()
}

export async function changeIn(reader: Reader, collection: CollectionId): Promise<KindChange | undefined> {
  const row = await reader
    .selectFrom('kind_changes')
    .selectAll()
    .where('collection_id', '=', collection)
    .executeTakeFirst()
  return row && changeOf(row)
}

export async function changeByJob(reader: Reader, job: string): Promise<KindChange | undefined> {
  const row = await reader.selectFrom('kind_changes').selectAll().where('job_id', '=', job).executeTakeFirst()
  return row && changeOf(row)
}

export async function loadChanges(reader: Reader): Promise<KindChange[]> {
  const rows = await reader.selectFrom('kind_changes').selectAll().execute()
  return rows.map(changeOf)
}

export async function deleteChange({ db }: Transaction, { job }: KindChange): Promise<void> {
  await db.deleteFrom('kind_changes').where('job_id', '=', job).execute()
}

function changeOf(row: Selectable<SystemTables['kind_changes']>): KindChange {
  const { job_id: job, collection_id: collection, field_id: field, shadow_id: id } = row
  const spec = JSON.parse(row.spec)
  return { job, collection, field, ...spec, shadow: { ...spec.next, id } }
}
