import { type RawBuilder, sql } from 'kysely'
import { hasSelectOptions, type RollupFunction } from '#domain/fields/field.ts'
import type { Expression, FormulaCalendar } from '#domain/formulas/expression.ts'
import { isSingle, type RollupPlan } from '#domain/rollups/rollup-plan.ts'
import { SEPARATOR } from '#domain/rollups/summarize.ts'
import { allOf, column, columnOf, entryAt, rowAt, type SqlContext } from '#server/query/sql/sql-context.ts'
import { compileNode, fromRelation, pathConditions } from './compile-filter.ts'
import { compileFormula } from './formula/compile-formula.ts'

type Sql = RawBuilder<unknown>

/** The value of a lookup, count or rollup in a row; empty values are null. `timeZone` is that of the workspace. */
export function compileRollup({ field, steps, source, where }: RollupPlan, place: SqlContext, timeZone: string): Sql {
  const places = [0, ...steps.keys()].map((_, at): SqlContext => ({ ...place, level: place.level + at }))
  const end: SqlContext = { ...place, level: place.level + steps.length }
  const at = (step: number): SqlContext => places[step] ?? place
  const tables = steps.map((step, number) => fromRelation(step, at(number)))
  const conditions = steps.flatMap((step, number) => pathConditions(step, at(number)))
  const keys = steps.flatMap(({ relation, isReverse }, number): Sql[] => {
    const { level } = at(number + 1)
    if (isReverse) return [column(rowAt(level), 'id')]
    return relation.options.many ? [column(entryAt(level), 'position')] : []
  })
  const calendar: FormulaCalendar = { now: new Date(0), timeZone }
  const values = source && { value: compileSource(source, end, calendar), type: source.type, keys }
  const summary = compileSummary({ name: field.options.function, isOne: isSingle(steps) }, values, place)
  // In SQLite, a cross join keeps the order of the tables, which is that of the path.
  const result = sql`(select ${summary} from ${sql.join(tables, sql` cross join `)}
    where ${allOf([...conditions, compileNode(where, end)])})`
  // Conditions are never empty.
  return field.options.result === 'checkbox' ? sql`coalesce(${result}, ${NO[place.dialect]})` : result
}

const NO = { sqlite: sql`0`, postgres: sql`false` } as const

const COUNT = {
  sqlite: sql`cast(count(*) as real)`,
  postgres: sql`cast(count(*) as double precision)`,
} as const

function compileSource(source: Expression, place: SqlContext, calendar: FormulaCalendar): Sql {
  const isPlain = source.node === 'field' && !hasSelectOptions(source.field)
  if (!isPlain)
    return compileFormula({ expression: source, calendar }, place, (name) => column(rowAt(place.level), name))
  const value = column(rowAt(place.level), columnOf(source.field.id))
  return source.type === 'number' && place.dialect === 'postgres' ? sql`dossier_number(${value})` : value
}

type Values = { readonly value: Sql; readonly type: Expression['type']; readonly keys: readonly Sql[] }

type Summary = { readonly name: RollupFunction; readonly isOne: boolean }

/** SQLite passes the values to the function that summarizes them in memory; PostgreSQL has the same aggregates. */
function compileSummary({ name, isOne }: Summary, values: Values | null, { dialect }: SqlContext): Sql {
  if (values === null) return COUNT[dialect]
  // Only numbers are rounded, by that function.
  if (name === 'first' && isOne && (dialect === 'postgres' || values.type !== 'number')) return values.value
  return dialect === 'sqlite'
    ? sql`dossier_rollup(${sql.lit(name)}, json_group_array(${values.value}${orderBy(values.keys)}))`
    : summaryOnPostgres(name, values)
}

const orderBy = (keys: readonly Sql[], isDescending = false): Sql =>
  keys.length === 0 ? sql`` : sql` order by ${sql.join(isDescending ? keys.map((key) => sql`${key} desc`) : keys)}`

function summaryOnPostgres(name: RollupFunction, { value, type, keys }: Values): Sql {
  const sum = sql`dossier_number(cast(sum(cast(${value} as numeric)) as double precision))`
  switch (name) {
    case 'count':
      return sql`cast(count(${value}) as double precision)`
    case 'countDistinct':
      return sql`cast(count(distinct ${value}) as double precision)`
    case 'sum':
      return sql`case when count(${value}) = 0 then 0 else ${sum} end`
    case 'avg':
      return sql`dossier_number(${sum} / nullif(count(${value}), 0))`
    case 'min':
    case 'max':
      return sql`${sql.raw(name)}(${type === 'number' ? value : sql`${value} collate "C"`})`
    case 'first':
    case 'last':
      return sql`(array_agg(${value}${orderBy(keys, name === 'last')}) filter (where ${value} is not null))[1]`
    case 'join':
      return sql`nullif(dossier_text(string_agg(${value}, ${sql.lit(SEPARATOR)}${orderBy(keys)})), '')`
    case 'any':
      return sql`coalesce(bool_or(${value}), false)`
    case 'all':
      return sql`coalesce(bool_and(${value}), false)`
  }
}
