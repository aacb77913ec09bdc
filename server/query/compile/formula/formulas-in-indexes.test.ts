import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkFormula } from '#domain/formulas/check-formula.ts'
import { formulaScope } from '#domain/formulas/formula-fields.ts'
import { casePairs, foldFormulaText, lower, upper } from '#domain/formulas/operations/texts.ts'
import { fail } from '#domain/shared/result.ts'
import { insertRows } from '#server/platform/database/rows/insert-rows.ts'
import { columnOf, tableOf } from '#server/query/sql/sql-context.ts'
import { createTables } from '#server/schema/collections/tables-store.ts'
import { books, id } from '#tests/conformance/query/data/library-schema.ts'
import { type OpenTestDatabase, openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import { compileFormula, foldOf } from './compile-formula.ts'

const dialect = testDialect()
const calendar = { now: new Date(0), timeZone: 'Europe/Vienna' }
const AT = '2026-01-01T00:00:00.000Z'

/** Formulas whose functions call other functions. */
const FORMULAS = [
  'odd(price) + sqrt(price) + exp(price) + ln(price) + log(price, 2) + power(price, 3) + power(price, 0.5)',
  'find("a", title) + search("b", title) + value(title) + round(price, 1)',
  'substitute(title, "a", "b", 2) & replace(title, 1, 2, "x") & rept(title, 2) & split_part(title, "t", 1)',
  'pad_start(title, 9, "x") & pad_end(title, 9, "y") & upper(title) & encode_url_component(title)',
  'title < "m" || title <= "n" || title $= "e" || title ~ "t"',
  'workday(dueOn, 3)',
  'workday_diff(dueOn, date(2026, 1, 1))',
  'datestr(datetime_parse(title, "YYYY-MM-DD"))',
  'to_date(title)',
]

let opened: OpenTestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
  const cells: Readonly<Record<string, unknown>> = { title: '2026-03-31', price: 2.5, dueOn: '2026-03-31' }
  const fields = books.fields.filter(({ name }) => name in cells)
  await opened.database.write(async (transaction) => {
    await createTables(transaction, books)
    await insertRows(transaction, {
      table: tableOf(books.id),
      columns: [
        'id',
        'version',
        'created_at',
        'updated_at',
        'created_by',
        ...fields.map((field) => columnOf(field.id)),
      ],
      rows: [[id('b', 1), 1, AT, AT, null, ...fields.map(({ name }) => cells[name] as string)]],
    })
  })
})
afterAll(() => opened.close())

function compiled(formula: string, columnNamed: (name: string) => RawBuilder<unknown>) {
  const checked = checkFormula(
    formula,
    formulaScope(books, () => fail('')),
  )
  if (!checked.ok) throw new Error(checked.fault.message)
  return compileFormula({ expression: checked.value, calendar }, { dialect }, columnNamed)
}

test('the case of every character changes as in memory', async () => {
  const characters = [...casePairs('upper').from, ...casePairs('lower').from, 'é', 'ß', 'ﬁ', '\u0301', '語', '😀']
  const texts = characters.flatMap((one) => [`a${one}Z`, `${one}\u0345`, `é${one}Ω`])
  const json = JSON.stringify(texts)
  const rows =
    dialect === 'postgres'
      ? sql`jsonb_array_elements_text(${json}::jsonb) with ordinality as texts(title, place)`
      : sql`(select value as title, key as place from json_each(${json})) as texts`
  const title = () => sql.id('title')
  const found = await sql<{ readonly [name: string]: string }>`
    select ${compiled('upper(title)', title)} as upper, ${compiled('lower(title)', title)} as lower,
      ${foldOf(title(), { dialect })} as folded
    from ${rows} order by place`.execute(opened.database.read)
  expect(found.rows).toEqual(
    texts.map((text) => ({ upper: upper(text), lower: lower(text), folded: foldFormulaText(text) })),
  )
})

test.each(FORMULAS)('an index can contain %s', async (formula) => {
  const value = compiled(formula, (name) => sql.id(name))
  const table = sql.table(tableOf(books.id))
  await opened.database.write(async ({ db }) => {
    const before = await sql`select ${value} as value from ${table}`.execute(db)
    await sql`create index tried on ${table} (${value})`.execute(db)
    await sql`analyze ${table}`.execute(db)
    await sql`update ${table} set version = version + 1`.execute(db)
    expect((await sql`select ${value} as value from ${table}`.execute(db)).rows).toEqual(before.rows)
    await sql`drop index tried`.execute(db)
  })
})
