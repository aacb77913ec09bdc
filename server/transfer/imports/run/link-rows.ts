import type { Actor } from '#domain/access/actor.ts'
import type { ReferenceField } from '#domain/imports/row-to-values.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { rowUnpacker } from '#server/platform/database/rows/packed-batch.ts'
import { type DictionaryLists, entriesOfRow, withDictionary } from '#server/platform/database/rows/dictionary-lists.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { RowBatch } from '#server/transfer/imports/csv/csv-tasks.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { createPersonFinder } from '#domain/imports/find-person.ts'
import { knownPeople } from '#server/access/people/routes.ts'
import { type Decision, decide, whereFieldsReadable } from '#domain/access/decide.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { ValueFault } from '#domain/fields/field-kind.ts'
import { parseValue, printValue } from '#domain/fields/kinds.ts'
import { isId } from '#domain/fields/relation.ts'
import { selectPage } from '#server/query/run/run-records-query.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { checkedQuery, idsInside, type QueryActor, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'

type TitleMatch = { readonly type: 'one'; readonly id: RecordId } | { readonly type: 'none' | 'several' }

type TitleFinder = (titles: readonly string[]) => Promise<ReadonlyMap<string, TitleMatch>>

/** Cache size across batches; many rows link to the same few records. */
const MAX_REMEMBERED = 20_000
const TITLES_PER_QUERY = 100
const ROWS_PER_PAGE = 500

type Allowed = Extract<Decision, { allowed: true }>

/** Finds records the actor can link; invisible ones count as missing. */
function createTitleFinder(deps: ImportDeps, actor: Actor, field: Field<'relation'>): TitleFinder {
  let remembered = new Map<string, TitleMatch>()
  return async (titles) => {
    if (remembered.size > MAX_REMEMBERED) remembered = new Map()
    const missing = titles.filter((title) => !remembered.has(title))
    for (let at = 0; at < missing.length; at += TITLES_PER_QUERY) {
      const some = missing.slice(at, at + TITLES_PER_QUERY)
      for (const [title, found] of await findSome(deps, actor, field, some)) remembered.set(title, found)
    }
    return remembered
  }
}

async function findSome(
  deps: ImportDeps,
  actor: Actor,
  field: Field<'relation'>,
  titles: readonly string[],
): Promise<Map<string, TitleMatch>> {
  const definitions = await deps.definitions.current()
  const collection = definitions.byId.get(field.options.collection)
  const decision = decide(actor, 'records:read', collection)
  const found = new Map<string, TitleMatch>(titles.map((title) => [title, { type: 'none' }]))
  if (!collection || !decision.allowed) return found

  const queryActor = { definitions, actor, now: deps.clock() }
  for (const [title, id] of await byTitle(deps, queryActor, { collection, decision }, titles)) {
    found.set(title, found.get(title)?.type === 'none' ? { type: 'one', id } : { type: 'several' })
  }
  // Records without a title are exported by ID.
  const ids = titles.filter((title) => found.get(title)?.type === 'none' && isId(title))
  const there =
    ids.length === 0 ? [] : await idsInside(scopeOf(deps, definitions), queryActor, { collection, decision }, ids)
  for (const id of there) found.set(id, { type: 'one', id })
  return found
}

type TargetCollection = { readonly collection: Collection; readonly decision: Allowed }

/** Finds records by title. A title with more than one page of matches is ambiguous and queried separately. */
async function byTitle(
  deps: ImportDeps,
  queryActor: QueryActor,
  { collection, decision }: TargetCollection,
  titles: readonly string[],
): Promise<(readonly [string, RecordId])[]> {
  const field = collection.titleField === null ? undefined : fieldById(collection, collection.titleField)
  const bounded = field && whereFieldsReadable(decision, [field.id])
  if (!bounded) return []
  const requested = Map.groupBy(titles, (title) => keyOf(field, title))
  const values = titles.flatMap((title) => {
    const parsed = parseValue(field, title)
    return parsed.ok && (typeof parsed.value === 'string' || typeof parsed.value === 'number') ? [parsed.value] : []
  })
  if (values.length === 0) return []

  const rule = { field: field.name, op: 'in', value: values } as const
  const query = checkedQuery(queryActor, collection, bounded, { storedFilter: rule, page: 1, perPage: ROWS_PER_PAGE })
  const { rows, hasMore } = await selectPage(scopeOf(deps, queryActor.definitions), query, [field])
  if (hasMore && titles.length > 1) {
    const half = Math.ceil(titles.length / 2)
    const parts = [titles.slice(0, half), titles.slice(half)]
    return (await Promise.all(parts.map((part) => byTitle(deps, queryActor, { collection, decision }, part)))).flat()
  }
  return rows.flatMap((row) => {
    const title = printValue(field, valueOfCell(field, row[columnOf(field.id)]))
    return (requested.get(title) ?? []).map((wanted) => [wanted, String(row['id'])] as const)
  })
}

