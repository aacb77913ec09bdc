import type { Actor } from '#domain/access/actor.ts'
import type { PointerField } from '#domain/imports/row-to-values.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue } from '#server/database/database.ts'
import { rowUnpacker } from '#server/database/packed-rows.ts'
import type { RowBatch, RowError } from './csv-tasks.ts'
import { personFinder } from './find-people.ts'
import { type Found, titleFinder } from './find-titles.ts'
import type { ImportNeeds } from './import-needs.ts'

/** A row that may be stored: its place in the batch, its number in the file, what each pointer points at, its other lists. */
export type Candidate = {
  readonly at: number
  /** Its own cells, where anybody looks at them. */
  readonly row: CellValue[]
  readonly number: number
  readonly ids: readonly (readonly RecordId[])[]
  readonly lists: readonly (readonly string[])[]
  /** What its record is found by; null for a new one. */
  readonly key: string | number | null
}

/** Rows that may be stored, and what is wrong with the others. */
export type Sifted = { readonly candidates: readonly Candidate[]; readonly refused: readonly RowError[] }

/** Which fields point, and whether anybody looks at the cells of rows. */
export type Linking = { readonly pointers: readonly PointerField[]; readonly seesCells: boolean }

/** Finds the records and people that rows point at by name, for all rows of a batch at once. */
export function linker(
  needs: ImportNeeds,
  actor: Actor,
  { pointers, seesCells }: Linking,
): (batch: RowBatch) => Promise<Sifted> {
  const finders = pointers.map((field) =>
    field.kind === 'user' ? personFinder(needs) : titleFinder(needs, actor, field),
  )
  return async (batch) => {
    const found = await Promise.all(finders.map((find, at) => find(titlesAt(batch, at))))
    const candidates: Candidate[] = []
    const refused: RowError[] = []
    const nextRow = seesCells ? rowUnpacker(batch.packed) : () => []
    for (const index of batch.numbers.keys()) {
      const row = nextRow()
      const { number, ...rest } = restOf(batch, index)
      const ids: RecordId[][] = []
      const before = refused.length
      for (const [at, field] of pointers.entries()) {
        const sought = batch.titles[index]?.[at] ?? []
        const pointed = pointAt(field, sought, found[at] ?? new Map())
        ids.push(pointed.ids)
        for (const message of pointed.faults) refused.push({ row: number, column: field.label, message })
      }
      if (refused.length === before) {
        candidates.push({ at: index, row, number, ids, ...rest })
      }
    }
    return { candidates, refused }
  }
}

/** What a batch knows of a row besides its cells. */
const restOf = (batch: RowBatch, index: number) => ({
  number: batch.numbers[index] ?? 0,
  lists: batch.lists[index] ?? [],
  key: batch.keys[index] ?? null,
})

/** Every name a batch has for one pointer. */
const titlesAt = (batch: RowBatch, at: number): string[] => [
  ...new Set(batch.titles.flatMap((titles) => titles[at] ?? [])),
]

function pointAt(field: PointerField, names: readonly string[], found: ReadonlyMap<string, Found>) {
  const ids = new Set<RecordId>()
  const faults: string[] = []
  for (const name of names) {
    const answer = found.get(name) ?? { type: 'none' }
    if (answer.type === 'one') ids.add(answer.id)
    else faults.push(answer.type === 'none' ? noneOf(field, name) : severalOf(field, name))
  }
  return { ids: [...ids], faults }
}

const noneOf = ({ kind }: PointerField, title: string) =>
  kind === 'user'
    ? `There is nobody called “${shorten(title)}” who could be chosen.`
    : `There is no record “${shorten(title)}” to point at.`
const severalOf = ({ kind }: PointerField, title: string) =>
  `More than one ${kind === 'user' ? 'person' : 'record'} is called “${shorten(title)}”, so it is not clear which one is meant.`

const shorten = (title: string): string => (title.length > 60 ? `${title.slice(0, 60)}…` : title)
