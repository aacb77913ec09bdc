import type { z } from 'zod'
import type { exportSelection as endpoint } from '#api/imports.ts'
import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { intersectDecisions } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, shapeOf } from '#domain/fields/field.ts'
import { printValue } from '#domain/fields/kinds.ts'
import { guardFormula, escapeGuarded, printCsvLine } from '#domain/imports/print-csv.ts'
import { SYSTEM_LABELS, type SystemField, isPersonField, isSystemField } from '#domain/fields/system-fields.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import { fieldsOfLinkedValues } from '#domain/formulas/formula-fields.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { printList } from '#domain/shared/list-text.ts'
import { Problem } from '#domain/shared/problem.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { type Lister, listWithin } from '#server/records/crud/list-records.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { namesIn } from '#server/records/show/show-records.ts'
import { currentActor, type CurrentActorDeps } from '#server/identity/users/current-actor.ts'

type Query = z.output<(typeof endpoint)['body']>

/** Small pages can be garbage-collected before the heap has to grow. */
const RECORDS_PER_PAGE = 200

/** The first rows have already been read, so errors in the query are thrown before streaming starts. */
export type Export = { readonly collection: Collection; readonly lines: AsyncIterable<string> }

type ExportDeps = RecordDeps & CurrentActorDeps

/** Exports matching records as CSV, with the actor's permissions at the time each page is read. */
export async function exportRecords(deps: ExportDeps, actor: Actor, nameOrId: string, query: Query): Promise<Export> {
  const definitions = await deps.definitions.current()
  const { collection, decision: exporting } = getCollection(definitions, actor, 'records:export', nameOrId)
  const { decision: reading } = getCollection(definitions, actor, 'records:read', nameOrId)
  const all = columnsFor(collection, intersectDecisions(reading, exporting).hiddenFields, query)
  const unknown = fieldsOfLinkedValues(collection)
  const isKnown = (column: Column): boolean => !('field' in column) || !unknown.has(column.field.id)
  const columns = deps.isPast === true ? all.filter(isKnown) : all
  const page = pageReader(deps, collection, { query, columns })
  const first = await page({ actor, within: exporting }, undefined)
  const headers = columns.map((column) =>
    query.escapeFormulas === 'yes' ? guardFormula(column.header) : column.header,
  )
  const header = (query.mark === 'yes' ? '\uFEFF' : '') + printCsvLine(headers)
  const later: NextPage = async (cursor) => page(await currentExporter(deps, actor, collection), cursor)
  return { collection, lines: linesFrom(header, first, later) }
}

type Column = { readonly header: string } & ({ readonly field: Field } | { readonly system: SystemField })

function columnsFor(collection: Collection, hidden: HiddenFields, { fields, header }: Query): Column[] {
  const visible = collection.fields.filter((field) => field.kind !== 'reverse' && !hidden.has(field.id))
  const wanted = fields?.split(',').map((name) => name.trim())
  const own = wanted?.filter((name) => !isSystemField(name))
  namesIn('fields', own?.join(','), collection, hidden)
  const columnOf = (name: string): Column[] => {
    if (isSystemField(name)) return [{ header: header === 'label' ? SYSTEM_LABELS[name] : name, system: name }]
    const field = visible.find((each) => each.name === name)
    return field ? [{ header: header === 'label' ? labelOf(field, visible) : field.name, field }] : []
  }
  return [...new Set(wanted ?? visible.map(({ name }) => name))].flatMap(columnOf)
}

type Page = { readonly text: string; readonly next: string | null }
type PageReader = (exporter: Lister, cursor: string | undefined) => Promise<Page>
type NextPage = (cursor: string) => Promise<Page>

/** Reads the next page while the current one is being sent; stops when the client disconnects. */
async function* linesFrom(header: string, first: Page, page: NextPage): AsyncGenerator<string> {
  let next = nextOf(first, page)
  yield header + first.text
  while (next) {
    const more = await next
    next = nextOf(more, page)
    yield more.text
  }
}

function nextOf({ next }: Page, page: NextPage): Promise<Page> | undefined {
  if (next === null) return undefined
  const reading = page(next)
  // Prevents an unhandled rejection; the error is thrown when the promise is awaited.
  reading.then(undefined, () => undefined)
  return reading
}

type ExportColumns = { readonly query: Query; readonly columns: readonly Column[] }

/** Rechecks permissions; a long export is aborted if they are revoked. */
async function currentExporter(deps: ExportDeps, actor: Actor, { id, label }: Collection): Promise<Lister> {
  const now = await currentActor(deps, actor)
  if (!now) throw new Problem('forbidden', `You no longer have permission to export ${label}.`)
  const { decision: within } = getCollection(await deps.definitions.current(), now, 'records:export', id)
  return { actor: now, within }
}

function pageReader(deps: RecordDeps, collection: Collection, { query, columns }: ExportColumns): PageReader {
  const { filter, sort, search, only } = query
  const except = new Set(query.except)
  const print = query.escapeFormulas === 'yes' ? guardFormula : escapeGuarded
  const fields = columns.flatMap((column) => ('field' in column ? column.field.name : []))
  return async (exporter, cursor) => {
    const lister = { ...exporter, only }
    const { items: found, nextCursor } = await listWithin(deps, lister, collection.id, {
      filter,
      sort,
      search,
      cursor,
      perPage: RECORDS_PER_PAGE,
      fields: fields.join(','),
      expand: '*',
      count: 'none',
      choices: 'name',
      richText: 'text',
    })
    const items = found.filter(({ id }) => !except.has(id))
    const cellIn = (item: (typeof items)[number], column: Column): string => {
      if ('field' in column) return cellOf(valueField(column.field), item.values, print)
      const text = item[column.system] ?? ''
      return isPersonField(column.system) ? print(item.people?.[text] ?? '') : text
    }
    const lines = items.map((item) => printCsvLine(columns.map((column) => cellIn(item, column))))
    return { text: lines.join(''), next: nextCursor }
  }
}

/** Uses the field's name if its label could be mistaken for another field when the file is reimported. */
function labelOf(field: Field, all: readonly Field[]): string {
  const isShared = all.some((other) => other.id !== field.id && [other.name, other.label].includes(field.label))
  return isShared ? field.name : field.label
}

function cellOf(field: Field, values: RecordBody['values'], guard: (text: string) => string): string {
  const value = values[field.name]
  if (value === null || value === undefined) return ''
  switch (shapeOf(field)) {
    case 'text':
    case 'document':
      return guard(plainText(value))
    case 'option':
      return guard(Array.isArray(value) ? printList(value.map(plainText)) : plainText(value))
    case 'json':
      return guard(JSON.stringify(value))
    case 'formula':
      return ''
    case 'number':
      return typeof value === 'number' ? printValue(field, value) : plainText(value)
    case 'boolean':
    case 'date':
    case 'date-time':
      return plainText(value)
    case 'record':
    case 'person':
    case 'file': {
      const titles = (Array.isArray(value) ? value : [value]).map(titleIn)
      return guard(Array.isArray(value) ? printList(titles) : (titles[0] ?? ''))
    }
  }
}

const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Expanded relations have a title; files and users have a name. */
function titleIn(item: unknown): string {
  if (typeof item !== 'object' || item === null) return plainText(item)
  if ('title' in item) return plainText(item.title)
  return 'name' in item ? plainText(item.name) : ''
}
