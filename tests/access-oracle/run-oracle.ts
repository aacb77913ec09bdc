import { isDeepStrictEqual } from 'node:util'
import { parse } from 'csv-parse/sync'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Answer, Caller } from '#tests/support/test-app.ts'
import { type Builder, type BuiltWorld, buildWorld } from './build-world.ts'
import { drawFrom } from './draw.ts'
import { drawQuestion, type Question } from './questions.ts'
import { cutExport, cutWorld, drawViewpoint, type Viewpoint, type WorldGrant } from './viewpoint.ts'
import { planWorld } from './world.ts'

/** Somebody whose grants can be changed between two requests. */
export type Visitor = { readonly caller: Caller; readonly grants: Grant[] }

/** An answer that is not what the oracle says, with all it takes to see it again. */
export type Disagreement = {
  readonly seed: number
  readonly path: string
  readonly zone: string
  readonly grants: readonly (readonly [collection: string, grants: unknown])[]
  readonly expected: unknown
  readonly found: unknown
}

const VIEWPOINTS_A_WORLD = 5
const QUESTIONS_A_VIEWPOINT = 25

/** A disagreement in a few lines. */
export function tell({ seed, path, zone, grants, expected, found }: Disagreement): string {
  const lines = [`world ${seed}, ${zone}: GET ${decodeURIComponent(path.replaceAll('+', ' '))}`]
  for (const [collection, granted] of grants) lines.push(`  ${collection}: ${JSON.stringify(granted)}`)
  return [...lines, `  expected ${JSON.stringify(expected)}`, `  found    ${JSON.stringify(found)}`].join('\n')
}

/** How many requests one world is asked. */
export const QUESTIONS_A_WORLD = VIEWPOINTS_A_WORLD * QUESTIONS_A_VIEWPOINT

/** Makes the world of a seed, asks it from several points of view, and tells where the server disagrees. */
export async function askWorld(builder: Builder, visitor: Visitor, seed: number): Promise<Disagreement[]> {
  const draw = drawFrom(seed)
  const built = await buildWorld(builder, planWorld(draw, `w${seed}`))
  const disagreements: Disagreement[] = []
  for (let count = 0; count < VIEWPOINTS_A_WORLD; count += 1) {
    const viewpoint = drawViewpoint(draw, built.world)
    visitor.grants.splice(0, visitor.grants.length, ...grantsFor(viewpoint, built))
    const view = cutWorld(built.world, viewpoint)
    const asker = {
      world: built.world,
      view,
      mayExportSomewhere: [...viewpoint.grants.values()].some(({ exports }) => exports.length > 0),
      exportOf: (name: string) => cutExport(built.world, view, viewpoint, name),
    }
    for (let asked = 0; asked < QUESTIONS_A_VIEWPOINT; asked += 1) {
      const question = drawQuestion(draw, asker)
      const found = await ask(visitor.caller, question, viewpoint.zone)
      if (isDeepStrictEqual(found, question.expected)) continue
      const { path, expected } = question
      disagreements.push({ seed, path, zone: viewpoint.zone, grants: [...viewpoint.grants], expected, found })
    }
  }
  return disagreements
}

function grantsFor({ grants }: Viewpoint, { idOf, fieldIdOf }: BuiltWorld): Grant[] {
  return [...grants].flatMap(([name, { read, exports }]) => {
    const grantOf =
      (permission: Permission) =>
      ({ where, hidden }: WorldGrant): Grant => ({
        permission,
        collection: idOf(name),
        fields: { except: hidden.map((field) => fieldIdOf(name, field)) },
        ...(where && { where }),
      })
    return [...read.map(grantOf('records:read')), ...exports.map(grantOf('records:export'))]
  })
}

