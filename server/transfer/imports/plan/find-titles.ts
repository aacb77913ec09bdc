import type { Actor } from '#domain/access/actor.ts'
import { type Decision, decide } from '#domain/access/decide.ts'
import { whereFieldsAre } from '#domain/access/narrow-decision.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { parseValue, printValue } from '#domain/fields/kinds.ts'
import { isId } from '#domain/fields/relation.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { selectPage } from '#server/query/run/run-records-query.ts'
import { columnOf } from '#server/query/sql/column-names.ts'
import { type QueryActor, checkedQuery, idsInside, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'

/** What a title stands for. */
export type TitleMatch = { readonly type: 'one'; readonly id: RecordId } | { readonly type: 'none' | 'several' }

/** Finds records by their titles, each asked for once as long as it is remembered. */
export type TitleFinder = (titles: readonly string[]) => Promise<ReadonlyMap<string, TitleMatch>>

/** Titles remembered from batch to batch: many rows point at few records. */
const MAX_REMEMBERED = 20_000
/** Titles asked for in one query. */
const TITLES_PER_QUERY = 100
const ROWS_PER_PAGE = 500

type Allowed = Extract<Decision, { allowed: true }>

/** Finds the records an actor may point a relation at. Those they may not see are not there. */
export function createTitleFinder(needs: ImportDeps, actor: Actor, field: Field<'relation'>): TitleFinder {
  let remembered = new Map<string, TitleMatch>()
  return async (titles) => {
    if (remembered.size > MAX_REMEMBERED) remembered = new Map()
    const missing = titles.filter((title) => !remembered.has(title))
    for (let at = 0; at < missing.length; at += TITLES_PER_QUERY) {
      const some = missing.slice(at, at + TITLES_PER_QUERY)
      for (const [title, found] of await findSome(needs, actor, field, some)) remembered.set(title, found)
    }
    return remembered
  }
}

async function findSome(
  needs: ImportDeps,
  actor: Actor,
  field: Field<'relation'>,
  titles: readonly string[],
): Promise<Map<string, TitleMatch>> {
  const definitions = await needs.definitions.current()
  const collection = definitions.byId.get(field.options.collection)
  const decision = decide(actor, 'records:read', collection)
  const found = new Map<string, TitleMatch>(titles.map((title) => [title, { type: 'none' }]))
  if (!collection || !decision.allowed) return found

  const asker = { definitions, actor, now: needs.clock() }
  for (const [title, id] of await byTitle(needs, asker, { collection, decision }, titles)) {
    found.set(title, found.get(title)?.type === 'none' ? { type: 'one', id } : { type: 'several' })
  }
  // A record without a title is exported by its id.
  const ids = titles.filter((title) => found.get(title)?.type === 'none' && isId(title))
  const there =
    ids.length === 0 ? [] : await idsInside(scopeOf(needs, definitions), asker, { collection, decision }, ids)
  for (const id of there) found.set(id, { type: 'one', id })
  return found
}

type TargetCollection = { readonly collection: Collection; readonly decision: Allowed }

/**
 * The records that bear these titles, with the title as it was asked for. A title borne by more records than one page
 * holds is asked for alone; then the page is enough to say that there are several.
 */
async function byTitle(
  needs: ImportDeps,
  asker: QueryActor,
  { collection, decision }: TargetCollection,
  titles: readonly string[],
): Promise<(readonly [string, RecordId])[]> {
  const field = collection.titleField === null ? undefined : fieldById(collection, collection.titleField)
  const bounded = field && whereFieldsAre(decision, [field.id])
  if (!bounded) return []
  const asked = Map.groupBy(titles, (title) => keyOf(field, title))
  const values = titles.flatMap((title) => {
    const parsed = parseValue(field, title)
    return parsed.ok && (typeof parsed.value === 'string' || typeof parsed.value === 'number') ? [parsed.value] : []
  })
  if (values.length === 0) return []

  const rule = { field: field.name, op: 'in', value: values } as const
  const query = checkedQuery(asker, collection, bounded, { rule, page: 1, perPage: ROWS_PER_PAGE })
  const { rows, hasMore } = await selectPage(scopeOf(needs, asker.definitions), query, [field])
  if (hasMore && titles.length > 1) {
    const half = Math.ceil(titles.length / 2)
    const parts = [titles.slice(0, half), titles.slice(half)]
    return (await Promise.all(parts.map((part) => byTitle(needs, asker, { collection, decision }, part)))).flat()
  }
  return rows.flatMap((row) => {
    const title = printValue(field, valueOfCell(field, row[columnOf(field.id)]))
    return (asked.get(title) ?? []).map((wanted) => [wanted, String(row['id'])] as const)
  })
}

/** A title as its field would print it: `1.0` asks for the record called `1`. */
function keyOf(field: Field, title: string): string {
  const parsed = parseValue(field, title)
  return parsed.ok ? printValue(field, parsed.value) : title
}
