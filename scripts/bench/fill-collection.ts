import { randomBytes } from 'node:crypto'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { idMaker } from '#domain/shared/ids.ts'
import { loadCollections } from '#server/collections/store.ts'
import type { CollectionRow, Database } from '#server/database/database.ts'
import { insertRows } from '#server/database/insert-rows.ts'
import { SYSTEM_COLUMNS, tableOf } from '#server/query/column-of.ts'
import { keyCells } from '#server/records/key-cells.ts'
import { rowOfValues } from '#server/records/values-and-row.ts'
import { prepareUser, storeUser } from '#server/users/create-user.ts'
import { type Expected, PEOPLE_COUNT, recordMaker } from './made-records.ts'

/** What is in the database after filling it. */
export type Filled = {
  readonly expected: Expected
  /** Ids of some records, spread over all. */
  readonly someRecords: readonly string[]
  readonly recordsPerSecond: number
}

const RECORDS_A_WRITE = 10_000
const SOME_RECORDS = 2000

const newId = idMaker(() => Date.now(), randomBytes)

/** Stores records at once, as an import does: no change log, no events. */
async function storeRecords(database: Database, collection: Collection, made: readonly RecordValues[]) {
  const at = new Date().toISOString()
  const rows = made.map((values): CollectionRow => ({
    ...keyCells(newId(), database.dialect),
    version: 1,
    created_at: at,
    created_by: null,
    updated_at: at,
    updated_by: null,
    import_id: null,
    ...rowOfValues(collection, values, database.dialect),
  }))
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => Object.values(row))
  await database.write((transaction) =>
    insertRows(transaction, { table: tableOf(collection.id), columns, rows: cells }),
  )
  return rows.map((row) => String(row[SYSTEM_COLUMNS.id]))
}

function collectionNamed(collections: readonly Collection[], name: string): Collection {
  const found = collections.find((each) => each.name === name)
  if (!found) throw new Error(`The collection ${name} is missing.`)
  return found
}

function fieldIn(collection: Collection, name: string) {
  const field = fieldByName(collection, name)
  if (!field) throw new Error(`The field ${name} is missing.`)
  return field
}

async function fillPeople(database: Database, people: Collection): Promise<string[]> {
  const name = fieldIn(people, 'name').id
  const made = Array.from({ length: PEOPLE_COUNT }, (_, at) => ({ [name]: `Person ${at + 1}` }))
  return storeRecords(database, people, made)
}

/** Fills `items` with so many records and `people` with those they belong to. The server must not be running. */
export async function fillCollection(database: Database, count: number): Promise<Filled> {
  const collections = await loadCollections(database.read)
  const items = collectionNamed(collections, 'items')
  const people = await fillPeople(database, collectionNamed(collections, 'people'))
  const status = fieldIn(items, 'status')
  const choices = status.kind === 'select' ? status.options.choices : []
  const maker = recordMaker({
    people,
    fieldOf: (name) => fieldIn(items, name).id,
    choiceOf: (name) => choices.find((choice) => choice.name === name)?.id ?? '',
  })

  const someRecords: string[] = []
  const keptEvery = Math.max(1, Math.floor(count / SOME_RECORDS))
  const startedAt = performance.now()
  for (let stored = 0; stored < count; stored += RECORDS_A_WRITE) {
    const made = Array.from({ length: Math.min(RECORDS_A_WRITE, count - stored) }, maker.make)
    const ids = await storeRecords(database, items, made)
    someRecords.push(...ids.filter((_, at) => (stored + at) % keptEvery === 0))
  }
  const seconds = (performance.now() - startedAt) / 1000
  return { expected: maker.expected, someRecords, recordsPerSecond: count / seconds }
}

/** Makes users that can sign in; each is one of many, since a single one is slowed down when many sign in at once. */
export async function makeUsers(database: Database, emails: readonly string[], password: string): Promise<void> {
  const needs = { clock: () => new Date(), newId }
  for (const email of emails) {
    const prepared = await prepareUser(needs, { email, name: 'Somebody', password, role: 'viewer' })
    await database.write((transaction) => storeUser(transaction, prepared))
  }
}
