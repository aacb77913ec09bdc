import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import { ACTIVITY_KINDS, type ActivityPart, DASHBOARD_KINDS, DEFINITION_KINDS } from '#api/activity.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { ChangeSource } from '#server/records/changes/change-log.ts'

export type StoredSet = {
  readonly id: string
  readonly at: string
  readonly userId: UserId | null
  readonly via: ChangeSource | null
  readonly sourceId: string | null
  readonly undoes: string | null
  readonly isDeletion: boolean
  readonly isUndone: boolean
}

/** Definitions whose changes are read besides those of some collections: of all, also of deleted collections, or of dashboards. */
type OtherDefinitions = 'all' | 'dashboards' | 'none'

/** The collections whose changes are read, and other definitions. */
export type ChangedIn = { readonly collections: readonly CollectionId[]; readonly others: OtherDefinitions }

export type SetFilter = ChangedIn & {
  readonly person: UserId | undefined
  readonly via: ChangeSource | undefined
  readonly kind: ActivityPart['kind'] | undefined
  readonly before: string | undefined
}

/**
 * The change sets with a matching entry among the next `among` sets, newest first and at most `limit`, and the last set
 * that was examined; undefined if there are no more.
 */
export async function findSets(
  db: Reader,
  { person, via, kind, before, ...changedIn }: SetFilter,
  { among, limit }: { readonly among: number; readonly limit: number },
): Promise<{ readonly sets: readonly StoredSet[]; readonly last: string | undefined }> {
  const page = db
    .selectFrom('change_sets')
    .select('id')
    .$if(before !== undefined, (older) => older.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
  const end = await page
    .offset(among - 1)
    .limit(1)
    .executeTakeFirst()
  if (changedIn.collections.length === 0 && changedIn.others === 'none') return { sets: [], last: undefined }
  const rows = await sets(db)
    .$if(before !== undefined, (older) => older.where('set.id', '<', before ?? ''))
    .$if(end !== undefined, (newer) => newer.where('set.id', '>=', end?.id ?? ''))
    .$if(person !== undefined, (own) => own.where('set.user_id', '=', person ?? ''))
    .$if(via !== undefined, (some) => some.where('set.via', '=', via ?? null))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('changes as entry')
          .select('entry.id')
          .whereRef('entry.change_set_id', '=', 'set.id')
          .where('entry.kind', 'in', kind === undefined ? [...ACTIVITY_KINDS] : [kind])
          .where((of) => isChangedIn(of.ref('entry.collection_id'), of.ref('entry.kind'), changedIn)),
      ),
    )
    .orderBy('set.id', 'desc')
    .limit(limit)
    .execute()
  return { sets: rows.map(setOf), last: rows.length === limit ? rows.at(-1)?.id : end?.id }
}

const sets = (db: Reader) =>
  db
    .selectFrom('change_sets as set')
    .select(['set.id', 'set.at', 'set.user_id', 'set.via', 'set.source_id', 'set.undoes', 'set.is_deletion'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('change_sets as undoing')
            .select('undoing.id')
            .whereRef('undoing.undoes', '=', 'set.id')
            // A redo.
            .where((of) =>
              of.not(
                of.exists(
                  of
                    .selectFrom('change_sets as redoing')
                    .select('redoing.id')
                    .whereRef('redoing.undoes', '=', 'undoing.id'),
                ),
              ),
            ),
        )
        .as('is_undone'),
    )

export async function findSet(db: Reader, id: string): Promise<StoredSet | undefined> {
  const row = await sets(db).where('set.id', '=', id).executeTakeFirst()
  return row && setOf(row)
}

type SetRow = Awaited<ReturnType<ReturnType<typeof sets>['executeTakeFirstOrThrow']>>

const setOf = (row: SetRow): StoredSet => ({
  id: row.id,
  at: row.at,
  userId: row.user_id,
  via: row.via as ChangeSource | null,
  sourceId: row.source_id,
  undoes: row.undoes,
  isDeletion: Number(row.is_deletion) === 1,
  isUndone: Boolean(row.is_undone),
})

