import { runLoad, metricsOf } from '../client/load.ts'
import { expectSame, fetchJson, get, itemsOf, type JsonAnswer, sendAs } from '../client/requests.ts'
import type { RawRequest } from '../client/raw-client.ts'
import { type Bench, loadOf, messageOf, type Part, restrictedViewer } from '../measure.ts'
import {
  COLLECTION_ADDED,
  noPromise,
  pageWithLookups,
  RELATED_PAGE,
  RELATED_PAGE_BY_MANY,
  SEARCH_EVERYWHERE,
  updateOfWide,
  WIDE_PAGE,
} from '../report/budgets.ts'
import { type Column, type Metrics, type Outcome, rowOf } from '../report/result.ts'
import { assignRole, type Send, USERS } from '../setup/create-users.ts'
import { type Environment, signInAs } from '../setup/environment.ts'
import { calculated } from './computed.ts'

const WIDE_FIELDS = 200
const WIDE_COLUMNS = 12
const RELATIONS = 10
const COLLECTIONS = 300
const RECORDS = 2_000
/** A request with 200 fields per record must not exceed the size limit. */
const AT_ONCE = 250

const asOwner = (stage: Environment): Send => sendAs(stage.port(), stage.tokens().owner)

type Created = { readonly id: string; readonly name: string; readonly fields: readonly { readonly id: string }[] }

// The API guarantees this format.
const addCollection = async (send: Send, label: string, fields: readonly unknown[]): Promise<Created> =>
  (await send('POST', '/api/collections', { label, fields })) as unknown as Created

const definitionOf = async (send: Send, { name }: Created): Promise<Created> =>
  (await send('GET', `/api/collections/${name}`)) as unknown as Created

async function addRecords(send: Send, { name }: Created, count: number, valuesAt: (at: number) => unknown) {
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from)
    const create = Array.from({ length }, (_, at) => ({ values: valuesAt(from + at) }))
    await send('POST', `/api/collections/${name}/records/bulk`, { create })
  }
}

const idsOf = async (send: Send, { name }: Created): Promise<readonly string[]> =>
  itemsOf(await send('GET', `/api/collections/${name}/records?perPage=200&fields=`)).map(({ id }) => String(id))

/** Signs in a user whose only role has these grants. */
async function signInWith(stage: Environment, email: string, grants: readonly unknown[]): Promise<string> {
  await assignRole(asOwner(stage), email, grants)
  return signInAs(stage.server(), email)
}

type Client = { readonly bench: Bench; readonly stage: Environment; readonly token: string }

/** Checks the response first, because the latency of a wrong one would be meaningless. */
async function latencies(
  { bench, stage, token }: Client,
  requests: readonly RawRequest[],
  { clients = 1, check }: { readonly clients?: number | undefined; readonly check: (answer: JsonAnswer) => void },
): Promise<Metrics> {
  const [first] = requests
  if (first) check(await fetchJson(stage.port(), { token, ...first }))
  const viewer = { ...restrictedViewer(bench, stage), token }
  return metricsOf(await runLoad(loadOf(bench, { viewer, requests, status: 200 }, clients)))
}

type Outcomes = ReadonlyMap<Column, Outcome>

/** Measures each database; a failure on one of them doesn't affect the other. */
async function measureEach<Name extends string>(
  { stages }: Bench,
  names: readonly Name[],
  measure: (stage: Environment) => Promise<Readonly<Record<Name, Outcome>>>,
): Promise<(name: Name) => Outcomes> {
  const seen = new Map<Name, Map<Column, Outcome>>(names.map((name) => [name, new Map()]))
  for (const stage of stages) {
    const outcomes = await measure(stage).catch((error: unknown) => ({ failure: messageOf(error) }))
    for (const [name, cells] of seen) cells.set(stage.dialect, 'failure' in outcomes ? outcomes : outcomes[name])
  }
  return (name) => seen.get(name) ?? new Map()
}

const p50Of = (outcomes: Outcomes, dialect: Column): number => {
  const outcome = outcomes.get(dialect)
  return outcome && 'p50' in outcome ? outcome.p50 : 0
}

