import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import type { Order } from '#tests/access-oracle/expect/expected-answers.ts'
import { type Condition, pathsOf } from '#tests/access-oracle/generate/condition.ts'
import { definitionFor } from '#tests/access-oracle/expect/visible-definitions.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { randomCondition, printCondition } from '#tests/access-oracle/generate/random-condition.ts'
import { collectionIn, satisfies } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Requester, OracleRequest } from '#tests/access-oracle/requests/request.ts'
import type { Marks, SharedView, World, WorldCollection, WorldField, WorldRecord } from './world.ts'

const isShort = ({ kind, many }: WorldField): boolean => !many && kind !== 'long-text' && kind !== 'files'

export async function shareViews(owner: Caller, draw: Random, marks: Marks, world: World): Promise<World> {
  const views = new Map<string, readonly SharedView[]>()
  for (const home of world.collections) {
    const shared = draw.some([1, 2, 3], 3).map((count) => drawView(draw, world, home, `View ${count}`))
    for (const view of shared) await save(owner, home, { ...bodyOf(view), isShared: true })
    await save(owner, home, { ...bodyOf(drawView(draw, world, home, `Own ${marks.next()}`)) })
    views.set(home.name, shared)
  }
  return { ...world, views }
}

function drawView(draw: Random, world: World, home: WorldCollection, name: string): SharedView {
  const orders = (fields: readonly WorldField[], most: number): Order[] =>
    draw.some(fields, most).map((field) => ({ field, isDescending: draw.chance(0.5) }))
  return {
    name,
    condition: home.fields.length > 0 && draw.chance(0.7) ? randomCondition(draw, world, home, { depth: 1 }) : null,
    orders: orders(home.fields, 2),
    groups: orders(home.fields.filter(isShort), 1),
    puts: draw.some(home.fields, 3),
    cover:
      draw.some(
        home.fields.filter(({ kind }) => kind === 'files'),
        1,
      )[0] ?? null,
  }
}

const bodyOf = ({ name, condition, orders, groups, puts, cover }: SharedView) => ({
  name,
  query: { filter: condition ? printCondition(condition) : '', sort: printed(orders), group: printed(groups) },
  layout: { hidden: puts.map((field) => field.name) },
  display: { kind: 'cards', options: { cover: cover && cover.name } },
})

const printed = (orders: readonly Order[]): string =>
  orders.map(({ field, isDescending }) => `${isDescending ? '-' : ''}${field.name}`).join(',')

async function save(owner: Caller, home: WorldCollection, body: object): Promise<void> {
  const { status, text } = await owner.post(`/api/collections/${home.name}/views`, body)
  if (status !== 201) throw new Error(`The oracle could not share a view: ${text}`)
}

export function randomViewsRequest(draw: Random, { world, view, viewpoint }: Requester): OracleRequest {
  const whole = draw.one(world.collections)
  const { name } = whole
  const path = `/api/collections/${name}/views`
  const home = collectionIn(view, name)
  if (!home) return { path, reads: 'views', expected: { status: 404, code: 'collection-not-found' } }
  const known = definitionFor(world, viewpoint, whole).fields
  const items = (world.views.get(name) ?? []).map((shared) => ({
    ...seenView(view, home, shared),
    hidden: shared.puts.map((field) => field.name).filter((each) => known.includes(each)),
    cover: shared.cover && known.includes(shared.cover.name) ? shared.cover.name : null,
  }))
  return { path, reads: 'views', expected: { status: 200, items } }
}

function seenView(view: World, home: WorldCollection, shared: SharedView): object {
  const { name, condition, orders, groups } = shared
  const isSeen = (field: WorldField): boolean => home.fields.some((one) => one.name === field.name)
  const isUsable = condition === null || pathsIn(condition).every((path) => leadsSomewhere(view, home, path))
  const isFound = (record: WorldRecord): boolean => condition === null || satisfies(view, home, record, condition)
  return {
    name,
    isUsable,
    sort: isUsable ? printed(orders.filter(({ field }) => isSeen(field))) : '',
    group: isUsable ? printed(groups.filter(({ field }) => isSeen(field))) : '',
    ids: isUsable
      ? home.records
          .filter(isFound)
          .map(({ id }) => id)
          .toSorted()
      : null,
  }
}

function pathsIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(pathsIn)
  return 'any' in condition ? condition.any.flatMap(pathsIn) : pathsOf(condition)
}

function leadsSomewhere(view: World, home: WorldCollection, path: string): boolean {
  let here: WorldCollection | undefined = home
  for (const name of path.split('.')) {
    const field: WorldField | undefined = here?.fields.find((one) => one.name === name)
    if (!field) return false
    here = collectionIn(view, field.target)
  }
  return true
}

type ViewBody = {
  name: string
  isUsable: boolean
  query: { filter: string; sort: string; group: string }
  layout: { hidden: string[] }
  display: { options: { cover: string | null } }
}

export async function viewsIn(get: (path: string) => Promise<Answer>, { path }: OracleRequest, answer: Answer) {
  const bodies: readonly ViewBody[] = answer.body.items
  const items = []
  for (const { name, isUsable, query, layout, display } of bodies) {
    const { filter, sort, group } = query
    const parts = new URLSearchParams({ filter, perPage: '500' })
    const found = isUsable ? await get(`${path.replace(/views$/, 'records')}?${parts}`) : undefined
    const ids = found && (found.body.items?.map(({ id }: { id: string }) => id).toSorted() ?? found.text)
    items.push({ name, isUsable, sort, group, hidden: layout.hidden, cover: display.options.cover, ids: ids ?? null })
  }
  return { status: answer.status, items }
}
