import { sql } from 'kysely'
import type { z } from 'zod'
import type { readSearchIndex as endpoint } from '#api/search.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import { textsIn } from '#server/query/search/searched-texts.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Database, Reader } from '#server/platform/database/database.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { loadIndexRows } from './full-text-store.ts'
import type { SearchIndexer } from './search-indexer.ts'
import { hasTrigrams } from './trigrams-store.ts'

export type IndexProgressDeps = Pick<SearchIndexer, 'shareOf'> & {
  readonly database: Database
  readonly definitions: DefinitionsCache
}

type Answer = z.input<(typeof endpoint)['response']>

const WHOLE: Answer = { state: 'whole', done: 1 }

/** Progress of a collection's full-text index, as a fraction because not all readers may know the number of records. */
export async function readSearchIndex(deps: IndexProgressDeps, actor: Actor, nameOrId: string): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const { collection } = getCollection(definitions, actor, 'records:read', nameOrId)
  const place = { timeZone: definitions.timeZone, dialect: deps.database.dialect }
  const texts = textsIn(collection, place).map(({ name }) => name)
  if (texts.length === 0) return WHOLE
  if (deps.database.dialect === 'sqlite') return sqliteIndex(deps, collection, texts)

  if (!(await hasTrigrams(deps.database.read))) return { state: 'none', done: 0 }
  const parts = definitions.searchParts.get(collection.id) ?? []
  return coverOf(parts, texts) === 1 ? WHOLE : { state: 'building', done: coverOf(parts, texts) }
}

function coverOf(parts: readonly FullTextIndex[], texts: readonly string[]): number {
  const covered = new Set(parts.flatMap(({ fields }) => fields))
  return texts.filter((id) => covered.has(id)).length / texts.length
}

/** From this number of changed records on, searches are noticeably slower until the index contains them. */
const MANY_PENDING = 10_000

async function sqliteIndex({ database, shareOf }: IndexProgressDeps, { id }: Collection, texts: readonly string[]) {
  const parts = (await loadIndexRows(database.read)).filter(({ collection }) => collection === id)
  const incomplete = parts.filter(({ gap }) => gap !== null)
  const cover = coverOf(parts, texts)
  const upToDate = await upToDateShare(database.read, id)
  if (incomplete.length === 0 && cover === 1 && upToDate === 1) return WHOLE
  return { state: 'building' as const, done: Math.min(cover, upToDate, ...incomplete.map((part) => shareOf(part.id))) }
}

/** Changed records are indexed in the order of their numbers, so the first of them shows the progress without counting. */
async function upToDateShare(reader: Reader, collection: CollectionId): Promise<number> {
  const pending = reader.selectFrom('search_pending').where('collection_id', '=', collection)
  const [first, many] = await Promise.all([
    pending.select('seq').orderBy('seq').limit(1).executeTakeFirst(),
    pending.select('seq').orderBy('seq').offset(MANY_PENDING).limit(1).executeTakeFirst(),
  ])
  if (!first || !many) return 1
  const { rows } = await sql<{ last: number }>`select max(seq) as last from ${sql.table(tableOf(collection))}`.execute(
    reader,
  )
  return Math.min(1, Number(first.seq) / Math.max(1, rows[0]?.last ?? 1, Number(many.seq)))
}