const p95Of = (outcomes: Outcomes, dialect: Column): number => {
  const outcome = outcomes.get(dialect)
  return outcome && 'p95' in outcome ? outcome.p95 : 0
}

const textField = (at: number) => ({ label: `Text ${at}`, name: `text${at}`, kind: 'text' })
const wideField = (at: number) =>
  at % 2 === 0 ? textField(at) : { label: `Number ${at}`, name: `number${at}`, kind: 'number' }

const wideValues = (fields: number) => (at: number) =>
  Object.fromEntries(
    Array.from({ length: fields }, (_, field) =>
      field % 2 === 0 ? [`text${field}`, `Value ${field} of record ${at}`] : [`number${field}`, at + field],
    ),
  )

/** The row filter and hidden field of a real role. */
const restricted = ({ id, fields }: Created) => ({
  collection: id,
  where: 'text0 != "spam"',
  fields: { except: [fields.at(-1)?.id] },
})

const isFull = (answer: JsonAnswer): void => expectSame('records on the page', itemsOf(answer).length, 50)

/** A collection with many fields, and a narrow one with as many records for comparison. */
export const widePart: Part = {
  name: 'wide',
  run: async (bench) => {
    const seen = await measureEach(bench, ['page', 'narrow', 'wide'], async (stage) => {
      const send = asOwner(stage)
      const made = async (label: string, fields: number) => {
        const collection = await addCollection(
          send,
          label,
          Array.from({ length: fields }, (_, at) => wideField(at)),
        )
        await addRecords(send, collection, RECORDS, wideValues(fields))
        return { collection, ids: await idsOf(send, collection) }
      }
      const [narrow, wide] = [await made('Narrow', WIDE_COLUMNS), await made('Wide', WIDE_FIELDS)]
      const grants = [narrow, wide].flatMap(({ collection }) =>
        ['records:read', 'records:update'].map((permission) => ({ permission, ...restricted(collection) })),
      )
      const client = { bench, stage, token: await signInWith(stage, USERS.many[0] ?? '', grants) }
      const update = ({ collection, ids }: typeof wide) => {
        const requests = Array.from({ length: 2 * ids.length }, (_, at) => ({
          method: 'PATCH' as const,
          path: `/api/collections/${collection.name}/records/${ids[at % ids.length]}`,
          body: { values: { number1: 1_000_000 + at } },
        }))
        const check = ({ version }: JsonAnswer) => expectSame('version after an update', version, 2)
        return latencies(client, requests, { check })
      }
      const columns = Array.from({ length: WIDE_COLUMNS }, (_, at) => wideField(at).name).join(',')
      const page = get(`/api/collections/${wide.collection.name}/records?perPage=50&count=none&fields=${columns}`)
      return {
        page: await latencies(client, [page], { check: isFull }),
        narrow: await update(narrow),
        wide: await update(wide),
      }
    })
    const narrow = seen('narrow')
    const limit = updateOfWide({ sqlite: p50Of(narrow, 'sqlite'), postgres: p50Of(narrow, 'postgres') })
    return [
      rowOf(WIDE_PAGE, seen('page')),
      rowOf(noPromise('Update of one of 12 fields, durable', 1), narrow),
      rowOf(limit, seen('wide')),
    ]
  },
}

