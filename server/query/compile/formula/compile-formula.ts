import { type RawBuilder, sql } from 'kysely'
import { hasSelectOptions } from '#domain/fields/field.ts'
import type { ComputedValue } from '#domain/query/check/checked-filter.ts'
import type {
  Expression,
  ExpressionType,
  FormulaCalendar,
  FormulaSystemField,
  FormulaValue,
} from '#domain/formulas/expression.ts'
import { type FormulaInput, formulaInputs } from '#domain/formulas/formula-inputs.ts'
import { indexedProgram, printProgram } from '#domain/formulas/formula-program.ts'
import { todayIn } from '#domain/formulas/operations/dates.ts'
import { SQLITE_FORMULA_FUNCTION } from '#server/platform/database/sqlite/formula-function.ts'
import { columnOf, type SqlContext, SYSTEM_COLUMNS, textLiteral } from '#server/query/sql/sql-context.ts'
import { POSTGRES_OPERATIONS } from './postgres-operations.ts'

type Sql = RawBuilder<unknown>

/**
 * The value of a formula in a row, empty texts as null. SQLite calls the formula as a function of its inputs, because
 * its own functions are few and calling one function is faster than calling several; PostgreSQL computes an expression.
 */
export function compileFormula(
  computed: ComputedValue,
  { dialect }: Pick<SqlContext, 'dialect'>,
  columnNamed: (name: string) => Sql,
): Sql {
  const { expression, calendar } = computed
  if (dialect === 'sqlite') return callOnSqlite(computed, columnNamed)
  const value = compileExpression(expression, { columnNamed, calendar })
  return expression.type === 'text' ? sql`(nullif(${value}, '') collate "C")` : sql`(${value})`
}

/** The folded text of a formula's value, by which it is sorted and searched. */
export const foldOf = (value: Sql, { dialect }: Pick<SqlContext, 'dialect'>): Sql =>
  dialect === 'postgres' ? sql`(dossier_fold(${value}) collate "C")` : sql`dossier_fold(${value})`

/** The program is part of the statement if an index can contain it. */
function callOnSqlite({ expression, calendar }: ComputedValue, columnNamed: (name: string) => Sql): Sql {
  const inputs = formulaInputs(expression).map((input) => columnNamed(columnOfInput(input)))
  const indexed = indexedProgram(expression, calendar)
  const program = indexed ? textLiteral(indexed.text, 'sqlite') : sql.val(printProgram(expression, calendar))
  return sql`${sql.raw(SQLITE_FORMULA_FUNCTION)}(${sql.join([program, ...inputs])})`
}

/** Constants are part of the statement, as an index of the expression requires. */
function constantLiteral(value: FormulaValue): Sql {
  if (typeof value === 'string') return textLiteral(value, 'postgres')
  return sql.raw(String(value))
}

export const columnOfInput = (input: FormulaInput): string =>
  input.node === 'field' ? columnOf(input.field.id) : SYSTEM_COLUMNS[input.field satisfies FormulaSystemField]

type RowContext = { readonly columnNamed: (name: string) => Sql; readonly calendar: FormulaCalendar }

const POSTGRES_TYPES: { readonly [Type in ExpressionType]: Sql } = {
  number: sql`double precision`,
  text: sql`text`,
  boolean: sql`boolean`,
  date: sql`text`,
  'date-time': sql`text`,
  wall: sql`timestamp`,
}

/** Texts and conditions are never null within a formula. */
function compileExpression(expression: Expression, context: RowContext): Sql {
  switch (expression.node) {
    case 'constant':
      return sql`cast(${constantLiteral(expression.value)} as ${POSTGRES_TYPES[expression.type]})`
    case 'field':
    case 'system':
      return compileInput(expression, context.columnNamed(columnOfInput(expression)))
    case 'clock': {
      const { now, timeZone } = context.calendar
      return sql`cast(${expression.type === 'date' ? todayIn(timeZone, now) : now.toISOString()} as text)`
    }
    case 'call':
      return compileCall(expression, context)
  }
}

function compileInput(input: FormulaInput, value: Sql): Sql {
  if (input.type === 'number') return sql`dossier_number(${value})`
  if (input.type !== 'text') return value
  if (input.node === 'field' && hasSelectOptions(input.field)) {
    const { choices } = input.field.options
    if (choices.length === 0) return sql`''`
    const names = choices.map(
      ({ id, name }) => sql`when ${sql.lit(id)} then cast(${textLiteral(name, 'postgres')} as text)`,
    )
    return sql`coalesce(case ${value} ${sql.join(names, sql` `)} end, '')`
  }
  return sql`coalesce(${value}, '')`
}

function compileCall({ operation, type, args }: Extract<Expression, { node: 'call' }>, context: RowContext): Sql {
  const compiled = args.map((each) => compileExpression(each, context))
  const value = POSTGRES_OPERATIONS[operation](compiled, { nodes: args, timeZone: context.calendar.timeZone })
  if (type === 'text') return sql`coalesce(${value}, '')`
  return type === 'boolean' ? sql`coalesce(${value}, false)` : sql`(${value})`
}
