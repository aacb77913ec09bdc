import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import type { Answer } from '#tests/support/server/test-app.ts'
import type { ShownDefinition } from '#tests/access-oracle/expect/visible-definitions.ts'
import type { OracleRequest } from './request.ts'
import { viewsIn } from '#tests/access-oracle/world/shared-views.ts'
import { OPTIONS } from '#tests/access-oracle/world/world.ts'

export type Ways = {
  readonly get: (path: string) => Promise<Answer>
  readonly getAsGuest: (path: string) => Promise<Answer>
}

export async function readAnswer({ get, getAsGuest }: Ways, question: OracleRequest, answer: Answer): Promise<unknown> {
  if (question.reads === 'refusal' && answer.status >= 400) return refusalIn(answer, question.reported ?? [])
  if (answer.status >= 400) {
    return 'code' in question.expected
      ? { status: answer.status, code: answer.body.code }
      : Number(question.expected.status) >= 400
        ? { status: answer.status }
        : { status: answer.status, body: answer.text }
  }
  switch (question.reads) {
    case 'status':
      return { status: answer.status }
    case 'definition':
      return { status: answer.status, shown: shownIn(answer.body) }
    case 'record':
      return { status: answer.status, id: answer.body.id, values: plainValues(answer.body.values) }
    case 'csv':
      return {
        status: answer.status,
        isMarked: answer.text.startsWith('\uFEFF'),
        lines: parse(answer.text, { relaxColumnCount: true, bom: true }),
      }
    case 'groups':
      return groupsIn(answer, question)
    case 'sums':
      return sumsIn(answer, question)
    case 'days':
      return daysIn(answer)
    case 'everywhere':
      return foundIn(await wholly(get, question.path, answer), question.reported ?? [])
    case 'list':
      return listIn(answer, question.reported ?? [])
    case 'moves':
      return movesIn(answer)
    case 'rights':
      return { status: answer.status, may: answer.body.may }
    case 'collections':
      return { status: answer.status, items: answer.body.items.map(shownIn).toSorted(byName) }
    case 'people':
      return { status: answer.status, ids: answer.body.items.map(({ id }: { id: string }) => id).toSorted() }
    case 'items':
      return { status: answer.status, items: answer.body.items }
    case 'audit':
      return {
        status: answer.status,
        hidden: namedIn(answer).filter((label) => !(question.reported ?? []).includes(label)),
      }
    case 'scope':
      return { status: answer.status, scope: answer.body.user.scope.toSorted() }
    case 'refusal':
      return { status: answer.status, reported: [] }
    case 'signed':
      return { status: answer.status, files: await filesIn(get, getAsGuest, answer) }
    case 'views':
      return viewsIn(get, question, answer)
    case 'counts':
      return { status: answer.status, totals: await countsIn(get, question, answer) }
    case 'waiting':
      return waitingIn(answer, question.reported ?? [])
    case 'past':
      return { status: answer.status, faults: (await question.judge?.(answer.body, get)) ?? [] }
    case 'walk':
      return { status: 200, ids: await walk(get, question.path, answer) }
  }
}

/** Error details that could reveal hidden data: messages and counts of affected records. */
const refusalIn = ({ text, body }: Answer, secrets: readonly string[]) => ({
  status: 'refused',
  reported: [
    ...secrets.filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1))),
    ...(secrets.length > 0 && typeof body.lost?.count === 'number' ? [body.lost.count] : []),
  ],
})

const namedIn = ({ body }: Answer): readonly string[] =>
  body.items.flatMap(({ collection }: { collection: { name: string } | null }) => collection?.name || [])

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1)

type MoveBody = { name: string; to: string; note: string; missing: string[] }

const movesIn = ({ status, body }: Answer) => ({
  status,
  items: body.items
    .map(({ name, to, note, missing }: MoveBody) => ({ name, to, note, missing: missing.toSorted() }))
    .toSorted((one: MoveBody, other: MoveBody) => OPTIONS.indexOf(one.to) - OPTIONS.indexOf(other.to)),
})

type ShownFile = { id: string; url: string; thumbUrl: string | null }

/** Every file of a record: by signed URL, as a thumbnail, by unsigned URL, and without authentication. */
async function filesIn(get: Ways['get'], getAsGuest: Ways['getAsGuest'], { body }: Answer): Promise<readonly object[]> {
  const shown: ShownFile[] = Object.values(body.values)
    .flat()
    .filter((value) => typeof value === 'object' && value !== null && 'thumbUrl' in value)
    .map((value) => value as ShownFile)
  const files = []
  for (const { id, url, thumbUrl } of shown) {
    const requested = [get(url), get(`/api/files/${id}`), getAsGuest(url), getAsGuest(`/api/files/${id}`)]
    const [signed, plain, stolen, guessed] = (await Promise.all(requested)).map(({ status }) => status)
    const thumb = thumbUrl === null ? null : (await get(thumbUrl)).status
    files.push({ id, signed, thumb, plain, stolen, guessed })
  }
  return files
}

type DefinitionBody = {
  readonly name: string
  readonly can: readonly string[]
  readonly fields: readonly FieldBody[]
  readonly titleField: string | null
  readonly rules?: readonly { readonly message: string }[]
  readonly workflow?: {
    readonly transitions: readonly { readonly name: string }[]
    readonly states: Readonly<Record<string, StateBody>>
  }
  readonly closed?: ShownDefinition['closed']
}
type StateBody = { readonly requiredToLeave: readonly string[]; readonly frozen: readonly string[] | 'all' }
type FieldBody = Named & { readonly options: { readonly choices?: readonly Named[] } }
type Named = { readonly id: string; readonly name: string }