/** A collection with many relations to collections with row filters. */
export const relationsPart: Part = {
  name: 'relations',
  run: async (bench) => {
    const seen = await measureEach(bench, ['one', 'many', 'plain', 'lookups'], async (stage) => {
      const send = asOwner(stage)
      const targets: { readonly collection: Created; readonly ids: readonly string[] }[] = []
      for (let at = 0; at < RELATIONS; at += 1) {
        const collection = await addCollection(send, `Target ${at}`, [textField(0), textField(1)])
        await addRecords(send, collection, 200, (record) => ({ text0: record % 9 ? `Target ${record}` : 'spam' }))
        targets.push({ collection, ids: await idsOf(send, collection) })
      }
      const relations = targets.map(({ collection }, at) => ({
        label: `Relation ${at}`,
        name: `relation${at}`,
        kind: 'relation',
        options: { collection: collection.name },
      }))
      const source = await addCollection(send, 'Source', [textField(0), ...relations, textField(1)])
      await addRecords(send, source, RECORDS, (record) => ({
        text0: `Source ${record}`,
        ...Object.fromEntries(targets.map(({ ids }, at) => [`relation${at}`, ids[(record * (at + 1)) % ids.length]])),
      }))
      const lookups = targets.map((_, at) => ({
        label: `Lookup ${at}`,
        name: `lookup${at}`,
        kind: 'lookup',
        options: { path: [`relation${at}`], field: 'text0' },
      }))
      for (const lookup of lookups) await send('POST', `/api/collections/${source.name}/fields`, lookup)
      for (const { name } of lookups) await calculated(stage, source.name, name)
      const read = [source, ...targets.map(({ collection }) => collection)]
      // Lookups of records that a role can't read are open only if they are listed.
      const listed = (await definitionOf(send, source)).fields.filter(({ id }) => id !== source.fields.at(-1)?.id)
      const grants = [
        ...read.map((collection) => ({ permission: 'records:read', ...restricted(collection) })),
        { permission: 'records:read', ...restricted(source), fields: { only: listed.map(({ id }) => id) } },
      ]
      const client = { bench, stage, token: await signInWith(stage, USERS.many[1] ?? '', grants) }
      const pageOf = (rest: string) => [
        get(`/api/collections/${source.name}/records?perPage=50&count=none&fields=${rest}`),
      ]
      const related = pageOf(`text0,${relations.map(({ name }) => name).join(',')}&expand=*`)
      return {
        one: await latencies(client, related, { check: isFull }),
        many: await latencies(client, related, { check: isFull, clients: RELATED_PAGE_BY_MANY.clients }),
        plain: await latencies(client, pageOf('text0'), { check: isFull }),
        lookups: await latencies(client, pageOf(`text0,${lookups.map(({ name }) => name).join(',')}`), {
          check: isFull,
        }),
      }
    })
    const plain = seen('plain')
    return [
      rowOf(RELATED_PAGE, seen('one')),
      rowOf(RELATED_PAGE_BY_MANY, seen('many')),
      rowOf(noPromise('Page of 50 of this collection, title only', 1), plain),
      rowOf(pageWithLookups({ sqlite: p95Of(plain, 'sqlite'), postgres: p95Of(plain, 'postgres') }), seen('lookups')),
    ]
  },
}

const MORE = 9
const HITS_EVERY = 10

/** Many collections: search in all of them, and the time to create another one. */
export const collectionsPart: Part = {
  name: 'collections',
  run: async (bench) => {
    const seen = await measureEach(bench, ['search', 'added'], async (stage) => {
      const send = asOwner(stage)
      const add = (at: number) => addCollection(send, `Drawer ${at}`, [textField(0), textField(1)])
      for (let at = 0; at < COLLECTIONS; at += 1) {
        const drawer = await add(at)
        await addRecords(send, drawer, 20, (record) => ({
          text0: `Sheet ${record} of drawer ${at}`,
          text1: record === 7 && at % HITS_EVERY === 0 ? 'heliotrope' : 'plain paper',
        }))
      }
      const took: number[] = []
      for (let at = 0; at < MORE; at += 1) {
        const startedAt = performance.now()
        await add(COLLECTIONS + at)
        took.push(performance.now() - startedAt)
      }
      const middle = took.toSorted((left, right) => left - right)[Math.floor(MORE / 2)] ?? 0
      const grants = [{ permission: 'records:read', collection: null }]
      const client = { bench, stage, token: await signInWith(stage, USERS.many[2] ?? '', grants) }
      const check = ({ groups }: JsonAnswer) =>
        expectSame('collections with hits', Array.isArray(groups) && groups.length, COLLECTIONS / HITS_EVERY)
      return {
        search: await latencies(client, [get('/api/search?q=heliotrope')], { check }),
        added: { figure: middle, unit: 'ms' },
      }
    })
    return [rowOf(SEARCH_EVERYWHERE, seen('search')), rowOf(COLLECTION_ADDED, seen('added'))]
  },
}
