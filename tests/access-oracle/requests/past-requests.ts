import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isFound } from '#tests/access-oracle/expect/expected-answers.ts'
import { pathOf, SEARCHES } from '#tests/access-oracle/expect/expected-listing.ts'
import {
  collectionIn,
  comparisonsIn,
  fieldAt,
  nameOf,
  satisfies,
} from '#tests/access-oracle/expect/evaluate-condition.ts'
import { visibleWorld } from '#tests/access-oracle/expect/viewpoint.ts'
import { type Condition, pathsOf } from '#tests/access-oracle/generate/condition.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { printCondition, randomCondition } from '#tests/access-oracle/generate/random-condition.ts'
import {
  emptyOf,
  type Kind,
  type Past,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
} from '#tests/access-oracle/world/world.ts'
import { isRollup, storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import type { Get, OracleRequest, Requester } from './request.ts'

/**
 * What users see of the past. The rule for conditions that depend on other records is only an upper bound here: a user
 * must see what they could read at all times, and may see nothing that they can't read now.
 */

/** Values that are shown like those of a list; links and files are those of today. */
const COMPARED: ReadonlySet<Kind> = new Set([
  'text',
  'long-text',
  'number',
  'checkbox',
  'date',
  'date-time',
  'select',
  'state',
  'multi-select',
  'user',
])

type Body = { readonly id: string; readonly values: Readonly<Record<string, unknown>> }

export function randomPastRequest(draw: Random, requester: Requester): OracleRequest {
  const { world, pasts, viewpoint } = requester
  const { name } = draw.one(world.collections)
  // Before the first write, the change log may differ by what was hidden.
  const asked = draw.one([askList, askHistory, askTrash, askActivity, pasts.length > 0 ? askChanges : askList])
  const question = asked(draw, requester, name)
  const comparable = new Set(comparableIn(requester))
  const isAboutDeleted = asked === askTrash || asked === askChanges
  // What was visible at some time may still be named. Conditions on options that were renamed since can't be evaluated.
  const seenIn = (past: Past): World =>
    isAboutDeleted && !comparable.has(past) ? past.world : visibleThen(past.world, viewpoint)
  return { ...question, views: () => pasts.map(seenIn) }
}

const seenThen = new WeakMap<object, Map<World, World>>()

/** The visible part of a past world, which is calculated once for each viewpoint. */
function visibleThen(world: World, viewpoint: Requester['viewpoint']): World {
  const known = seenThen.get(viewpoint.grants) ?? new Map<World, World>()
  seenThen.set(viewpoint.grants, known)
  const seen = known.get(world) ?? visibleWorld(world, viewpoint)
  known.set(world, seen)
  return seen
}

const recordIn = (world: World, home: string, id: string): WorldRecord | undefined =>
  collectionIn(world, home)?.records.find((record) => record.id === id)

/** Whether what a user can read in a collection depends only on each record's own values. */
function isJudgedByOwnValues({ viewpoint, world }: Requester, name: string): boolean {
  const conditions = (viewpoint.grants.get(name)?.read ?? []).flatMap(({ where }) => where ?? [])
  const fields = collectionIn(world, name)?.fields ?? []
  const isOwn = (path: string): boolean =>
    path === 'createdBy' || storedFields({ fields }).some((field) => field.name === path && COMPARED.has(field.kind))
  return conditions.flatMap(comparisonsIn).flatMap(pathsOf).every(isOwn)
}

/** Whether a condition reads links from their other side, or values calculated from links, which is rejected. */
const readsLinks = (view: World, home: WorldCollection, condition: Condition): boolean =>
  comparisonsIn(condition)
    .flatMap(pathsOf)
    .some((path) => stepsOf(view, home, path).some((field) => field.reverse !== undefined || isRollup(field)))

/** The fields of a path, from the first one. */
function stepsOf(world: World, home: WorldCollection, path: string): readonly WorldField[] {
  const names = path.split('.')
  return names.flatMap((_, at) => fieldAt(world, home, names.slice(0, at + 1).join('.'))?.field ?? [])
}

/** Whether a condition of a user's access to a collection reads other records of it. */
function dependsOnItself({ viewpoint, world }: Requester, name: string): boolean {
  const home = collectionIn(world, name)
  const grants = viewpoint.grants.get(name)?.read ?? []
  const whole = grants.filter(({ where }) => !where)
  // Conditions don't matter if they show nothing that is hidden in some records.
  const partly = home?.fields.filter((field) => whole.every(({ hidden }) => hidden.includes(field.name))) ?? []
  const deciding = grants.filter(
    ({ hidden }) => whole.length === 0 || partly.some((field) => !hidden.includes(field.name)),
  )
  const paths = deciding.flatMap(({ where }) => (where ? comparisonsIn(where).flatMap(pathsOf) : []))
  return paths.some((path) => {
    const steps = home ? stepsOf(world, home, path) : []
    return steps.some(({ target, reverse }, at) => target === name && (at < steps.length - 1 || reverse !== undefined))
  })
}

const seesEveryRecord = ({ viewpoint }: Requester, name: string): boolean =>
  viewpoint.grants.get(name)?.read.every(({ where }) => !where) === true

const mayEveryRecordBeSeen = ({ viewpoint }: Requester, name: string): boolean =>
  viewpoint.grants.get(name)?.read.some(({ where }) => !where) === true

const NO_COLLECTION = { status: 404, code: 'collection-not-found' } as const

/** A question whose answer is judged instead of compared. */
const judged = (path: string, judge: NonNullable<OracleRequest['judge']>): OracleRequest => ({
  path,
  reads: 'past',
  judge,
  expected: { status: 200, faults: [] },
})

const closed = (path: string): OracleRequest => ({ path, reads: 'status', expected: NO_COLLECTION })

/** Times at which the options had the same names as today. */
const comparableIn = ({ pasts, world }: Requester): readonly Past[] => {
  const fieldsOf = ({ collections }: World): string => JSON.stringify(collections.map(({ fields }) => fields))
  const now = fieldsOf(world)
  return pasts.slice(pasts.findLastIndex((past) => fieldsOf(past.world) !== now) + 1)
}

function askList(draw: Random, requester: Requester, name: string): OracleRequest {
  const { view } = requester
  const whole = collectionIn(view, name)
  const all = comparableIn(requester)
  // Values calculated from links aren't known of an earlier time.
  const home = whole && { ...whole, fields: whole.fields.filter((field) => !isRollup(field)) }
  if (!home || all.length === 0) return closedOr(requester, name, `/api/collections/${name}/records`)
  const past = draw.one(all)
  if (dependsOnItself(requester, home.name)) {
    const path = pathOf(home, 'records', { at: past.at })
    return { path, reads: 'status', expected: { status: 400, code: 'invalid-request' } }
  }
  const page = { at: past.at, perPage: '500' }
  const drawn = home.fields.length > 0 ? randomCondition(draw, view, whole, { depth: 2 }) : undefined
  if (drawn && readsLinks(view, whole, drawn)) {
    const path = pathOf(home, 'records', { ...page, filter: printCondition(drawn) })
    return { path, reads: 'status', expected: { status: 400, code: 'invalid-filter' } }
  }
  const condition = drawn
  const terms = draw.one(SEARCHES)
  return judged(pathOf(home, 'records', { ...page, count: 'exact' }), async ({ items: found, total }, get) => {
    const items = (found as readonly Body[]).map((item) => withLinkedIds(requester, home, item))
    const faults = faultsOfList(requester, { home, past, items })
    const { body: sums } = await get(pathOf(home, 'sums', { at: past.at }))
    if (total !== items.length || sums.count !== items.length) faults.push(`counted ${total} and ${sums.count}`)
    // Filters and searches see what the list shows.
    const records = items.map((item) => ({ ...recordIn(past.world, name, item.id), ...item }) as WorldRecord)
    const among = { ...home, records, fields: home.fields.filter(({ reverse }) => reverse === undefined) }
    const shown = { ...view, collections: view.collections.map((one) => (one === whole ? { ...home, records } : one)) }
    const wanted = {
      search: records.filter((record) => isFound(shown, among, record, terms)),
      ...(condition && {
        filter: records.filter((record) => satisfies(shown, { ...home, records }, record, condition)),
      }),
    }
    const parts = { search: terms.join(' '), ...(condition && { filter: printCondition(condition) }) }
    for (const [part, expected] of Object.entries(wanted)) {
      const path = pathOf(home, 'records', { ...page, [part]: parts[part as keyof typeof parts] ?? '' })
      const found = (await get(path)).body.items.map(({ id }: Body) => id)
      const ids = expected.map(({ id }) => id)
      if (!isDeepStrictEqual(found, ids)) faults.push(`${path} listed ${found.join()} instead of ${ids.join()}`)
    }
    return faults
  })
}

const closedOr = ({ view }: Requester, name: string, path: string): OracleRequest =>
  collectionIn(view, name) ? { path, reads: 'status', expected: { status: 200 } } : closed(path)

type Listed = { readonly home: WorldCollection; readonly past: Past; readonly items: readonly Body[] }

function faultsOfList(requester: Requester, listed: Listed): string[] {
  const { home, items } = listed
  const faults = items.flatMap((item) => faultsOfItem(requester, listed, item))
  const missing = expectedIn(requester, listed).filter((id) => {
    const values = items.find((item) => item.id === id)?.values
    return !values || !hasAll(home, values)
  })
  return [...faults, ...missing.map((id) => `${id} isn’t listed`)]
}

/** Reverse sides are those of today; an answer contains only the first of many records. */
function withLinkedIds({ view }: Requester, { name, fields }: WorldCollection, { id, values }: Body): Body {
  const now = recordIn(view, name, id)?.values ?? {}
  const links = fields.filter((field) => field.reverse !== undefined && Object.hasOwn(values, field.name))
  return { id, values: { ...values, ...Object.fromEntries(links.map((field) => [field.name, now[field.name] ?? []])) } }
}

const hasAll = ({ fields }: WorldCollection, values: object): boolean =>
  fields.every(({ name }) => Object.hasOwn(values, name))

function faultsOfItem(requester: Requester, { home, past }: Listed, { id, values }: Body): string[] {
  const { world, view, viewpoint, pasts } = requester
  const was = recordIn(past.world, home.name, id)
  const now = recordIn(world, home.name, id)
    ? recordIn(view, home.name, id)
    : recordIn(visibleThen(lastWorldWith(pasts, home.name, id), viewpoint), home.name, id)
  const isOwn = isJudgedByOwnValues(requester, home.name)
  const seen = isOwn ? recordIn(visibleThen(past.world, viewpoint), home.name, id) : was
  if (!was || !now || !seen) return [`${id} is listed`]
  const shown = home.fields.filter(({ name }) => Object.hasOwn(values, name))
  // A field that depends on a condition is empty in records that were deleted since, or if it can't be decided.
  const isUndecided = !isOwn || !recordIn(world, home.name, id)
  const mayBeEmpty = (name: string): boolean =>
    isUndecided && viewpoint.grants.get(home.name)?.read.some(({ hidden }) => hidden.includes(name)) === true
  const calculated = (collectionIn(world, home.name)?.fields ?? []).filter(
    (field) => isRollup(field) && Object.hasOwn(values, field.name),
  )
  const wrong = shown.filter((field) => {
    const [value, then] = [values[field.name], was.values[field.name]]
    // A value that was or is hidden is empty.
    const isSeen = [now, seen].every((one) => Object.hasOwn(one.values, field.name))
    if ((!isSeen || mayBeEmpty(field.name)) && isDeepStrictEqual(value, emptyOf(field))) return false
    return !isSeen || (COMPARED.has(field.kind) && !isDeepStrictEqual(value, then))
  })
  return [...calculated, ...wrong].map(({ name }) => `${id}.${name} is ${JSON.stringify(values[name])}`)
}

/** The records that the user could and can read with all their fields. */
function expectedIn(requester: Requester, { home, past }: Listed): readonly string[] {
  if (!isJudgedByOwnValues(requester, home.name)) return []
  const [then, now] = [visibleThen(past.world, requester.viewpoint), requester.view].map((one) =>
    (collectionIn(one, home.name)?.records ?? []).flatMap(({ id, values }) => (hasAll(home, values) ? id : [])),
  )
  return (then ?? []).filter((id) => now?.includes(id))
}

/** The last world that contains a record. */
const lastWorldWith = (pasts: readonly Past[], home: string, id: string): World => {
  const last = pasts.findLast((past) => recordIn(past.world, home, id))
  if (!last) throw new Error(`The oracle doesn’t know the record ${id}.`)
  return last.world
}

type Change = { readonly field: string; readonly before: unknown; readonly after: unknown; readonly isText?: boolean }
type Entry = { readonly at: string; readonly kind: string; readonly changes: readonly Change[] }

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value

function askHistory(draw: Random, requester: Requester, name: string): OracleRequest {
  const { world, view } = requester
  const { id } = draw.one([...(collectionIn(world, name)?.records ?? []), { id: '0'.repeat(26) }])
  const path = `/api/collections/${name}/records/${id}/history?perPage=100`
  const home = collectionIn(view, name)
  if (!home) return closed(path)
  const record = recordIn(view, name, id)
  if (!record) return { path, reads: 'status', expected: { status: 404, code: 'record-not-found' } }
  const comparable = comparableIn(requester)
  const start = comparable[0]?.at ?? '9'
  const isOwn = isJudgedByOwnValues(requester, name)
  const states = [...comparable.map((past) => past.world), world].flatMap((one) => {
    const was = recordIn(one, name, id)
    const seen = recordIn(visibleThen(one, requester.viewpoint), name, id)
    return was ? [{ values: was.values, seen: isOwn ? (seen?.values ?? {}) : was.values }] : []
  })
  const steps = states.slice(1).map((after, at) => ({ before: states[at] ?? after, after }))
  return judged(path, async (body) => {
    const entries = (body.items as readonly Entry[]).filter(({ at, kind }) => at > start && kind !== 'created')
    const faults: string[] = []
    for (const { field, before, after, isText } of entries.flatMap(({ changes }) => changes)) {
      if (!Object.hasOwn(record.values, field)) faults.push(`a change of ${field} is shown`)
      const kind = storedFields(home).find((one) => one.name === field)?.kind
      if (isText || !kind || !COMPARED.has(kind)) continue
      const isKnown = steps.some(
        (step) =>
          Object.hasOwn(step.before.seen, field) &&
          Object.hasOwn(step.after.seen, field) &&
          isDeepStrictEqual(
            [step.before.values[field], step.after.values[field]].map((value) => value ?? null),
            [before, after].map((value) => plain(value) ?? null),
          ),
      )
      if (!isKnown) faults.push(`${field} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`)
    }
    const isWhole =
      isOwn &&
      [record.values, ...states.map(({ seen }) => seen)].every((values) =>
        home.fields.every((field) => Object.hasOwn(values, field.name)),
      )
    for (const { before, after } of isWhole ? steps : [])
      for (const { name: field, kind } of storedFields(home)) {
        if (!COMPARED.has(kind) || isDeepStrictEqual(before.values[field], after.values[field])) continue
        const isShown = entries.some(({ changes }) =>
          changes.some(
            (one) => one.field === field && isDeepStrictEqual(plain(one.after) ?? null, after.values[field] ?? null),
          ),
        )
        if (!isShown) faults.push(`the change of ${field} to ${JSON.stringify(after.values[field])} isn’t shown`)
      }
    return faults
  })
}

/** All items of a list with pages. */
async function wholeList<Item>(
  get: Get,
  path: string,
  first: { readonly items: readonly Item[]; readonly next: string | null },
) {
  const items = [...first.items]
  for (let { next } = first; next !== null; ) {
    const { body } = await get(`${path}&before=${next}`)
    items.push(...body.items)
    next = body.next
  }
  return items
}

type Deleted = {
  readonly id: string
  readonly seen: WorldRecord | undefined
  readonly was: WorldRecord | undefined
  /** Whether options have been renamed since, so that conditions on them can't be evaluated. */
  readonly isOutdated: boolean
}

/** Deleted records of a collection, as they were, and what the user could read of them. */
function deletedIn(requester: Requester, home: string): readonly Deleted[] {
  const { pasts, world, viewpoint } = requester
  const comparable = new Set(comparableIn(requester).map((past) => past.world))
  const ids = new Set(pasts.flatMap((past) => (collectionIn(past.world, home)?.records ?? []).map(({ id }) => id)))
  return [...ids]
    .filter((id) => !recordIn(world, home, id))
    .map((id) => {
      const last = lastWorldWith(pasts, home, id)
      const seen = recordIn(visibleThen(last, viewpoint), home, id)
      return { id, was: recordIn(last, home, id), seen, isOutdated: !comparable.has(last) }
    })
}

function askTrash(_draw: Random, requester: Requester, name: string): OracleRequest {
  const path = `/api/trash?collection=${name}&perPage=100`
  const home = collectionIn(requester.view, name)
  if (!home) return closed(path)
  return judged(path, async (body, get) => {
    const items = await wholeList<{ readonly record: Body }>(get, path, body)
    const deleted = deletedIn(requester, name)
    const faults = items.flatMap(({ record }) => {
      const known = deleted.find(({ id }) => id === record.id)
      if (known?.isOutdated === true) return []
      if (!known?.seen) return `${record.id} is in the trash`
      const hidden = Object.keys(record.values).filter((field) => !Object.hasOwn(known.seen?.values ?? {}, field))
      return hidden.map((field) => `${record.id}.${field} is in the trash`)
    })
    const expected = seesEveryRecord(requester, name) ? deleted : []
    const missing = expected.filter(({ id }) => !items.some(({ record }) => record.id === id))
    return [...faults, ...missing.map(({ id }) => `${id} isn’t in the trash`)]
  })
}

type ChangeItem = { readonly record: string | null; readonly kind: string; readonly fields: readonly string[] }

const LISTED_WITHIN_MS = 60_000
const ASK_AGAIN_MS = 20

function askChanges(_draw: Random, requester: Requester, name: string): OracleRequest {
  const { view, world, pasts } = requester
  const home = collectionIn(view, name)
  const path = `/api/changes?collection=${name}&limit=500`
  if (!home) return closed(path)
  const [first] = pasts
  const all = collectionIn(world, name)?.records ?? []
  const changed = all.flatMap(({ id, values }) => {
    const was = first && recordIn(first.world, name, id)
    const differing = storedFields(home).filter(
      ({ kind, name: field }) => COMPARED.has(kind) && was && !isDeepStrictEqual(was.values[field], values[field]),
    )
    return differing.map((field) => ({ id, field: field.name }))
  })
  const expected = seesEveryRecord(requester, name) && comparableIn(requester).length === pasts.length ? changed : []
  return judged(path, async (start, get) => {
    const deadline = performance.now() + LISTED_WITHIN_MS
    for (let body = start; ; body = (await get(path)).body) {
      const items = await allChanges(get, path, body)
      const missing = expected.filter(
        ({ id, field }) => !items.some(({ record, fields }) => record === id && fields.includes(field)),
      )
      // On PostgreSQL, running transactions delay the list.
      if (missing.length > 0 && performance.now() < deadline) {
        await delay(ASK_AGAIN_MS)
        continue
      }
      const deleted = deletedIn(requester, name)
      const faults = items.flatMap(({ record, kind, fields }) => {
        if (record === null) return mayEveryRecordBeSeen(requester, name) ? [] : 'an import is listed'
        const known = deleted.find(({ id }) => id === record)
        if (known?.isOutdated === true) return []
        const seen = recordIn(view, name, record) ?? known?.seen
        if (!seen) return `${record} was ${kind}`
        return fields
          .filter((field) => !Object.hasOwn(seen.values, field))
          .map((field) => `${field} of ${record} was changed`)
      })
      return [...faults, ...missing.map(({ id, field }) => `the change of ${field} of ${id} isn’t listed`)]
    }
  })
}

async function allChanges(
  get: Get,
  path: string,
  first: { items: readonly ChangeItem[]; next: string; isComplete: boolean },
) {
  const items = [...first.items]
  for (let page = first; !page.isComplete; ) {
    page = (await get(`${path}&after=${encodeURIComponent(page.next)}`)).body
    items.push(...page.items)
  }
  return items
}

type Part = {
  readonly kind: string
  readonly fields: readonly string[]
  readonly record: { readonly id: string; readonly title: string } | null
}

function askActivity(_draw: Random, requester: Requester, name: string): OracleRequest {
  const { view } = requester
  const home = collectionIn(view, name)
  const path = `/api/activity?collection=${name}&perPage=100`
  if (!home) return closed(path)
  return judged(path, async (body, get) => {
    const items = await wholeList<{ readonly parts: readonly Part[] }>(get, path, body)
    return items.flatMap(({ parts }) =>
      parts.flatMap(({ fields, record }) => {
        const hidden = fields.filter((field) => !home.fields.some((one) => one.name === field))
        const seen = record && recordIn(view, name, record.id)
        const title = seen && home.title !== null ? (nameOf(view, name, seen) ?? '') : ''
        return [
          ...hidden.map((field) => `a change of ${field} is listed`),
          ...(record && !seen ? [`${record.id} is named`] : []),
          ...(seen && record.title !== title ? [`${record.id} is called “${record.title}” instead of “${title}”`] : []),
        ]
      }),
    )
  })
}
