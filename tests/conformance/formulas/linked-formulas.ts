import fc from 'fast-check'
import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FormulaResult, linkedCollection } from '#domain/fields/field.ts'
import { evaluateExpression } from '#domain/formulas/evaluate-formula.ts'
import type { Expression, FormulaValue } from '#domain/formulas/expression.ts'
import { checkFormulaField, expressionOf } from '#domain/formulas/formula-fields.ts'
import { SUMMARY_FUNCTIONS } from '#domain/formulas/functions/summary-functions.ts'
import { linkedValuesOf } from '#domain/formulas/value-field.ts'
import { evaluateRollup } from '#domain/rollups/evaluate-rollup.ts'
import { formulaContext } from '#domain/rollups/linked-values.ts'
import { type RollupPlan, rollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'
import { compileFormula } from '#server/query/compile/formula/compile-formula.ts'
import { compileRollup } from '#server/query/compile/compile-rollup.ts'
import { column, columnOf, rowAt, rowsOf } from '#server/query/sql/sql-context.ts'
import { fillLibrary } from '#tests/conformance/query/executors.ts'
import { lookupIn, stock } from '#tests/conformance/query/data/generated-values.ts'
import { books, id, library } from '#tests/conformance/query/data/library-schema.ts'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { type FormulaExecutor, PER_STATEMENT, valueOf } from './formula-executors.ts'
import { type Formulas, formulasOver } from './generated-formulas.ts'
import type { FormulaSource } from './random-formulas.ts'

/** A formula of books, and how its values of linked records are computed. */
export type LinkedFormula = { readonly expression: Expression; readonly plans: readonly RollupPlan[] }

/** Stored values of linked records are calculated in one time zone. */
const TIME_ZONE = 'UTC'

const collectionOf = (wanted: string): Collection | undefined => library.find((each) => each.id === wanted)

const author = { collection: books, collectionOf, timeZone: TIME_ZONE, reads: () => true }

const shared = { id: id('y', 1), name: 'drawn', label: 'drawn' }

function checkText(text: string) {
  let count = 0
  const newId = (): string => id('x', (count += 1))
  const context = formulaContext({ ...author, newId }, { siblings: books.fields, isVisible: () => true })
  return checkFormulaField(text, shared, context)
}

function check(text: string): LinkedFormula {
  const checked = checkText(text)
  if (!checked.ok) throw new Error(`${text}: ${checked.fault.message}`)
  const options = checked.value
  const field: Field<'formula'> = { ...shared, kind: 'formula', required: false, unique: false, default: null, options }
  const plans = linkedValuesOf(field).flatMap((value) => {
    const plan = rollupPlan(value, author)
    return plan.ok ? [plan.value] : []
  })
  return { expression: expressionOf({ fields: [field, ...books.fields] }, field), plans }
}

/** Paths of up to three steps to every field. */
function pathsFrom({ fields }: Collection, depth = 3): readonly string[] {
  return fields.flatMap((field) => {
    const into = linkedCollection(field)
    const target = into === undefined || depth === 0 ? undefined : collectionOf(into)
    return [field.name, ...(target ? pathsFrom(target, depth - 1).map((rest) => `${field.name}.${rest}`) : [])]
  })
}

const PATHS = pathsFrom(books).filter((path) => path.includes('.') || ['author', 'writers', 'fans'].includes(path))

/** Every valid reference to linked records, by the type of its value. */
const REFERENCES: { readonly [Result in FormulaResult]: string[] } = {
  number: [],
  text: [],
  checkbox: [],
  date: [],
  'date-time': [],
}
for (const path of PATHS)
  for (const text of [path, ...[...SUMMARY_FUNCTIONS.keys()].map((name) => `${name}(${path})`)]) {
    const checked = checkText(text)
    if (checked.ok) REFERENCES[checked.value.result].push(text)
  }

const references = (result: FormulaResult, ...own: readonly string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...REFERENCES[result]) }, fc.constantFrom(...own))

const LEAVES: Formulas = {
  number: references('number', 'price', 'margin', '2', '-0.5'),
  text: references('text', 'title', 'genre', '"a"'),
  boolean: references('checkbox', 'sold', 'true'),
  date: references('date', 'dueOn', 'today()'),
  'date-time': references('date-time', 'readAt', 'now()'),
}

const records = stock.get(books.id) ?? []

const inMemory: FormulaExecutor<LinkedFormula> = {
  values: (formulas, calendar) => {
    const lookup = lookupIn(stock)
    const valuesOf = ({ expression, plans }: LinkedFormula): FormulaValue[] =>
      records.map((record) => {
        const linked = plans.map((plan) => [plan.field.id, evaluateRollup(plan, record, lookup, TIME_ZONE)])
        const values = { ...record.values, ...Object.fromEntries(linked) }
        const value = evaluateExpression(expression, { ...record, values }, calendar)
        return value === '' ? null : value
      })
    return Promise.resolve(formulas.map(valuesOf))
  },
  close: () => Promise.resolve(),
}

export const LINKED_FORMULAS: FormulaSource<LinkedFormula> = { drawn: formulasOver(LEAVES), check, memory: inMemory }

/** Computes the values of linked records where the formula would read their columns. */
export async function linkedFormulasInDatabase(dialect: Dialect): Promise<FormulaExecutor<LinkedFormula>> {
  const { database, close } = await openTestDatabase({ dialect })
  await database.write((transaction) => fillLibrary(transaction, stock, []))
  const context = { dialect, pendingImports: [], level: 0 }
  const values: FormulaExecutor<LinkedFormula>['values'] = async (formulas, calendar) => {
    const all: FormulaValue[][] = []
    for (let from = 0; from < formulas.length; from += PER_STATEMENT) {
      const some = formulas.slice(from, from + PER_STATEMENT)
      const columns = some.map(({ expression, plans }, place) => {
        const linked = new Map(plans.map((plan) => [columnOf(plan.field.id), compileRollup(plan, context, TIME_ZONE)]))
        const value = compileFormula(
          { expression, calendar },
          context,
          (name) => linked.get(name) ?? column(rowAt(0), name),
        )
        return sql`${value} as ${sql.id(`v${place}`)}`
      })
      const statement = sql<
        Record<string, CellValue>
      >`select ${column(rowAt(0), 'id')} as id, ${sql.join(columns)} from ${rowsOf(books.id, 0)}`
      const { rows } = await statement.execute(database.read)
      const rowOf = new Map(rows.map((row) => [row['id'], row]))
      for (const [place, { expression }] of some.entries())
        all.push(records.map((record) => valueOf(rowOf.get(record.id)?.[`v${place}`] ?? null, expression.type)))
    }
    return all
  }
  return { values, close }
}
