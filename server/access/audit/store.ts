import { type Insertable, type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { AuditKind } from '#domain/audit/audit-kind.ts'
import type { CollectionId, UserId } from '#domain/shared/ids.ts'
import type { Reader, Tables } from '#server/platform/database/database.ts'

/** Appends an entry. The database rejects updates and deletes. */
export async function insertAuditEntry(db: Reader, row: Insertable<Tables['audit_log']>): Promise<void> {
  await db.insertInto('audit_log').values(row).execute()
}

export type StoredEntry = {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly userId: UserId | null
  readonly aboutId: UserId | null
  readonly collectionId: CollectionId | null
  readonly address: string
  readonly details: { readonly [name: string]: string }
}

export type EntryQuery = {
  readonly person?: UserId | undefined
  readonly kinds?: readonly AuditKind[] | undefined
  readonly collection?: CollectionId | undefined
  readonly fromId?: string | undefined
  readonly beforeId?: string | undefined
}

/**
 * The newest matching entries. Each query scans one index, newest first, up to the limit; entries by a user, about a
 * user, and of each kind are separate queries, so the cost of a page doesn't grow with the log.
 */
export async function findEntries(db: Reader, query: EntryQuery, limit: number): Promise<StoredEntry[]> {
  const [first, ...others] = indexScansFor(query).map((walk) =>
    db.selectFrom(scanIndex(db, walk, limit).as('walk')).selectAll(),
  )
  if (first === undefined) return []
  const found = others.reduce((joined, other) => joined.union(other), first)
  const rows = await db.selectFrom(found.as('found')).selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    kind: row.kind,
    userId: row.user_id,
    aboutId: row.about_id,
    collectionId: row.collection_id,
    address: row.address,
    details: detailsSchema.parse(JSON.parse(row.details)),
  }))
}

const detailsSchema = z.record(z.string(), z.string())

type IndexScan = Omit<EntryQuery, 'person'> & { readonly user?: UserId; readonly about?: UserId }

function indexScansFor({ person, ...query }: EntryQuery): readonly IndexScan[] {
  if (query.kinds?.length === 0) return []
  if (person !== undefined)
    return [
      { ...query, user: person },
      { ...query, about: person },
    ]
  if (query.collection !== undefined || query.kinds === undefined) return [query]
  return query.kinds.map((kind) => ({ ...query, kinds: [kind] }))
}

/** An expression without an index, so that the query planner uses the user index. */
const KIND_READ = sql<string>`(kind || '')`

function scanIndex(db: Kysely<Tables>, walk: IndexScan, limit: number) {
  const { user, about, kinds, collection, fromId, beforeId } = walk
  const [kind] = kinds ?? []
  const isAlongKind = kinds?.length === 1 && user === undefined && about === undefined && collection === undefined
  return db
    .selectFrom('audit_log')
    .select(['id', 'at', 'kind', 'user_id', 'about_id', 'collection_id', 'address', 'details'])
    .$if(user !== undefined, (is) => is.where('user_id', '=', user ?? ''))
    .$if(about !== undefined, (is) => is.where('about_id', '=', about ?? ''))
    .$if(isAlongKind, (is) => is.where('kind', '=', kind ?? ''))
    .$if(kinds !== undefined && !isAlongKind, (is) => is.where(KIND_READ, 'in', kinds ?? []))
    .$if(collection !== undefined, (is) => is.where('collection_id', '=', collection ?? ''))
    .$if(fromId !== undefined, (is) => is.where('id', '>=', fromId ?? ''))
    .$if(beforeId !== undefined, (is) => is.where('id', '<', beforeId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
}

export async function findNames(db: Reader, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
