import type { z } from 'zod'
import type { readSearchIndex as endpoint } from '#api/search.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { isSearchedText } from '#domain/query/list/search.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { FullTextIndex, IndexGap } from '#server/query/search/full-text-index.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ALL_ROWS, loadIndexRows, rowRange } from './full-text-store.ts'
import { hasTrigrams } from './trigrams-store.ts'

type Deps = { readonly database: Database; readonly definitions: DefinitionsCache }

type Answer = z.input<(typeof endpoint)['response']>

const WHOLE: Answer = { state: 'whole', done: 1 }

/** Progress of a collection's full-text index, as a fraction because not all readers may know the number of records. */
export async function readSearchIndex(deps: Deps, actor: Actor, nameOrId: string): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const { collection } = getCollection(definitions, actor, 'records:read', nameOrId)
  const texts = collection.fields.filter(isSearchedText).map(({ id }) => id)
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

/** Estimates progress from ranges of sequence numbers, because counting millions of records takes seconds. */
async function sqliteIndex({ database: { read } }: Deps, { id }: Collection, texts: readonly string[]) {
  const parts = (await loadIndexRows(read)).filter(({ collection }) => collection === id)
  const gaps = parts.flatMap(({ gap }) => gap ?? [])
  const cover = coverOf(parts, texts)
  if (gaps.length === 0 && cover === 1) return WHOLE
  const records = await rowRange(read, id, ALL_ROWS)
  const done = records === null ? 1 : 1 - Math.max(0, ...gaps.map(lengthOf)) / lengthOf(records)
  return { state: 'building' as const, done: Math.max(0, Math.min(done, cover)) }
}

const lengthOf = ({ from, to }: IndexGap): number => Number(BigInt(to) - BigInt(from)) + 1
