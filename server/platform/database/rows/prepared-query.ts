import { CompiledQuery } from 'kysely'
import type { Reader } from '#server/platform/database/database.ts'

/** Where a statement is run, and whatever its words depend on there. */
type QueryTarget = { readonly db: Reader }

/** Stands for the key while a statement is built; no parameter of ours is written like this. */
const KEY = '\u0000key'

/**
 * Asks for one key with a statement that is built once for each thing it is about, and then only given another key: to
 * build and print a statement costs as much as to run it.
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
    // The statement is the one that was built, so its rows are, too.
    return rows as Row[]
  }
}
