import type { Actor } from '#domain/access/actor.ts'
import type { Field } from '#domain/fields/field.ts'
import { holdsList } from '#domain/fields/field.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue } from '#server/database/database.ts'
import type { RowBatch, RowError } from './csv-tasks.ts'
import { type Found, titleFinder } from './find-titles.ts'
import type { ImportNeeds } from './import-needs.ts'

/** A relation of an import; `at` is the place of its column in a row, -1 where it holds a list. */
export type Link = { readonly field: Field<'relation'>; readonly at: number }

/** A row that may be stored: its cells, its number in the file, and the records each relation points at. */
export type Candidate = {
  readonly row: CellValue[]
  readonly number: number
  readonly ids: readonly (readonly RecordId[])[]
}

/** Rows that may be stored, and what is wrong with the others. */
export type Sifted = { readonly candidates: readonly Candidate[]; readonly refused: readonly RowError[] }

/** Finds the records that rows point at by title, for all rows of a batch at once. */
export function linker(needs: ImportNeeds, actor: Actor, links: readonly Link[]): (batch: RowBatch) => Promise<Sifted> {
  const finders = links.map(({ field }) => titleFinder(needs, actor, field))
  return async (batch) => {
    const found = await Promise.all(finders.map((find, at) => find(titlesAt(batch, at))))
    const candidates: Candidate[] = []
    const refused: RowError[] = []
    for (const [index, row] of batch.rows.entries()) {
      const number = batch.numbers[index] ?? 0
      const ids: RecordId[][] = []
      const before = refused.length
      for (const [at, link] of links.entries()) {
        const sought = batch.titles[index]?.[at] ?? []
        const pointed = pointAt(sought, found[at] ?? new Map())
        ids.push(pointed.ids)
        for (const message of pointed.faults) refused.push({ row: number, column: link.field.label, message })
        if (!holdsList(link.field)) row[link.at] = pointed.ids[0] ?? null
      }
      if (refused.length === before) candidates.push({ row, number, ids })
    }
    return { candidates, refused }
  }
}

/** Every title a batch names in one relation. */
const titlesAt = (batch: RowBatch, at: number): string[] => [
  ...new Set(batch.titles.flatMap((titles) => titles[at] ?? [])),
]

function pointAt(titles: readonly string[], found: ReadonlyMap<string, Found>) {
  const ids = new Set<RecordId>()
  const faults: string[] = []
  for (const title of titles) {
    const answer = found.get(title) ?? { type: 'none' }
    if (answer.type === 'one') ids.add(answer.id)
    else faults.push(answer.type === 'none' ? noneOf(title) : severalOf(title))
  }
  return { ids: [...ids], faults }
}

const noneOf = (title: string) => `There is no record “${shorten(title)}” to point at.`
const severalOf = (title: string) =>
  `More than one record is called “${shorten(title)}”, so it is not clear which one is meant.`

const shorten = (title: string): string => (title.length > 60 ? `${title.slice(0, 60)}…` : title)
