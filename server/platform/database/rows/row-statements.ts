import { CompiledQuery } from 'kysely'
import type { CellValue, Dialect, Reader } from '#server/platform/database/database.ts'

/**
 * Statements that write single rows, built as text, because the query builder takes longer than the statement itself.
 * Table and column names must be generated, never user input.
 */

type Row = { readonly [column: string]: CellValue }

const placeIn = (dialect: Dialect, at: number): string => (dialect === 'sqlite' ? '?' : `$${at + 1}`)

/** `rest`: the end of the statement, for example a `returning` clause. All rows have the columns of the first one. */
export function insertStatement<Answer>(
  dialect: Dialect,
  table: string,
  rows: readonly Row[],
  rest = '',
): CompiledQuery<Answer> {
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.flatMap((row) => columns.map((column) => row[column] ?? null))
  const tuples = rows.map(
    (_, row) => `(${columns.map((__, at) => placeIn(dialect, row * columns.length + at)).join(', ')})`,
  )
  const names = columns.map((column) => `"${column}"`).join(', ')
  return CompiledQuery.raw(`insert into "${table}" (${names}) values ${tuples.join(', ')} ${rest}`, cells)
}

/** Deletes the rows that have one of these values in a column. */
export function deleteStatement(
  dialect: Dialect,
  table: string,
  column: string,
  values: readonly CellValue[],
): CompiledQuery {
  const places = values.map((_, at) => placeIn(dialect, at)).join(', ')
  return CompiledQuery.raw(`delete from "${table}" where "${column}" in (${places})`, [...values])
}

/** Updates the row with this ID. */
export function updateStatement(dialect: Dialect, table: string, row: Row, id: string): CompiledQuery {
  const columns = Object.keys(row)
  const changes = columns.map((column, at) => `"${column}" = ${placeIn(dialect, at)}`).join(', ')
  const statement = `update "${table}" set ${changes} where "id" = ${placeIn(dialect, columns.length)}`
  return CompiledQuery.raw(statement, [...Object.values(row), id])
}

type QueryTarget = { readonly db: Reader }

/** Placeholder for the key; no other parameter has this value. */
const KEY = '\u0000key'

type Build<Row, At, About> = (place: At, about: About, key: string) => CompiledQuery<Row>

/**
 * Builds queries by key. The statement is built only once per `about` object, because building it takes as long as
 * running it.
 */
export function preparedStatement<Row, At, About extends object>(build: Build<Row, At, About>): Build<Row, At, About> {
  const known = new WeakMap<About, CompiledQuery<Row>>()
  return (place, about, key) => {
    const built = known.get(about) ?? build(place, about, KEY)
    known.set(about, built)
    return { ...built, parameters: built.parameters.map((parameter) => (parameter === KEY ? key : parameter)) }
  }
}

/** Builds and runs queries by key. */
export function preparedQuery<Row, At extends QueryTarget, About extends object>(
  build: Build<Row, At, About>,
): (place: At, about: About, key: string) => Promise<readonly Row[]> {
  const statementOf = preparedStatement(build)
  return async (place, about, key) => (await place.db.executeQuery(statementOf(place, about, key))).rows
}
