import { CompiledQuery, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { nameFromLabel } from '#domain/collections/names.ts'
import {
  COLLECTION_ICONS,
  type CollectionAppearance,
  changedAppearance,
} from '#domain/collections/collection-appearance.ts'
import { OPTION_COLORS, type Field } from '#domain/fields/field.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { preparedQuery } from '#server/platform/database/rows/row-statements.ts'
import type { OptimisticReads, Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import type { SystemTables } from '#server/platform/database/tables/system-tables.ts'
import { DEFINITIONS_VERSION } from '#server/platform/database/tables/user-role-columns.ts'

export async function readDefinitionsVersion(reader: Reader): Promise<number> {
  return Number((await readWorkspaceValue(reader, DEFINITIONS_VERSION)) ?? 0)
}

/** For use within a write. On PostgreSQL, no definition can change until the write ends. */
export async function lockDefinitionsVersion({ db, dialect }: Transaction): Promise<number> {
  const [row] = await lockedVersion({ db }, LOCKING[dialect], DEFINITIONS_VERSION)
  return Number(row?.value ?? 0)
}

/** Repeats a write whose transaction sees other definitions. */
export const expectDefinitionsVersion = ({ expect }: OptimisticReads, version: number): void =>
  expect(CompiledQuery.raw('select value from workspace where name = ?', [DEFINITIONS_VERSION]), String(version))

const LOCKING = { sqlite: { isLocked: false }, postgres: { isLocked: true } } as const

type LockMode = { readonly isLocked: boolean }

const lockedVersion = preparedQuery(({ db }: { readonly db: Reader }, { isLocked }: LockMode, name) => {
  const query = db.selectFrom('workspace').select('value').where('name', '=', name)
  return (isLocked ? query.forShare() : query).compile()
})

export async function incrementDefinitionsVersion({ db }: Transaction): Promise<void> {
  await db
    .insertInto('workspace')
    .values({ name: DEFINITIONS_VERSION, value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<string>`cast(cast(workspace.value as integer) + 1 as text)` }),
    )
    .execute()
}

/** Loads the fields only of collections that aren't known at the same version. */
export async function loadCollections(reader: Reader, known: readonly Collection[] = []): Promise<Collection[]> {
  // Sequential, because a transaction uses a single connection, and because fields must not be older than their version.
  const collections = await reader.selectFrom('collections').selectAll().orderBy('position').orderBy('id').execute()
  const knownById = new Map(known.map((collection) => [collection.id, collection]))
  const knownFields = ({ id, version }: Pick<Collection, 'id' | 'version'>): readonly Field[] | undefined => {
    const collection = knownById.get(id)
    return collection?.version === version ? collection.fields : undefined
  }
  const changed = collections.filter((row) => !knownFields(row)).map(({ id }) => id)
  const fieldsOf = Map.groupBy(await loadFields(reader, changed), (field) => field.collection_id)
  return collections.map((row) => ({
    id: row.id,
    name: row.name,
    label: row.label,
    titleField: row.title_field,
    ...lookOf(row),
    ...(row.rules !== null && { rules: JSON.parse(row.rules) }),
    ...(row.workflow !== null && { workflow: JSON.parse(row.workflow) }),
    ...(row.layout !== null && { layout: JSON.parse(row.layout) }),
    version: row.version,
    fields: knownFields(row) ?? (fieldsOf.get(row.id) ?? []).map(fieldOf),
  }))
}

/** If more collections than this have changed, all fields are loaded. */
const MAX_CHANGED = 100

async function loadFields(reader: Reader, changed: readonly CollectionId[]) {
  if (changed.length === 0) return []
  const all = reader.selectFrom('fields').selectAll().orderBy('position').orderBy('id')
  return (changed.length > MAX_CHANGED ? all : all.where('collection_id', 'in', [...changed])).execute()
}

type LookRow = Pick<SystemTables['collections'], 'icon' | 'color' | 'group_name' | 'description'>

/** Ignores icons and colors that were added in a later version. */
const lookOf = ({ icon, color, group_name, description }: LookRow): CollectionAppearance =>
  changedAppearance(
    {},
    {
      icon: COLLECTION_ICONS.find((known) => known === icon),
      color: OPTION_COLORS.find((known) => known === color),
      group: group_name,
      description,
    },
  )

const lookCells = ({ icon, color, group, description }: CollectionAppearance): LookRow => ({
  icon: icon ?? null,
  color: color ?? null,
  group_name: group ?? null,
  description: description ?? null,
})

type FieldRow = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly kind: string
  readonly required: number
  readonly is_unique: number
  readonly default_value: string
  readonly default_formula: string | null
  readonly options: string
  readonly description: string | null
}

/** Stored fields were already validated, so kind and options match. */
const fieldOf = (row: FieldRow): Field =>
  ({
    id: row.id,
    name: row.name,
    label: row.label,
    ...(row.description !== null && { description: row.description }),
    kind: row.kind,
    required: row.required === 1,
    unique: row.is_unique === 1,
    default: JSON.parse(row.default_value),
    ...(row.default_formula !== null && { defaultFormula: row.default_formula }),
    options: JSON.parse(row.options),
  }) as Field

const rowOf = (collection: CollectionId, field: Field, position: number) => ({
  id: field.id,
  collection_id: collection,
  name: field.name,
  label: field.label,
  description: field.description ?? null,
  kind: field.kind,
  position,
  required: field.required ? 1 : 0,
  is_unique: field.unique ? 1 : 0,
  default_value: JSON.stringify(field.default),
  default_formula: field.defaultFormula ?? null,
  options: JSON.stringify(field.options),
})