async function ask(caller: Caller, question: Question, zone: string): Promise<unknown> {
  const get = (path: string) => caller.get(path, { 'time-zone': zone })
  const answer = await get(question.path)
  if (answer.status >= 400) {
    return 'code' in question.expected
      ? { status: answer.status, code: answer.body.code }
      : question.expected.status >= 400
        ? { status: answer.status }
        : { status: answer.status, body: answer.text }
  }
  switch (question.reads) {
    case 'status':
      return { status: answer.status }
    case 'definition':
      return definitionIn(answer)
    case 'record':
      return { status: answer.status, id: answer.body.id, values: answer.body.values }
    case 'csv':
      return { status: answer.status, lines: parse(answer.text, { relaxColumnCount: true }) }
    case 'groups':
      return groupsIn(answer, question)
    case 'sums':
      return sumsIn(answer, question)
    case 'everywhere':
      return foundIn(answer, question.told ?? [])
    case 'list':
      return listIn(answer, question.told ?? [])
    case 'walk':
      return { status: 200, ids: await walk(get, question.path, answer) }
  }
}

const definitionIn = ({ status, body }: Answer) => ({
  status,
  fields: body.fields.map((field: { name: string }) => field.name).toSorted(),
  titleField: body.titleField,
})

/** The parts of a list that the oracle speaks of. */
const listIn = ({ status, body }: Answer, told: readonly string[]) => ({
  status,
  hidden: body.items.flatMap(({ id, marks = {} }: { id: string; marks?: object }) =>
    Object.keys(marks)
      .map((field) => `${id}.${field}`)
      .filter((value) => !told.includes(value)),
  ),
  items: body.items.map(({ id, values }: { id: string; values: Record<string, unknown> }) => ({
    id,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withoutAddresses(value)])),
  })),
  total: body.total,
  totalIs: body.totalIs,
  isLast: body.nextCursor === null,
})

/** An expanded file tells more of itself than the oracle knows. */
function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses)
  if (typeof value !== 'object' || value === null || !('thumbUrl' in value) || !('id' in value) || !('name' in value))
    return value
  return { id: value.id, name: value.name }
}

type FoundGroup = {
  collection: { name: string }
  items: { id: string; title: string; snippet: { field: string } | null }[]
}

/** What was found everywhere, oldest first, and the values it was found in that this asker does not see. */
function foundIn({ status, body }: Answer, told: readonly string[]) {
  const found: FoundGroup[] = body.groups
  const groups = found.map(({ collection, items }) => ({
    collection: collection.name,
    items: items.map(({ id, title }) => ({ id, title })).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  }))
  const named = found.flatMap(({ items }) =>
    items.flatMap(({ id, snippet }) => (snippet ? `${id}.${snippet.field}` : [])),
  )
  return { status, groups, hidden: named.filter((value) => !told.includes(value)) }
}

type GroupBody = {
  key: object
  label: string
  count: number
  offset: number
  aggregates: Record<string, number | null>
}

const sumsIn = ({ status, body }: Answer, { path }: Question) => ({
  status,
  count: body.count,
  ...(path.includes('aggregates') && { sum: body.aggregates['sum(amount)'], max: body.aggregates['max(amount)'] }),
})

function groupsIn({ status, body }: Answer, { expected, path }: Question) {
  const wanted = Array.isArray(expected['groups']) ? expected['groups'] : []
  const groups = body.groups.map(({ key, label, count, offset, aggregates }: GroupBody, at: number) => ({
    key,
    label: wanted[at]?.label === undefined ? undefined : label,
    count,
    offset,
    ...(path.includes('aggregates') && { sum: aggregates['sum(amount)'], max: aggregates['max(amount)'] }),
  }))
  return { status, groups, total: body.total }
}

async function walk(get: (path: string) => Promise<Answer>, path: string, first: Answer): Promise<string[]> {
  const ids: string[] = []
  let answer = first
  for (;;) {
    ids.push(...answer.body.items.map((item: { id: string }) => item.id))
    const { nextCursor } = answer.body
    if (nextCursor === null) return ids
    answer = await get(`${path}&cursor=${nextCursor}`)
    if (answer.status !== 200) return [...ids, answer.text]
  }
}
