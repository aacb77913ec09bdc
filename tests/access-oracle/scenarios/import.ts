import { outcome } from '#tests/conformance/csv-import.ts'
import type { Answer } from '#tests/support/server/test-app.ts'
import { type Csv, expectImport } from '#tests/access-oracle/expect/expect-transfer.ts'
import { collectionIn } from '#tests/access-oracle/expect/evaluate-condition.ts'
import { differencesThere, type Outcome, writable } from './write.ts'
import { visibleWorld } from '#tests/access-oracle/expect/viewpoint.ts'
import { leaksIn, type Visit } from './visit.ts'
import {
  type Kind,
  planValue,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
  type WorldValue,
} from '#tests/access-oracle/world/world.ts'
import { settled, storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import { MAX_RECORDS } from '#tests/access-oracle/generate/writes.ts'

const FROM_CSV: readonly Kind[] = [
  'text',
  'long-text',
  'number',
  'checkbox',
  'date',
  'date-time',
  'select',
  'state',
  'relation',
  'user',
]

export async function checkImport(visit: Visit, world: World): Promise<Outcome | undefined> {
  const { caller, viewpoint, draw, count } = visit
  const open = world.collections.filter(({ name }) => {
    const granted = viewpoint.grants.get(name)
    return granted !== undefined && granted.import.length > 0 && granted.read.length > 0
  })
  const home = draw.one(open.length > 0 && draw.chance(0.8) ? open : world.collections)
  const csv = drawCsv(visit, world, home)
  if (csv === undefined) return undefined
  const query = `separator=,&encoding=utf-8&onBadRow=${csv.skips ? 'skip' : 'stop'}${csv.id === undefined ? '' : '&key=id'}`
  const path = `/api/collections/${home.name}/imports?${query}`
  const raw = print(csv)
  const headers = { 'content-type': 'text/csv', 'time-zone': viewpoint.zone }
  const begun = await caller.request('POST', path, { raw, headers })

  const requested = `POST ${path} ${raw}`
  const decided = expectImport({ world, viewpoint }, home, csv)
  const answers = await answersTo(visit, begun)
  const found = became(answers)
  count(`import, ${found === 'done' ? 'taken' : 'refused'}`)
  if (!decided.outcomes.includes(found))
    return { world, differences: [{ requested, expected: decided.outcomes, found: answers.map(({ text }) => text) }] }
  const after = found === 'done' ? await withRecords(visit, decided.world, home, decided.records) : world
  const views = [world, after].map((one) => visibleWorld(one, viewpoint))
  const sent = [path, raw, ...writable(world, viewpoint)]
  const reported = answers.flatMap(({ text }) => leaksIn(requested, text, sent, views))
  const isMeant = (name: string): boolean => found === 'done' && name === home.name
  return {
    world: after,
    differences: [...reported, ...(await differencesThere(requested, visit.owner, after, isMeant))],
  }
}

function drawCsv(visit: Visit, world: World, home: WorldCollection): DrawnCsv | undefined {
  const { viewpoint, draw } = visit
  const known = storedFields(home).filter(({ kind, many }) => FROM_CSV.includes(kind) && !many)
  const fields = draw.some(known, 3)
  const isFilledIn = (viewpoint.grants.get(home.name)?.create ?? []).some(({ presets }) => presets !== undefined)
  if (fields.length === 0 || isFilledIn || home.records.length + 3 > MAX_RECORDS) return undefined
  const id = home.records.length > 0 && draw.chance(0.5) ? draw.one(home.records).id : undefined
  const drawn = Array.from({ length: id === undefined ? 1 + draw.below(3) : 1 }, () =>
    fields.map((field) => drawCell(visit, world, field)),
  )
  return {
    fields,
    rows: drawn.map((cells) => Object.fromEntries(fields.map(({ name }, at) => [name, cells[at]?.value ?? null]))),
    bad: badRows(
      home,
      fields,
      drawn.map((cells) => cells.map(({ value }) => value)),
      id,
    ),
    cells: drawn.map((cells) => cells.map(({ text }) => text)),
    id,
    skips: draw.chance(0.5),
  }
}

/** Rows with a value that can’t be read, or with a record that another record or an earlier row links to once. */
function badRows(
  { records }: WorldCollection,
  fields: readonly WorldField[],
  rows: readonly (readonly (WorldValue | undefined)[])[],
  id: string | undefined,
): readonly boolean[] {
  const others = records.filter((record) => record.id !== id)
  const taken = fields.map((field) => new Set(others.flatMap(({ values }) => values[field.name] ?? []).map(String)))
  return rows.map((values) => {
    const isTaken = (at: number): boolean =>
      fields[at]?.isUnique === true && taken[at]?.has(String(values[at])) === true
    if (values.includes(undefined) || values.some((_, at) => isTaken(at))) return true
    for (const [at, value] of values.entries()) taken[at]?.add(String(value))
    return false
  })
}

type DrawnCsv = Csv & { readonly cells: readonly (readonly string[])[] }

type Cell = { readonly text: string; readonly value: WorldValue | undefined }

function drawCell(visit: Visit, world: World, field: WorldField): Cell {
  if (field.kind === 'user') return drawPerson(visit, world)
  if (field.kind === 'relation') return drawRelated(visit, world, field)
  const value = planValue(visit.draw, field, false, visit.marks)
  return { text: String(value), value }
}

function drawRelated({ viewpoint, draw }: Visit, world: World, field: WorldField): Cell {
  const [all, seen] = [world, visibleWorld(world, viewpoint)].map((one) => collectionIn(one, field.target))
  const titleOf = (home: WorldCollection | undefined, { values }: WorldRecord): string =>
    String(values[home?.title ?? ''] ?? '')
  const texts = (all?.records ?? []).flatMap((record) => [record.id, titleOf(all, record)]).filter((one) => one !== '')
  const text = texts.length > 0 ? draw.one(texts) : 'nobody'
  const named = seen?.records.filter((record) => titleOf(seen, record) === text) ?? []
  const found = named.length > 0 ? named : (seen?.records.filter(({ id }) => id === text) ?? [])
  return { text, value: found.length === 1 ? found[0]?.id : undefined }
}

function drawPerson({ draw, visitors: { emails } }: Visit, { people }: World): Cell {
  const text = draw.one([...people].flatMap(([id, name]) => [id, name, emails.get(id) ?? '']))
  if (people.has(text)) return { text, value: text }
  const isEmail = text.includes('@')
  const found = [...people.keys()].filter((id) => (isEmail ? emails.get(id) : people.get(id)) === text)
  return { text, value: found.length === 1 ? found[0] : undefined }
}

function print({ fields, cells: drawn, id }: DrawnCsv): string {
  const keyed = (own: string, cells: readonly string[]): readonly string[] =>
    id === undefined ? cells : [own, ...cells]
  const names = fields.map(({ name }) => name)
  const lines = [keyed('id', names), ...drawn.map((cells) => keyed(id ?? '', cells))]
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
  return lines.map((line) => line.map(quoted).join(',')).join('\n')
}

async function answersTo({ caller }: Visit, begun: Answer): Promise<readonly Answer[]> {
  if (begun.status !== 202) return [begun]
  const ended = await outcome(caller, begun.body.id)
  return [begun, ended, await caller.get(`/api/imports/${begun.body.id}/errors.csv`)]
}

function became([begun, ended]: readonly Answer[]): string {
  const last = ended ?? begun
  return last?.status === 200 ? String(last.body.state) : `${last?.status} ${last?.body?.code}`
}

async function withRecords(
  { owner, viewpoint }: Visit,
  world: World,
  home: WorldCollection,
  brought: readonly WorldRecord['values'][],
): Promise<World> {
  const { body } = await owner.get(`/api/collections/${home.name}/records?perPage=500&count=none`)
  const added: readonly { readonly id: string }[] = body.items.slice(home.records.length)
  const records = brought.map(
    (values, at): WorldRecord => ({ id: added[at]?.id ?? '', createdBy: viewpoint.me.id, values }),
  )
  if (brought.length === 0) return world
  const collections = world.collections.map((collection) =>
    collection.name === home.name ? { ...collection, records: [...collection.records, ...records] } : collection,
  )
  return settled({ ...world, collections })
}
