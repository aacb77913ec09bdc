import type { z } from 'zod'
import type { exportRecords as endpoint } from '#api/imports.ts'
import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { guardFormula, printCsvLine } from '#domain/imports/print-csv.ts'
import { printList } from '#domain/shared/list-text.ts'
import { Problem } from '#domain/shared/problem.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { listRecords } from '#server/records/list-records.ts'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import { namesIn } from '#server/records/show-records.ts'

type Query = z.output<(typeof endpoint)['query']>

/** Records read at a time: memory stays flat, however many there are. */
const RECORDS_A_PAGE = 500

/** A CSV on its way out. The first lines are there already, so whatever is wrong with the query was told before. */
export type Export = { readonly collection: Collection; readonly lines: AsyncIterable<string> }

/** Story: the records a query finds, as CSV, as this actor may see them. */
export async function exportRecords(needs: RecordNeeds, actor: Actor, nameOrId: string, query: Query): Promise<Export> {
  const definitions = await needs.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:export', nameOrId)
  const reading = getCollection(definitions, actor, 'records:read', nameOrId).decision
  // The list below is bounded by what the actor may read; a narrower bound on exports it would not know.
  if (decision.where) throw new Problem('forbidden', `You may not export from ${collection.label}. Ask an owner.`)

  const hidden = new Set([...reading.hiddenFields, ...decision.hiddenFields])
  const names = namesIn('fields', query.fields, collection, hidden)
  const visible = collection.fields.filter((field) => !hidden.has(field.id))
  const fields = names ? [...names].flatMap((name) => visible.find((field) => field.name === name) ?? []) : visible
  const page = pageReader(needs, actor, collection, { query, fields })
  const first = await page(undefined)
  const header = printCsvLine(fields.map((field) => (query.header === 'label' ? labelOf(field, visible) : field.name)))
  return { collection, lines: linesFrom(header, first, page) }
}

type Page = { readonly text: string; readonly next: string | null }
type PageReader = (cursor: string | undefined) => Promise<Page>

async function* linesFrom(header: string, first: Page, page: PageReader): AsyncGenerator<string> {
  yield header + first.text
  for (let next = first.next; next !== null; ) {
    const more = await page(next)
    yield more.text
    next = more.next
  }
}

type Wanted = { readonly query: Query; readonly fields: readonly Field[] }

function pageReader(needs: RecordNeeds, actor: Actor, collection: Collection, { query, fields }: Wanted): PageReader {
  const { filter, sort, search } = query
  const guard = query.formulas === 'guard' ? guardFormula : (text: string) => text
  return async (cursor) => {
    const { items, nextCursor } = await listRecords(needs, actor, collection.id, {
      filter,
      sort,
      search,
      cursor,
      perPage: RECORDS_A_PAGE,
      fields: fields.map((field) => field.name).join(','),
      expand: '*',
      count: 'none',
      choices: 'name',
      richText: 'text',
    })
    const lines = items.map(({ values }) => printCsvLine(fields.map((field) => cellOf(field, values, guard))))
    return { text: lines.join(''), next: nextCursor }
  }
}

/** A label that would be taken for another field's when the file is imported again gives way to the name. */
function labelOf(field: Field, all: readonly Field[]): string {
  const isShared = all.some((other) => other.id !== field.id && [other.name, other.label].includes(field.label))
  return isShared ? field.name : field.label
}

/** A value as a list shows it, in one cell. */
function cellOf(field: Field, values: RecordBody['values'], guard: (text: string) => string): string {
  const value = values[field.name]
  if (value === null || value === undefined) return ''
  switch (field.kind) {
    case 'text':
    case 'long-text':
    case 'rich-text':
    case 'email':
    case 'url':
    case 'phone':
    case 'select':
    case 'state':
      return guard(plainText(value))
    case 'multi-select':
      return guard(Array.isArray(value) ? printList(value.map(plainText)) : '')
    case 'json':
      return guard(JSON.stringify(value))
    case 'auto-number':
    case 'number':
    case 'checkbox':
    case 'date':
    case 'date-time':
      return plainText(value)
    case 'relation':
    case 'user':
    case 'files': {
      const titles = (Array.isArray(value) ? value : [value]).map(titleIn)
      return guard(Array.isArray(value) ? printList(titles) : (titles[0] ?? ''))
    }
  }
}

/** Text, numbers and truth are plain on the wire. */
const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** An expanded relation has a title; an expanded file and a person have a name. */
function titleIn(item: unknown): string {
  if (typeof item !== 'object' || item === null) return plainText(item)
  if ('title' in item) return plainText(item.title)
  return 'name' in item ? plainText(item.name) : ''
}
