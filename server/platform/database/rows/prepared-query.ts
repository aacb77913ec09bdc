import type { CompiledQuery } from 'kysely'
import type { Reader } from '#server/platform/database/database.ts'

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
