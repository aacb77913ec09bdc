import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { insertPackedRows, insertRows } from './insert-rows.ts'
import { rowPacker } from './packed-batch.ts'
import { createDictionaryBuilder } from './dictionary-lists.ts'

let opened: OpenTestDatabase
const table = `c_${'5'.repeat(26)}` as const
const list = `l_${'6'.repeat(26)}` as const
const columns = ['id', 'word', 'amount', 'is_done']

beforeAll(async () => {
  opened = await openTestDatabase()
  const [number, truth] = opened.database.dialect === 'sqlite' ? ['real', 'integer'] : ['double precision', 'boolean']
  await opened.database.write(({ db }) =>
    sql
      .raw(
        `create table ${table} (id text primary key, word text, amount ${number}, is_done ${truth} not null, row_number bigint)`,
      )
      .execute(db),
  )
  await opened.database.write(({ db }) =>
    sql.raw(`create table ${list} (record_id text not null, position integer not null, value text)`).execute(db),
  )
})
afterAll(() => opened.close())

const store = (rows: readonly (readonly CellValue[])[]) =>
  opened.database.write((transaction) => insertRows(transaction, { table, columns, rows }))

const stored = async (id: string) => {
  const { rows } = await sql<{ word: string; amount: number; is_done: unknown }>`
    select word, amount, is_done from ${sql.table(table)} where id = ${id}`.execute(opened.database.read)
  return rows.map(({ word, amount, is_done: isDone }) => [word, amount, Number(isDone)])
}

describe('inserting many rows', () => {
  test('keeps every cell value', async () => {
    const words = [
      'plain',
      '',
      'it\'s "quoted", {braced} and \\escaped\\',
      'ä–😀\u0301',
      'line\nbreak\ttab',
      'NULL',
      null,
    ]
    await store(words.map((word, at) => [`word ${at}`, word, at / 3, at % 2 === 0]))
    const found = await Promise.all(words.map((_, at) => stored(`word ${at}`)))
    expect(found).toEqual(words.map((word, at) => [[word, at / 3, at % 2 === 0 ? 1 : 0]]))
  })

  test('keeps the exact value of numbers', async () => {
    const numbers = [0, -1, 0.1, 123456789012345, 5e-324, 1.7976931348623157e308, null]
    await store(numbers.map((amount, at) => [`number ${at}`, null, amount, false]))
    const found = await Promise.all(numbers.map((_, at) => stored(`number ${at}`)))
    expect(found).toEqual(numbers.map((amount) => [[null, amount, 0]]))
  })

  test('sets constant values in every row', async () => {
    const constants = { word: "it's", amount: 0.5 }
    const rows = ['one', 'two'].map((id) => [id, true])
    await opened.database.write((transaction) =>
      insertRows(transaction, { table, columns: ['id', 'is_done'], rows, constants }),
    )
    expect(await Promise.all(['one', 'two'].map(stored))).toEqual([[["it's", 0.5, 1]], [["it's", 0.5, 1]]])
  })

  test('accepts rows packed by another thread, except excluded ones', async () => {
    const packer = rowPacker()
    const words = ['first', null, "it's", 'ä–😀']
    for (const [at, word] of words.entries()) packer.add([word, at / 3])
    await opened.database.write((transaction) =>
      insertPackedRows(transaction, {
        table,
        packed: packer.bytes(),
        packedColumns: ['word', 'amount'],
        count: words.length,
        leftOut: new Set([1]),
        columns: [
          { name: 'id', cells: words.map((_, at) => `packed ${at}`) },
          { name: 'is_done', cells: words.map(() => true) },
        ],
        lists: [],
        owners: [],
      }),
    )
    const found = await Promise.all(words.map((_, at) => stored(`packed ${at}`)))
    expect(found).toEqual(words.map((word, at) => (at === 1 ? [] : [[word, at / 3, 1]])))
  })

  test('keeps all digits of 64-bit row numbers', async () => {
    const numbers = [2n ** 60n + 1n, 2n ** 63n - 1n]
    const packer = rowPacker()
    for (const _ of numbers) packer.add([opened.database.dialect === 'postgres' ? true : 1])
    const ids = numbers.map((number) => `numbered ${number}`)
    await opened.database.write((transaction) =>
      insertPackedRows(transaction, {
        table,
        packed: packer.bytes(),
        packedColumns: ['is_done'],
        count: numbers.length,
        leftOut: new Set(),
        columns: [
          { name: 'id', cells: ids },
          { name: 'row_number', cells: BigInt64Array.from(numbers) },
        ],
        lists: [],
        owners: ids,
      }),
    )
    const { rows } = await sql`select cast(row_number as text) as number from ${sql.table(table)}
      where row_number is not null order by row_number`.execute(opened.database.read)
    expect(rows).toEqual(numbers.map((number) => ({ number: String(number) })))
  })

  test('stores dictionary lists in a column or in a list table', async () => {
    const rows = [['first', 'second'], [], ['second']]
    const [packer, picked] = [rowPacker(), createDictionaryBuilder()]
    for (const row of rows) {
      packer.add([row.length, opened.database.dialect === 'postgres' ? true : 1])
      picked.add(row)
    }
    const ids = rows.map((_, at) => `picking ${at}`)
    const picks = picked.picks()
    await opened.database.write((transaction) =>
      insertPackedRows(transaction, {
        table,
        packed: packer.bytes(),
        packedColumns: ['amount', 'is_done'],
        count: rows.length,
        leftOut: new Set([2]),
        columns: [
          { name: 'id', cells: ids },
          { name: 'word', cells: picks },
        ],
        lists: [{ table: list, picks }],
        owners: ids,
      }),
    )
    expect(await Promise.all(ids.map(stored))).toEqual([[['first', 2, 1]], [[null, 0, 1]], []])
    const entries = await sql`select record_id, position, value from ${sql.table(list)} order by position`.execute(
      opened.database.read,
    )
    expect(entries.rows).toEqual([
      { record_id: 'picking 0', position: 0, value: 'first' },
      { record_id: 'picking 0', position: 1, value: 'second' },
    ])
  })

  test('is atomic', async () => {
    await expect(
      store([
        ['fresh', null, 1, false],
        ['word 0', 'again', 1, false],
      ]),
    ).rejects.toThrow(/unique/i)
    expect(await stored('fresh')).toEqual([])
  })

  test('without any rows does nothing', async () => {
    await expect(store([])).resolves.toBeUndefined()
  })
})
