import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, holdsList, type SelectKind } from '#domain/fields/field.ts'
import type { CollectionId, OptionId, RecordId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { columnOf, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { addFieldColumns } from '#server/schema/collections/tables-store.ts'
import { insertFormer } from './former-values.ts'
import { clearLists, listsOf, writeLists } from './values-store.ts'

/** The option that records get instead of a removed one. */
export const insteadOf = (next: Field<SelectKind>): OptionId | null =>
  next.kind === 'state' ? (next.default ?? next.options.choices[0]?.id ?? null) : null

type Removal = { readonly old: Field<SelectKind>; readonly options: readonly OptionId[]; readonly changeSet: string }

/** Keeps the values that contain removed options, as long as deleted fields, so that the change can be undone. */
export async function keepValuesWithOptions(
  writing: Writing,
  collection: Collection,
  { old, options, changeSet }: Removal,
): Promise<void> {
  const { transaction, newId } = writing
  const kept: Field = { ...old, id: newId(), unique: false }
  await addFieldColumns(transaction, collection.id, kept)
  await (holdsList(old) ? copyLists : copyCells)(transaction, {
    collection: collection.id,
    from: old,
    to: kept,
    options,
  })
  await insertFormer(writing, collection, { of: old, kept, changeSet })
}

type Copy = {
  readonly collection: CollectionId
  readonly from: Field
  readonly to: Field
  readonly options: readonly OptionId[]
}

async function copyCells({ db }: Transaction, { collection, from, to, options }: Copy): Promise<void> {
  await db
    .updateTable(tableOf(collection))
    .set((eb) => ({ [columnOf(to.id)]: eb.ref(columnOf(from.id)) }))
    .where(columnOf(from.id), 'in', [...options])
    .execute()
}

async function copyLists({ db }: Transaction, { from, to, options }: Copy): Promise<void> {
  const list = sql.table(listTableOf(from.id))
  await sql`
    insert into ${sql.table(listTableOf(to.id))} (record_id, position, value)
    select record_id, position, value from ${list}
    where record_id in (select record_id from ${list} where value in (${sql.join([...options])}))`.execute(db)
}

export type RestoredOptions = { readonly restored: number; readonly kept: readonly RecordId[] }

type Restoration = {
  readonly field: Field<SelectKind>
  /** The columns that keep the values with the removed options. */
  readonly former: Field
  /** The field without the options. */
  readonly became: Field<SelectKind>
}

/** Gives records the values with the options that were removed, except those that were edited since. */
export async function restoreValuesWithOptions(
  transaction: Transaction,
  { id: collection }: Collection,
  { field, former, became }: Restoration,
): Promise<RestoredOptions> {
  return holdsList(field)
    ? restoreLists(transaction, collection, { field, former, became })
    : restoreCells(transaction, collection, { field, former, became })
}

async function restoreCells(
  { db }: Transaction,
  collection: CollectionId,
  { field, former, became }: Restoration,
): Promise<RestoredOptions> {
  const [table, cell, kept] = [sql.table(tableOf(collection)), sql.id(columnOf(field.id)), sql.id(columnOf(former.id))]
  const instead = insteadOf(became)
  const isUnedited = instead === null ? sql`${cell} is null` : sql`${cell} = ${instead}`
  const { rows } = await sql<{ id: string }>`
    select id from ${table} where ${kept} is not null and not (${isUnedited})`.execute(db)
  const { numAffectedRows = 0n } = await sql`
    update ${table} set ${cell} = ${kept}, version = version + 1 where ${kept} is not null and ${isUnedited}`.execute(
    db,
  )
  return { restored: Number(numAffectedRows), kept: rows.map(({ id }) => id) }
}

/** Lists restored at once. */
const LISTS_PER_STEP = 1000

async function restoreLists(
  transaction: Transaction,
  collection: CollectionId,
  { field, former, became }: Restoration,
): Promise<RestoredOptions> {
  const { db } = transaction
  const left = new Set(became.options.choices.map(({ id }) => id))
  const kept: RecordId[] = []
  let restored = 0
  for (let after = ''; ; ) {
    const owners = await db
      .selectFrom(listTableOf(former.id))
      .select('record_id')
      .distinct()
      .where('record_id', '>', after)
      .orderBy('record_id')
      .limit(LISTS_PER_STEP)
      .execute()
    const ids = owners.map((row) => String(row['record_id']))
    if (ids.length === 0) return { restored, kept }
    const [was, is] = [await listsOf(db, former.id, ids), await listsOf(db, field.id, ids)]
    const unedited = ids.filter((id) => {
      const given = (was.get(id) ?? []).filter((option) => left.has(option))
      return sameJson(is.get(id) ?? [], given)
    })
    await clearLists(transaction, field.id, unedited)
    await writeLists(
      transaction,
      field.id,
      unedited.map((id) => ({ id, list: was.get(id) ?? [] })),
    )
    await incrementVersions(transaction, collection, unedited)
    restored += unedited.length
    kept.push(...ids.filter((id) => !unedited.includes(id)))
    after = ids.at(-1) ?? after
  }
}

async function incrementVersions(
  { db }: Transaction,
  collection: CollectionId,
  ids: readonly RecordId[],
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable(tableOf(collection))
    .set({ version: sql<number>`version + 1` })
    .where('id', 'in', [...ids])
    .execute()
}

/** Maximum number of records with an option whose changes are examined; with more, it counts as in use. */
const MAX_EXAMINED = 10_000

/** Some records that have an option; undefined if there are many. */
export async function recordsWithOption(
  { db }: Transaction,
  { id: collection }: Collection,
  field: Field,
  option: OptionId,
): Promise<readonly RecordId[] | undefined> {
  const [table, id, value] = holdsList(field)
    ? ([listTableOf(field.id), 'record_id', 'value'] as const)
    : ([tableOf(collection), 'id', columnOf(field.id)] as const)
  const rows = await db
    .selectFrom(table)
    .select(id)
    .where(value, '=', option)
    .limit(MAX_EXAMINED + 1)
    .execute()
  return rows.length > MAX_EXAMINED ? undefined : rows.map((row) => String(row[id]))
}