function isChangedIn(
  collection: Expression<string | null>,
  kind: Expression<string>,
  { collections, others }: ChangedIn,
): RawBuilder<SqlBool> {
  const isListed =
    collections.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${collection} in (${sql.join([...collections])})`
  if (others === 'none') return isListed
  const kinds = others === 'all' ? DEFINITION_KINDS : DASHBOARD_KINDS
  return sql`(${isListed} or ${kind} in (${sql.join([...kinds])}))`
}

export type SetEntry = {
  readonly id: string
  readonly kind: ActivityPart['kind']
  readonly collection: CollectionId
  readonly record: RecordId | null
}

type Wanted = ChangedIn & { readonly limit: number }

/** A deletion's links that were cleared with it are left out. */
const kindsIn = ({ isDeletion }: Pick<StoredSet, 'isDeletion'>): readonly ActivityPart['kind'][] =>
  isDeletion ? ['record-deleted'] : ACTIVITY_KINDS

/** The first entries of a change set. */
export async function entriesOfSet(db: Reader, set: StoredSet, { limit, ...changedIn }: Wanted): Promise<SetEntry[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'kind', 'collection_id', 'record_id'])
    .where('change_set_id', '=', set.id)
    .where('kind', 'in', kindsIn(set))
    .where((of) => isChangedIn(of.ref('collection_id'), of.ref('kind'), changedIn))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

type EntryRow = {
  readonly id: string
  readonly kind: string
  readonly collection_id: CollectionId | null
  readonly record_id: RecordId | null
}

const OF_DEFINITIONS: ReadonlySet<string> = new Set(DEFINITION_KINDS)

export const isOfDefinition = ({ kind }: { readonly kind: string }): boolean => OF_DEFINITIONS.has(kind)

const entryOf = (row: EntryRow): SetEntry => ({
  id: row.id,
  kind: row.kind as ActivityPart['kind'],
  collection: row.collection_id ?? '',
  record: row.record_id,
})

export type SetPart = {
  /** Number of entries; undefined if the change set has more than the limit. */
  readonly count: number | undefined
  readonly entries: readonly SetEntry[]
}

export type PartsBySet = ReadonlyMap<StoredSet, readonly SetPart[]>

/** Change sets read by one statement; several are read at the same time. */
const SETS_PER_STATEMENT = 10

type WantedParts = Wanted & { readonly perPart: number; readonly definitions: number }

/** The first entries of each change set by kind and collection, at most `perPart` each, or `definitions` of definitions. */
export async function partsOfSets(db: Reader, sets: readonly StoredSet[], wanted: WantedParts): Promise<PartsBySet> {
  const chunks = [...Map.groupBy(sets, ({ isDeletion }) => isDeletion).values()].flatMap((some) =>
    chunkIds(some, SETS_PER_STATEMENT),
  )
  const read = chunks.map(async (some) => {
    const rows = Map.groupBy(await firstEntries(db, some, wanted), (row) => row.change_set_id)
    return Promise.all(some.map(async (set) => [set, await partsIn(db, set, rows.get(set.id) ?? [], wanted)] as const))
  })
  return new Map((await Promise.all(read)).flat())
}

type FirstEntry = EntryRow & {
  readonly change_set_id: string
  /** The number of entries, perhaps only up to one more than the limit; null if they differ in kind or collection. */
  readonly same: number | string | null
}

/** The first entries of these change sets, one more than `perPart`. */
async function firstEntries(
  db: Reader,
  sets: readonly StoredSet[],
  { limit, perPart, ...changedIn }: WantedParts,
): Promise<readonly FirstEntry[]> {
  const [first] = sets
  if (!first) return []
  const isIn = isChangedIn(sql.ref('entry.collection_id'), sql.ref('entry.kind'), changedIn)
  const isShown = sql`entry.kind in (${sql.join(kindsIn(first))}) and ${isIn}`
  const ofSet = sql`from changes as entry where entry.change_set_id = column1`
  const counted = sql`select entry.kind, entry.collection_id ${ofSet} order by entry.id limit ${sql.lit(limit + 1)}`
  const { rows } = await sql<FirstEntry>`
    with listed as materialized (
      select column1 as id,
        coalesce(
          (select change_sets.entry_count from change_sets where change_sets.id = column1),
          (select case when min(kind) = max(kind) and min(collection_id) = max(collection_id) then count(*) end
            from (${counted}) as counted)
        ) as same,
        (select entry.id ${ofSet} and ${isShown} order by entry.id limit 1 offset ${sql.lit(perPart)}) as last
      from (values ${sql.join(sets.map(({ id }) => sql`(${id})`))}) as given
    )
    select entry.id, entry.kind, entry.collection_id, entry.record_id, entry.change_set_id, listed.same
    from listed cross join changes as entry
    where entry.change_set_id = listed.id and entry.id <= coalesce(listed.last, '~') and ${isShown}
    order by entry.id`.execute(db)
  return rows
}

async function partsIn(
  db: Reader,
  set: StoredSet,
  first: readonly FirstEntry[],
  wanted: WantedParts,
): Promise<readonly SetPart[]> {
  const { perPart, definitions, limit } = wanted
  const same = first[0]?.same ?? null
  const hasMore = first.length > perPart && (same === null || first.some(isOfDefinition))
  const entries = hasMore ? await entriesOfSet(db, set, { ...wanted, limit: limit + 1 }) : first.map(entryOf)
  const count = same === null ? entries.length : Number(same)
  return [...Map.groupBy(entries, (entry) => `${entry.kind} ${entry.collection}`).values()].map((own) => ({
    count: count > limit ? undefined : same === null ? own.length : count,
    entries: own.slice(0, own.some(isOfDefinition) ? definitions : perPart),
  }))
}

/** What these entries stored after the change, by entry ID. */
export async function valuesOfEntries(db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, RecordValues>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('changes').select(['id', 'after']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, after }) => [id, JSON.parse(after ?? '{}')]))
}
