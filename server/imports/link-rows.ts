import type { Actor } from '#domain/access/actor.ts'
import { holdsList } from '#domain/fields/field.ts'
import type { PointerField } from '#domain/imports/row-to-values.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue } from '#server/database/database.ts'
import type { RowBatch, RowError } from './csv-tasks.ts'
import { personFinder } from './find-people.ts'
import { type Found, titleFinder } from './find-titles.ts'
import type { ImportNeeds } from './import-needs.ts'

/** A field of an import that points; `at` is the place of its column in a row, -1 where it holds a list. */
export type Link = { readonly field: PointerField; readonly at: number }

/** A row that may be stored: its cells, its number in the file, what each pointer points at, and its other lists. */
export type Candidate = {
  readonly row: CellValue[]
  readonly number: number
  readonly ids: readonly (readonly RecordId[])[]
  readonly lists: readonly (readonly string[])[]
  /** What its record is found by; null for a new one. */
  readonly key: string | number | null
}

/** Rows that may be stored, and what is wrong with the others. */
export type Sifted = { readonly candidates: readonly Candidate[]; readonly refused: readonly RowError[] }

/** Finds the records and people that rows point at by name, for all rows of a batch at once. */
export function linker(needs: ImportNeeds, actor: Actor, links: readonly Link[]): (batch: RowBatch) => Promise<Sifted> {
  const finders = links.map(({ field }) =>
    field.kind === 'user' ? personFinder(needs) : titleFinder(needs, actor, field),
  )
  return async (batch) => {
    const found = await Promise.all(finders.map((find, at) => find(titlesAt(batch, at))))
    const candidates: Candidate[] = []
    const refused: RowError[] = []
    for (const [index, row] of batch.rows.entries()) {
      const { number, ...rest } = restOf(batch, index)
      const ids: RecordId[][] = []
      const before = refused.length
      for (const [at, link] of links.entries()) {
        const sought = batch.titles[index]?.[at] ?? []
        const pointed = pointAt(link.field, sought, found[at] ?? new Map())
        ids.push(pointed.ids)
        for (const message of pointed.faults) refused.push({ row: number, column: link.field.label, message })
        if (!holdsList(link.field)) row[link.at] = pointed.ids[0] ?? null
      }
      if (refused.length === before) {
        candidates.push({ row, number, ids, ...rest })
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
