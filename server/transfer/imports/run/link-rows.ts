import type { Actor } from '#domain/access/actor.ts'
import type { PointerField } from '#domain/imports/row-to-values.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { rowUnpacker } from '#server/platform/database/rows/packed-rows.ts'
import { type DictionaryLists, withDictionary, entriesOfRow } from '#server/platform/database/rows/dictionary-lists.ts'
import type { RowBatch, RowError } from '#server/transfer/imports/csv/csv-tasks.ts'
import { createPersonFinder } from '#server/transfer/imports/plan/find-people.ts'
import { type TitleMatch, createTitleFinder } from '#server/transfer/imports/plan/find-titles.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'

/** What the rows of a batch point at, and which of them may not be stored. */
export type Linked = {
  /** The number of each row in the file. */
  readonly numbers: readonly number[]
  /** For each pointer, the ids that rows point at. */
  readonly pointed: readonly DictionaryLists[]
  readonly leftOut: ReadonlySet<number>
  readonly refused: readonly RowError[]
}

/** Rows that may be stored, and what is wrong with the others. */
export type FilteredRows = { readonly candidates: readonly CandidateRow[]; readonly refused: readonly RowError[] }

/** A row that may be stored, for whoever looks into rows. */
export type CandidateRow = {
  readonly row: CellValue[]
  readonly number: number
  /** What each pointer points at. */
  readonly ids: readonly (readonly RecordId[])[]
  readonly lists: readonly (readonly string[])[]
  /** What its record is found by; null for a new one. */
  readonly key: string | number | null
}

/** Finds the records and people that rows point at by name, for all rows of a batch at once. */
export function createRowLinker(
  needs: ImportDeps,
  actor: Actor,
  pointers: readonly PointerField[],
): (batch: RowBatch) => Promise<Linked> {
  const finders = pointers.map((field) =>
    field.kind === 'user' ? createPersonFinder(needs) : createTitleFinder(needs, actor, field),
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

/** What is wrong with what rows picked for a field: a sentence for each of the texts that are wrong. */
type Faults = {
  readonly field: PointerField
  readonly picks: DictionaryLists
  readonly faults: readonly (string | undefined)[]
}

/** Leaves out the rows that picked something wrong. */
export function rejectPicked(linked: Linked, { field, picks, faults }: Faults): Linked {
  if (faults.every((fault) => fault === undefined)) return linked
  const messages = new Map(picks.texts.map((text, place) => [text, faults[place]]))
  const leftOut = new Set(linked.leftOut)
  const refused: RowError[] = []
  for (const [row, number] of linked.numbers.entries()) {
    for (const text of entriesOfRow(picks, row)) {
      const message = messages.get(text)
      if (message === undefined) continue
      leftOut.add(row)
      refused.push({ row: number, column: field.label, message })
    }
  }
  const all = [...linked.refused, ...refused].toSorted((one, other) => one.row - other.row)
  return { ...linked, leftOut, refused: all }
}

/** The rows that may be stored, one by one. */
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

function faultOf(field: PointerField, name: string, found: TitleMatch = NO_MATCH): string | undefined {
  if (found.type === 'one') return undefined
  return found.type === 'none' ? noneOf(field, name) : severalOf(field, name)
}

const noneOf = ({ kind }: PointerField, title: string) =>
  kind === 'user' ? `Person “${shorten(title)}” not found.` : `Record “${shorten(title)}” not found.`
const severalOf = ({ kind }: PointerField, title: string) =>
  kind === 'user'
    ? `More than one person is named “${shorten(title)}”.`
    : `More than one record is named “${shorten(title)}”.`

const shorten = (title: string): string => (title.length > 60 ? `${title.slice(0, 60)}…` : title)
