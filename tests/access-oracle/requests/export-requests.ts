import { expectedOrder } from '#tests/access-oracle/expect/expected-answers.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { pathOf, type Listing } from '#tests/access-oracle/expect/expected-listing.ts'
import { nameOf, readableIn, relatedTo, scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Requester, OracleRequest } from './request.ts'
import type { Viewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import type { World, WorldCollection, WorldField, WorldRecord } from '#tests/access-oracle/world/world.ts'

/** Users without export permission are rejected at the route, whatever they request. */
export const mayExportSomewhere = ({ grants }: Viewpoint): boolean =>
  [...grants.values()].some((granted) => granted.export.length > 0)

type Column = { readonly name: string; readonly label: string; readonly cell: (record: WorldRecord) => string }

export function randomExport(
  draw: Random,
  requester: Requester,
  home: WorldCollection,
  { parts, found, orders }: Listing,
): OracleRequest | undefined {
  const { view } = requester
  const out = requester.exportOf(home.name)
  const open = (out?.fields ?? home.fields.filter(({ reverse }) => reverse === undefined)).map((field) =>
    columnOf(view, field),
  )
  const isChosen = draw.chance(0.5)
  const chosen = isChosen ? [...draw.some(systemColumns(view), 1), ...draw.some(open, 2)] : open
  const columns = isChosen && chosen.length === 0 ? open : chosen
  if (columns.length === 0) return undefined
  const [isLabelled, isEscaped, isMarked] = [draw.chance(0.3), draw.chance(0.3), draw.chance(0.3)]
  const path = pathOf(home, 'export.csv', {
    ...parts,
    ...(isChosen && { fields: columns.map(({ name }) => name).join(',') }),
    ...(isLabelled && { header: 'label' }),
    ...(!isEscaped && { escapeFormulas: 'no' }),
    ...(isMarked && { mark: 'yes' }),
  })
  const question = { path, reads: 'csv', isMoreThanReading: true } as const
  if (!out) return { ...question, expected: { status: 403, code: 'forbidden' } }
  const outOf = new Map(out.records.map((record) => [record.id, record]))
  const header = columns.map(({ name, label }) => (isLabelled ? label : name))
  const lines = expectedOrder(view, found, orders)
    .flatMap(({ id }) => outOf.get(id) ?? [])
    .map((record) => columns.map(({ cell }) => cell(record)))
  return { ...question, expected: { status: 200, isMarked, lines: [header, ...lines] } }
}

const columnOf = (view: World, field: WorldField): Column => ({
  name: field.name,
  label: field.label,
  cell: (record) => cellOf(view, field, record),
})

const systemColumns = (view: World): readonly Column[] => [
  { name: 'id', label: 'ID', cell: ({ id }) => id },
  { name: 'createdBy', label: 'Created by', cell: ({ createdBy }) => view.people.get(createdBy) ?? '' },
]

function cellOf(view: World, field: WorldField, record: WorldRecord): string {
  const named =
    field.kind === 'relation'
      ? relatedTo(view, field, record).map((one) => nameOf(view, field.target, one) ?? one.id)
      : field.kind === 'files' || field.kind === 'user'
        ? readableIn(view, field, record)
        : scalarsOf(record, field)
  return field.many ? named.map(String).map(quoted).join('; ') : named.join('')
}

const quoted = (name: string): string => (/[";]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)