function shownIn({ name, can, fields, titleField, rules, workflow, closed }: DefinitionBody): ShownDefinition {
  const choices = fields.flatMap(({ options }) => options.choices ?? [])
  const namesOf = (ids: readonly string[], named: readonly Named[]): readonly string[] =>
    ids.map((id) => named.find((one) => one.id === id)?.name ?? id).toSorted()
  const states = Object.entries(workflow?.states ?? {}).map(([id, { requiredToLeave, frozen }]) => [
    namesOf([id], choices).join(),
    { required: namesOf(requiredToLeave, fields), frozen: frozen === 'all' ? frozen : namesOf(frozen, fields) },
  ])
  return {
    name,
    can: can.toSorted(),
    fields: fields.map((field) => field.name).toSorted(),
    titleField,
    rules: (rules ?? []).map(({ message }) => message).toSorted(),
    moves: (workflow?.transitions ?? []).map((move) => move.name).toSorted(),
    states: Object.fromEntries(states),
    closed: closed ?? {},
  }
}

/**
 * After a slow count, the next preload waits four times as long as the count took, which can be seconds on a busy
 * machine.
 */
const COUNTED_WITHIN_MS = 60_000
const ASK_AGAIN_MS = 20

/** The record count of each collection; polls for counts that aren't ready yet. */
async function countsIn(get: Ways['get'], { path, expected }: OracleRequest, first: Answer): Promise<object> {
  const collections: { id: string; name: string }[] = (await get('/api/collections')).body.items
  const isWhole = ({ body }: Answer): boolean => body.items.length >= Object.keys(expected['totals'] ?? {}).length
  let answer = first
  const deadline = performance.now() + COUNTED_WITHIN_MS
  while (!isWhole(answer) && performance.now() < deadline) {
    await delay(ASK_AGAIN_MS)
    answer = await get(path)
  }
  const counts: { collection: string; total: number }[] = answer.body.items
  const nameOf = (id: string): string => collections.find((each) => each.id === id)?.name ?? id
  return Object.fromEntries(counts.map(({ collection, total }) => [nameOf(collection), total]))
}

const waitingIn = ({ status, body }: Answer, reported: readonly string[]) => ({
  status,
  others: body.items.flatMap(({ record }: { record: string }) => (reported.includes(record) ? [] : record)),
  count: body.items.length,
})

const listIn = ({ status, body }: Answer, reported: readonly string[]) => ({
  status,
  hidden: body.items.flatMap(({ id, marks = {} }: { id: string; marks?: object }) =>
    Object.keys(marks)
      .map((field) => `${id}.${field}`)
      .filter((value) => !reported.includes(value)),
  ),
  items: body.items.map(({ id, values }: { id: string; values: Record<string, unknown> }) => ({
    id,
    values: plainValues(values),
  })),
  total: body.total,
  totalIs: body.totalIs,
  isLast: body.nextCursor === null,
})

const plainValues = (values: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withoutAddresses(value)]))

/** Reduces expanded files to ID and name, because the oracle doesn't know their URLs. */
function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses)
  if (typeof value !== 'object' || value === null || !('thumbUrl' in value) || !('id' in value) || !('name' in value))
    return value
  return { id: value.id, name: value.name }
}

/** Retries a search until it reports complete results. */
async function wholly(get: Ways['get'], path: string, first: Answer): Promise<Answer> {
  let answer = first
  while (answer.status === 200 && answer.body.isComplete === false) answer = await get(path)
  return answer
}

type FoundGroup = {
  collection: { name: string }
  items: { id: string; title: string; snippet: { field: string } | null }[]
}

function foundIn({ status, body }: Answer, reported: readonly string[]) {
  const found: FoundGroup[] = body.groups
  const groups = found.map(({ collection, items }) => ({
    collection: collection.name,
    items: items.map(({ id, title }) => ({ id, title })).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  }))
  const named = found.flatMap(({ items }) =>
    items.flatMap(({ id, snippet }) => (snippet ? `${id}.${snippet.field}` : [])),
  )
  return { status, groups, hidden: named.filter((value) => !reported.includes(value)) }
}

type GroupBody = {
  key: object
  label: string
  count: number
  offset: number
  aggregates: Record<string, number | null>
}

const sumsIn = ({ status, body }: Answer, { path }: OracleRequest) => ({
  status,
  count: body.count,
  ...(path.includes('aggregates') && { figures: body.aggregates }),
})

type DayBody = { day: string; total: number; items: { id: string }[] }

const daysIn = ({ status, body }: Answer) => ({
  status,
  days: body.days.map(({ day, total, items }: DayBody) => ({ day, total, ids: items.map(({ id }) => id) })),
})

function groupsIn({ status, body }: Answer, { expected, path }: OracleRequest) {
  const wanted = Array.isArray(expected['groups']) ? expected['groups'] : []
  const groups = body.groups.map(({ key, label, count, offset, aggregates }: GroupBody, at: number) => ({
    key,
    label: wanted[at]?.label === undefined ? undefined : label,
    count,
    offset,
    ...(path.includes('aggregates') && { figures: aggregates }),
  }))
  return { status, groups, total: body.total }
}

async function walk(get: Ways['get'], path: string, first: Answer): Promise<string[]> {
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
