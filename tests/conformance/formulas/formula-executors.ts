import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import { checkFormula } from '#domain/formulas/check-formula.ts'
import { evaluateExpression } from '#domain/formulas/evaluate-formula.ts'
import type { Expression, FormulaCalendar, FormulaValue } from '#domain/formulas/expression.ts'
import { formulaScope } from '#domain/formulas/formula-fields.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { fail } from '#domain/shared/result.ts'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'
import { compileFormula } from '#server/query/compile/formula/compile-formula.ts'
import { column, rowAt, rowsOf } from '#server/query/sql/sql-context.ts'
import { insertRecord } from '#server/records/crud/store.ts'
import { createTables } from '#server/schema/collections/tables-store.ts'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { DAYS, INSTANTS, NUMBERS, TEXTS } from '#tests/conformance/query/data/generated-values.ts'
import { id } from '#tests/conformance/query/data/library-schema.ts'

function field<Kind extends FieldKind>(place: number, name: string, kind: Kind, options: OptionsOf[Kind]): Field {
  const shared = { id: id('f', place), name, label: name, kind, required: false, unique: false, default: null, options }
  // TypeScript can't narrow the union of fields by `kind`; the options are checked by the parameter type.
  return shared as unknown as Field
}

const STAGES = ['open', 'Done', 'ÄÖÜ "x"'].map((name, at) => ({ id: id('s', at + 1), name, color: 'green' as const }))

/** A collection with a field of each kind that formulas can read. */
const things: Collection = {
  id: id('k', 9),
  name: 'things',
  label: 'Things',
  version: 1,
  titleField: null,
  fields: [
    field(1, 'title', 'text', {}),
    field(2, 'note', 'long-text', {}),
    field(3, 'price', 'number', {}),
    field(4, 'count', 'number', {}),
    field(5, 'paid', 'checkbox', {}),
    field(6, 'due', 'date', {}),
    field(7, 'start', 'date', {}),
    field(8, 'sent', 'date-time', {}),
    field(9, 'stage', 'select', { choices: STAGES }),
  ],
}

const at = <Value>(list: readonly Value[], place: number): Value | null =>
  place % 5 === 4 ? null : (list[place % list.length] ?? null)

/** Values that databases treat differently, combined; every fifth value is empty. */
const valuesAt = (place: number): RecordValues => ({
  [id('f', 1)]: at(TEXTS.slice(0, 30), place * 7) || null,
  [id('f', 2)]: at(TEXTS, place * 3) || null,
  [id('f', 3)]: at(NUMBERS, place),
  [id('f', 4)]: at([1, 2, 3, -1, 0.5, 7], place + 1),
  [id('f', 5)]: place % 2 === 0,
  [id('f', 6)]: at(DAYS, place),
  [id('f', 7)]: at(DAYS, place * 3 + 1),
  [id('f', 8)]: at(INSTANTS, place * 3),
  [id('f', 9)]: place % 7 === 0 ? id('s', 99) : (at(STAGES, place)?.id ?? null),
})

const RECORDS = 24

const records: readonly CollectionRecord[] = Array.from({ length: RECORDS }, (_, place) => ({
  id: id('b', place + 1),
  collection: things.id,
  version: 1,
  createdAt: INSTANTS[place % INSTANTS.length] ?? '',
  createdBy: null,
  updatedAt: INSTANTS[place % INSTANTS.length] ?? '',
  updatedBy: null,
  values: valuesAt(place),
}))

export function expressionOfText(formula: string): Expression {
  const checked = checkFormula(
    formula,
    formulaScope(things, () => fail('')),
  )
  if (!checked.ok) throw new Error(`${formula}: ${checked.fault.message}`)
  return checked.value
}

/** The values of formulas for every record: one list for each formula. */
export type FormulaExecutor<Formula = Expression> = {
  readonly values: (formulas: readonly Formula[], calendar: FormulaCalendar) => Promise<readonly FormulaValue[][]>
  readonly close: () => Promise<void>
}

export const formulasInMemory: FormulaExecutor = {
  values: (formulas, calendar) =>
    Promise.resolve(
      formulas.map((formula) =>
        records.map((record) => {
          const value = evaluateExpression(formula, record, calendar)
          return value === '' ? null : value
        }),
      ),
    ),
  close: () => Promise.resolve(),
}

/** PostgreSQL returns at most 1,664 columns. */
export const PER_STATEMENT = 40

export async function formulasInDatabase(dialect: Dialect): Promise<FormulaExecutor> {
  const { database, close } = await openTestDatabase({ dialect })
  await database.write(async (transaction) => {
    await createTables(transaction, things)
    for (const { id: record, values, createdAt } of records)
      insertRecord(transaction, things, { id: record, values, at: createdAt, userId: null })
  })
  const values: FormulaExecutor['values'] = async (formulas, calendar) => {
    const all: FormulaValue[][] = []
    for (let from = 0; from < formulas.length; from += PER_STATEMENT) {
      const some = formulas.slice(from, from + PER_STATEMENT)
      const columns = some.map((expression, place) => {
        const value = compileFormula({ expression, calendar }, { dialect }, (name) => column(rowAt(0), name))
        return sql`${value} as ${sql.id(`v${place}`)}`
      })
      const statement = sql<
        Record<string, CellValue>
      >`select ${sql.join(columns)} from ${rowsOf(things.id, 0)} order by id`
      const { rows } = await statement.execute(database.read)
      for (const [place, { type }] of some.entries())
        all.push(rows.map((row) => valueOf(row[`v${place}`] ?? null, type)))
    }
    return all
  }
  return { values, close }
}

export function valueOf(cell: CellValue, type: Expression['type']): FormulaValue {
  if (cell === null) return null
  if (type === 'boolean') return cell === true || cell === 1
  return type === 'number' ? Number(cell) : String(cell)
}
