import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { printValue } from '#domain/fields/kinds.ts'
import { checkStoredFilter } from '#domain/query/check/check-filter.ts'
import { type CheckedNode, conditionsIn, isClock, sourcesOf } from '#domain/query/check/checked-filter.ts'
import { everythingVisible } from '#domain/query/list/records-query.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { type QueryActor, queryContext } from '#server/access/record-access/authorized-query.ts'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'
import { chunkIds, MAX_IDS } from '#server/platform/database/rows/id-lists.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'
import { type CompiledTitles, compileTitles, selectTitles, type TitlesRead } from './titles-store.ts'

export type NameReader = { readonly actor: Actor; readonly definitions: Definitions }

/** Records of one collection; without `isTitled`, only their visibility is needed. */
export type LinkedRecords = { readonly ids: ReadonlySet<RecordId>; readonly isTitled: boolean }

type Titles = ReadonlyMap<RecordId, string>

/**
 * The records visible to a reader with their titles, in one statement for all collections. A title is empty if its
 * field isn't readable. Visibility and title are read together, so that a record that becomes hidden in between doesn't
 * reveal its new title.
 */
export async function visibleTitles(
  { database, clock }: Pick<RecordDeps, 'database' | 'clock'>,
  { actor, definitions }: NameReader,
  wanted: ReadonlyMap<CollectionId, LinkedRecords>,
): Promise<ReadonlyMap<CollectionId, Titles>> {
  const titles = new Map<CollectionId, Map<RecordId, string>>()
  const queryActor = { actor, definitions, now: clock() }
  const reads: (TitlesRead & { readonly of: TitlesInScope })[] = []
  for (const [id, { ids, isTitled }] of wanted) {
    const collection = definitions.byId.get(id)
    const decision = decide(actor, 'records:read', collection)
    if (!collection || !decision.allowed) continue
    const of = titlesInScope(queryActor, collection, decision, database.dialect)
    titles.set(id, new Map())
    for (const some of chunkIds([...ids], MAX_IDS)) reads.push({ of, compiled: of.compiled, ids: some, isTitled })
  }
  if (reads.length === 0) return titles
  for (const { place, id, title } of await selectTitles(database, reads)) {
    const of = reads[place]?.of
    if (of) titles.get(of.collection.id)?.set(id, printTitle(of.field, title))
  }
  return titles
}

const printTitle = (field: Field | undefined, cell: CellValue): string =>
  field ? printValue(field, valueOfCell(field, cell)) : ''

/** The titles of visible records of one collection. */
export async function recordTitles(
  deps: Pick<RecordDeps, 'database' | 'clock'>,
  reader: NameReader,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<Titles> {
  const wanted = new Map([[collection.id, { ids: new Set(ids), isTitled: true }]])
  return (await visibleTitles(deps, reader, wanted)).get(collection.id) ?? new Map()
}

type TitlesInScope = {
  readonly collection: Collection
  readonly definitions: Definitions
  readonly field: Field | undefined
  readonly compiled: CompiledTitles
}

/** Compiling a row filter takes longer than reading the rows of a page. */
const compiledFor = new WeakMap<AllowedDecision, TitlesInScope>()

function titlesInScope(
  queryActor: QueryActor,
  collection: Collection,
  decision: AllowedDecision,
  dialect: Dialect,
): TitlesInScope {
  const { definitions } = queryActor
  const known = compiledFor.get(decision)
  if (known?.definitions === definitions && known.collection === collection) return known
  const context = queryContext(queryActor, collection, decision)
  const field = readableTitle(collection, decision)
  const condition = field && decision.partlyHidden?.get(field.id)
  const title = field && { field, readable: condition && checkStoredFilter(condition, context) }
  const { pendingImports } = definitions
  const visible = everythingVisible(context)
  const compiled = compileTitles(visible, title, { dialect, pendingImports })
  const scope = { collection, definitions, field, compiled }
  const dependsOnTime = [visible.where, ...(title?.readable ? [title.readable] : [])].some(readsTime)
  if (!dependsOnTime && !dependsOnReader([decision.where, condition])) compiledFor.set(decision, scope)
  return scope
}

const readableTitle = (collection: Collection, { hiddenFields }: AllowedDecision): Field | undefined =>
  collection.titleField === null || hiddenFields.has(collection.titleField)
    ? undefined
    : fieldById(collection, collection.titleField)

/** Markers such as `@me` and `@today` are resolved for each request. Also true for other texts with this character. */
const dependsOnReader = (conditions: readonly unknown[]): boolean => JSON.stringify(conditions).includes('@')

/** Whether a condition contains a formula with the current time, which is part of the statement. */
const readsTime = (where: CheckedNode): boolean =>
  conditionsIn(where)
    .flatMap(sourcesOf)
    .some(({ leaf }) => isClock(leaf))
