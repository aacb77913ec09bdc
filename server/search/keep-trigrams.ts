import { isSearchedText } from '#domain/query/search.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import { noteSearchParts } from '#server/collections/note-search-parts.ts'
import type { SearchNeeds } from './search-needs.ts'
import {
  brokenTrigramIndexes,
  createTrigrams,
  dropTrigramIndex,
  hasTrigrams,
  trigramIndexBeside,
} from './trigrams-store.ts'

/** Sees to it that PostgreSQL has an index of trigrams for every searched text, where it may have one at all. */
export async function keepTrigrams(needs: SearchNeeds, signal: AbortSignal): Promise<void> {
  const { database, definitions } = needs
  if (!(await hasTrigrams(database.read)) && !(await mayCreate(needs))) return
  if (missingIn(await definitions.current()).length === 0) return
  await database.maintain({
    name: 'search indexes',
    signal,
    work: async (run) => {
      for (const name of await brokenTrigramIndexes(database.read)) await run(dropTrigramIndex(name))
      for (const { collection, field } of missingIn(await definitions.current())) {
        await run(trigramIndexBeside(collection, field))
      }
    },
  })
  await database.write(async (transaction) => {
    await noteSearchParts(transaction)
    transaction.afterCommit(() => definitions.drop())
  })
}

/** The extension is trusted: whoever may create in the database may have it, where it is installed. */
const mayCreate = ({ database, log }: SearchNeeds): Promise<boolean> =>
  database
    .write((transaction) => createTrigrams(transaction))
    .then(
      () => hasTrigrams(database.read),
      (error: unknown) => {
        log.info({ err: error }, 'without the extension pg_trgm searches read the records')
        return false
      },
    )

const missingIn = ({ list, searchParts }: Definitions) =>
  list.flatMap(({ id, fields }) => {
    const known = new Set(searchParts.get(id)?.flatMap((part) => part.fields))
    const missing = fields.filter((field) => isSearchedText(field) && !known.has(field.id))
    return missing.map((field) => ({ collection: id, field: field.id }))
  })