/** Formats the title as its field does, so that `1.0` finds the record `1`. */
function keyOf(field: Field, title: string): string {
  const parsed = parseValue(field, title)
  return parsed.ok ? printValue(field, parsed.value) : title
}

/** Finds active users by ID, email or unique name. */
function createPersonLookup({ database }: Pick<ImportDeps, 'database'>): TitleFinder {
  return async (names) => {
    if (names.length === 0) return new Map()
    const find = createPersonFinder(await knownPeople(database.read))
    return new Map(names.map((name) => [name, find(name)]))
  }
}

/** The references in a batch, and rows that can't be stored. */
export type Linked = {
  /** Row numbers in the file. */
  readonly numbers: readonly number[]
  /** The linked IDs for each reference field. */
  readonly pointed: readonly DictionaryLists[]
  readonly leftOut: ReadonlySet<number>
  readonly refused: readonly RowError[]
}

export type FilteredRows = { readonly candidates: readonly CandidateRow[]; readonly refused: readonly RowError[] }

/** An unpacked row that can be stored. */
export type CandidateRow = {
  readonly row: CellValue[]
  readonly number: number
  /** The linked IDs for each reference field. */
  readonly ids: readonly (readonly RecordId[])[]
  readonly lists: readonly (readonly string[])[]
  /** Null for a new record. */
  readonly key: string | number | null
}

/** Resolves the references of all rows in a batch together. */
export function createRowLinker(
  deps: ImportDeps,
  actor: Actor,
  pointers: readonly ReferenceField[],
): (batch: RowBatch) => Promise<Linked> {
  const finders = pointers.map((field) =>
    field.kind === 'user' ? createPersonLookup(deps) : createTitleFinder(deps, actor, field),
  )
  return async ({ numbers, titles }) => {
    const found = await Promise.all(finders.map((find, at) => find(titles[at]?.texts ?? [])))
    let linked: Linked = { numbers, pointed: [], leftOut: new Set(), refused: [] }
    for (const [at, field] of pointers.entries()) {
      const names = titles[at]
      if (!names) continue
      const answers = names.texts.map((name) => found[at]?.get(name) ?? NO_MATCH)
      const faults = names.texts.map((name, place) => faultOf(field, name, answers[place]))
      const pointed = [...linked.pointed, withDictionary(names, answers.map(idIn))]
      linked = { ...rejectPicked(linked, { field, picks: names, faults }), pointed }
    }
    return linked
  }
}

const NO_MATCH: TitleMatch = { type: 'none' }

const idIn = (found: TitleMatch): RecordId => (found.type === 'one' ? found.id : '')

/** Errors for each distinct cell text in a field. */
type Faults = {
  readonly field: ReferenceField
  readonly picks: DictionaryLists
  readonly faults: readonly (ValueFault | undefined)[]
}

/** Rejects rows that contain an invalid text. */
export function rejectPicked(linked: Linked, { field, picks, faults }: Faults): Linked {
  if (faults.every((fault) => fault === undefined)) return linked
  const faultOfText = new Map(picks.texts.map((text, place) => [text, faults[place]]))
  const leftOut = new Set(linked.leftOut)
  const refused: RowError[] = []
  for (const [row, number] of linked.numbers.entries()) {
    for (const text of entriesOfRow(picks, row)) {
      const fault = faultOfText.get(text)
      if (fault === undefined) continue
      leftOut.add(row)
      refused.push({ row: number, column: field.label, text, ...fault })
    }
  }
  const all = [...linked.refused, ...refused].toSorted((one, other) => one.row - other.row)
  return { ...linked, leftOut, refused: all }
}

export function candidatesOf(batch: RowBatch, { pointed, leftOut }: Linked): CandidateRow[] {
  const nextRow = rowUnpacker(batch.packed)
  return batch.numbers.flatMap((number, at) => {
    const row = nextRow()
    if (leftOut.has(at)) return []
    const ids = pointed.map((picks) => entriesOfRow(picks, at))
    const lists = batch.lists.map((picks) => entriesOfRow(picks, at))
    return [{ row, number, ids, lists, key: batch.keys[at] ?? null }]
  })
}

function faultOf(field: ReferenceField, name: string, found: TitleMatch = NO_MATCH): ValueFault | undefined {
  if (found.type === 'one') return undefined
  const isMissing = found.type === 'none'
  return {
    code: isMissing ? 'no-match' : 'several-matches',
    message: isMissing ? noneOf(field, name) : severalOf(field, name),
  }
}

const noneOf = ({ kind }: ReferenceField, title: string) =>
  kind === 'user' ? `Person “${shorten(title)}” not found.` : `Record “${shorten(title)}” not found.`
const severalOf = ({ kind }: ReferenceField, title: string) =>
  kind === 'user'
    ? `More than one person is named “${shorten(title)}”.`
    : `More than one record is named “${shorten(title)}”.`

const shorten = (title: string): string => (title.length > 60 ? `${title.slice(0, 60)}…` : title)