const definitionCells = (collection: Collection) => ({
  name: collection.name,
  label: collection.label,
  title_field: collection.titleField,
  ...lookCells(collection),
  rules: collection.rules?.length ? JSON.stringify(collection.rules) : null,
  workflow: collection.workflow ? JSON.stringify(collection.workflow) : null,
  layout: collection.layout ? JSON.stringify(collection.layout) : null,
  version: collection.version,
})

export async function insertCollection({ db }: Transaction, collection: Collection): Promise<void> {
  const last = await db
    .selectFrom('collections')
    .select((each) => each.fn.max('position').as('position'))
    .executeTakeFirst()
  await db
    .insertInto('collections')
    .values({
      id: collection.id,
      position: Number(last?.position ?? -1) + 1,
      ...definitionCells(collection),
    })
    .execute()
  await insertFields(db, collection)
}

export async function replaceDefinition({ db }: Transaction, collection: Collection): Promise<void> {
  await db.updateTable('collections').set(definitionCells(collection)).where('id', '=', collection.id).execute()
  const hidden = await reverseSidesWithoutRelation(db, collection.id)
  const ids = hidden.map(({ id }) => id)
  const replaced = db.deleteFrom('fields').where('collection_id', '=', collection.id)
  await (ids.length === 0 ? replaced : replaced.where('id', 'not in', ids)).execute()
  await yieldNames(db, hidden, collection)
  await insertFields(db, collection)
}

/** They aren't part of the definition that is written, and are kept until their relation is restored. */
async function reverseSidesWithoutRelation(
  db: Transaction['db'],
  collection: CollectionId,
): Promise<readonly Field<'reverse'>[]> {
  const rows = await db.selectFrom('fields').selectAll().where('collection_id', '=', collection).execute()
  const reverseSides = rows.map(fieldOf).filter((field) => field.kind === 'reverse')
  if (reverseSides.length === 0) return []
  const shown = reverseSides.map(({ options }) => options.relation)
  const relations = db.selectFrom('fields').select('id').where('kind', '=', 'relation').where('id', 'in', shown)
  const existing = new Set((await relations.execute()).map(({ id }) => id))
  return reverseSides.filter(({ options }) => !existing.has(options.relation))
}

/** A hidden reverse side gets another name if a field takes its name. */
async function yieldNames(
  db: Transaction['db'],
  hidden: readonly Field<'reverse'>[],
  { fields }: Collection,
): Promise<void> {
  const taken = new Set(fields.map(({ name }) => name))
  for (const { id, name, label } of hidden) {
    const free = taken.has(name) ? nameFromLabel(label, taken) : name
    taken.add(free)
    if (free !== name) await db.updateTable('fields').set({ name: free }).where('id', '=', id).execute()
  }
}

async function insertFields(db: Transaction['db'], collection: Collection): Promise<void> {
  const rows = collection.fields.map((field, position) => rowOf(collection.id, field, position))
  for (let at = 0; at < rows.length; at += 100) {
    await db
      .insertInto('fields')
      .values(rows.slice(at, at + 100))
      .execute()
  }
}

export async function deleteDefinition({ db }: Transaction, id: CollectionId): Promise<void> {
  await db.deleteFrom('fields').where('collection_id', '=', id).execute()
  await db.deleteFrom('collections').where('id', '=', id).execute()
}

export async function storeOrder({ db }: Transaction, ids: readonly CollectionId[]): Promise<void> {
  for (const [position, id] of ids.entries()) {
    await db.updateTable('collections').set({ position }).where('id', '=', id).execute()
  }
}

export async function storeGroups(
  { db }: Transaction,
  groups: readonly (readonly [CollectionId, string | null])[],
): Promise<void> {
  for (const [id, group_name] of groups) {
    await db.updateTable('collections').set({ group_name }).where('id', '=', id).execute()
  }
}

export async function loadPendingImports(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('imports').select('id').where('state', 'in', ['running', 'undoing']).execute()
  return rows.map((row) => row.id)
}

/** Detaches the files of records that were deleted while their field was deleted. */
export async function detachFilesOfMissing(
  { db }: Transaction,
  { collection, field }: { readonly collection: CollectionId; readonly field: FieldId },
  expiresAt: string,
): Promise<void> {
  await db
    .updateTable('assets')
    .set({ record_id: null, expires_at: expiresAt })
    .where('field_id', '=', field)
    .where('record_id', 'is not', null)
    .where('record_id', 'not in', (eb) => eb.selectFrom(`c_${collection}`).select(sql<string>`id`.as('id')))
    .execute()
}

/** Files of a deleted field or collection are detached; their retention starts now. */
export async function detachFiles(
  { db }: Transaction,
  where: { readonly collection: CollectionId; readonly field?: FieldId },
  expiresAt: string,
): Promise<void> {
  const base = db
    .updateTable('assets')
    .set({ record_id: null, expires_at: expiresAt })
    .where('collection_id', '=', where.collection)
  await (where.field === undefined ? base : base.where('field_id', '=', where.field)).execute()
}

/** Assigns the files in the records of one field to another. */
export async function moveFiles(
  { db }: Transaction,
  { collection, from, to }: { readonly collection: CollectionId; readonly from: FieldId; readonly to: FieldId },
): Promise<void> {
  await db
    .updateTable('assets')
    .set({ field_id: to })
    .where('collection_id', '=', collection)
    .where('field_id', '=', from)
    .where('record_id', 'is not', null)
    .execute()
}
