import { CompiledQuery } from 'kysely'
import type { Reader } from '#server/platform/database/database.ts'

type QueryTarget = { readonly db: Reader }

/** Placeholder for the key; no other parameter has this value. */
const KEY = '\u0000key'

/**
 * Runs queries by key. The statement is built only once per `about` object, because building it takes as long as
 * running it.
 */
export function preparedQuery<Row, At extends QueryTarget, About extends object>(
  build: (place: At, about: About, key: string) => CompiledQuery<Row>,
): (place: At, about: About, key: string) => Promise<readonly Row[]> {
  const known = new WeakMap<About, CompiledQuery<Row>>()
  return async (place, about, key) => {
    const built = known.get(about) ?? build(place, about, KEY)
    known.set(about, built)
    const parameters = built.parameters.map((parameter) => (parameter === KEY ? key : parameter))
    const { rows } = await place.db.executeQuery(CompiledQuery.raw(built.sql, parameters))
    return rows as Row[]
  }
}
