import { Client } from 'pg'
import { columnOf, foldColumnOf, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import { fetchJson, get, listPath } from '../client/requests.ts'
import { metricsOfLatencies, runLoad, metricsOf, WINDOW } from '../client/load.ts'
import type { RawRequest } from '../client/raw-client.ts'
import { type Bench, loadOf, type Part, restrictedViewer, singleReads } from '../measure.ts'
import { noPromise, ofBareClient } from '../report/budgets.ts'
import { type Metrics, type Row, rowOf } from '../report/result.ts'
import { HIDDEN_STATUS } from '../setup/generated-records.ts'
import type { Environment } from '../setup/environment.ts'
import { updates } from './writes.ts'

type Statements = (client: Client, at: number) => Promise<unknown>

/** Runs statements one after another, as the only client. */
async function measureClient(url: string, statements: Statements): Promise<Metrics> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const took: number[] = []
    const startedAt = performance.now()
    for (let at = 0; performance.now() - startedAt < WINDOW.warmUpMs + WINDOW.countedMs; at += 1) {
      const sentAt = performance.now()
      await statements(client, at)
      if (sentAt - startedAt >= WINDOW.warmUpMs) took.push(performance.now() - sentAt)
    }
    return metricsOfLatencies(Float64Array.from(took), WINDOW.countedMs / 1000)
  } finally {
    await client.end()
  }
}

const prepared = (client: Client, name: string, text: string, values: readonly unknown[]) =>
  client.query({ name, text, values: [...values] })

/** The IDs of a collection and its fields. */
async function idsOf({ port, tokens }: Environment, name: string) {
  const { fields, id: collection } = (await fetchJson(port(), {
    method: 'GET',
    path: `/api/collections/${name}`,
    token: tokens().owner,
    // The API guarantees this format.
  })) as unknown as { readonly id: string; readonly fields: readonly { readonly id: string; readonly name: string }[] }
  return { collection, idOf: (field: string): string => fields.find((one) => one.name === field)?.id ?? '' }
}

const logEntry = (client: Client, collection: string, record: unknown, values: unknown) =>
  prepared(
    client,
    'log',
    `insert into changes (id, at, kind, collection_id, record_id, before, after)
      values ($1, $2, 'record-changed', $3, $4, $5, $5)`,
    [crypto.randomUUID(), new Date().toISOString(), collection, record, JSON.stringify(values)],
  )

/** Median time in ms in which a bare client renames a person and stores the name in the records of the person. */
export async function bareRenameMs(stage: Environment, person: unknown): Promise<number> {
  const [people, items] = [await idsOf(stage, 'people'), await idsOf(stage, 'items')]
  const set = (field: string) => `"${columnOf(field)}" = $2, "${foldColumnOf(field)}" = lower($2)`
  const lookup = items.idOf('owner_name')
  const rename: Statements = async (client, at) => {
    const values = [person, `Renamed by a bare client ${at}`]
    await client.query('begin')
    const changed = `${set(people.idOf('name'))}, version = version + 1`
    await prepared(client, 'rename', `update "${tableOf(people.collection)}" set ${changed} where id = $1`, values)
    const theirs = `"${columnOf(items.idOf('owner'))}" = $1`
    await prepared(
      client,
      'lookups',
      `update "${tableOf(items.collection)}" set ${set(lookup)} where ${theirs}`,
      values,
    )
    await logEntry(client, people.collection, person, values)
    await client.query('commit')
  }
  return (await measureClient(stage.databaseUrl ?? '', rename)).p50
}

const FILL_MS = 15_000
const FILLED_AT_ONCE = 200

/**
 * Records per second whose lookup a bare client stores in the same table, in batches of about the server's size. Stores
 * other values first, and then the right ones again.
 */
export async function bareFillRate(stage: Environment): Promise<number> {
  const [people, items] = [await idsOf(stage, 'people'), await idsOf(stage, 'items')]
  const [table, lookup] = [`"${tableOf(items.collection)}"`, items.idOf('owner_name')]
  const statement = `
    with batch as materialized (
      select id, "${columnOf(items.idOf('owner'))}" as owner from ${table} where id > $1 order by id limit ${FILLED_AT_ONCE}
    ), filled as (
      update ${table} t set "${columnOf(lookup)}" = n.name, "${foldColumnOf(lookup)}" = lower(n.name)
      from (select b.id, p."${columnOf(people.idOf('name'))}" || $2 as name
        from batch b join "${tableOf(people.collection)}" p on p.id = b.owner) n
      where t.id = n.id returning 1
    )
    select (select max(id) from batch) as last, (select count(*)::int from filled) as count`
  const client = new Client({ connectionString: stage.databaseUrl ?? '' })
  await client.connect()
  const fill = async (suffix: string, isOver: (last: string) => boolean) => {
    let [last, count] = ['', 0]
    while (!isOver(last)) {
      const { rows } = await prepared(client, 'fill', statement, [last, suffix])
      last = String(rows[0]?.last)
      count += Number(rows[0]?.count)
    }
    return { last, count }
  }
  try {
    const startedAt = performance.now()
    const other = await fill(' ', () => performance.now() - startedAt > FILL_MS)
    const right = await fill('', (last) => last === other.last)
    return ((other.count + right.count) / (performance.now() - startedAt)) * 1000
  } finally {
    await client.end()
  }
}

/** The statements of a read, a page and an update, without HTTP, permissions and validation. */
async function statementsOf(stage: Environment) {
  const { someRecords } = stage
  const { collection, idOf } = await idsOf(stage, 'items')
  const row = `select r.*, (select json_agg(l.value order by l.position) from "${listTableOf(idOf('tags'))}" l
    where l.record_id = r.id) as tags from "${tableOf(collection)}" r`
  const session = (client: Client) =>
    prepared(client, 'session', 'select s.*, u.* from sessions s join users u on u.id = s.user_id limit 1', [])
  const recordAt = (at: number) => someRecords[at % someRecords.length]

  const read: Statements = async (client, at) => {
    await session(client)
    await prepared(client, 'read', `${row} where r.id = $1`, [recordAt(at)])
  }
  const page: Statements = async (client) => {
    await session(client)
    const isVisible = `r."${columnOf(idOf('status'))}" is distinct from $1`
    await prepared(client, 'page', `${row} where ${isVisible} order by r.id desc limit 51`, [HIDDEN_STATUS])
  }
  const update: Statements = async (client, at) => {
    await session(client)
    await client.query('begin')
    await prepared(client, 'lock', `${row} where r.id = $1 for update of r`, [recordAt(at)])
    const [title, amount] = [columnOf(idOf('title')), columnOf(idOf('amount'))]
    const set = `"${title}" = $2, "${amount}" = $3, version = version + 1`
    const table = tableOf(collection)
    await prepared(client, 'update', `update "${table}" set ${set} where id = $1`, [recordAt(at), `Title ${at}`, at])
    await logEntry(client, collection, recordAt(at), { [idOf('title')]: `Title ${at}`, [idOf('amount')]: at })
    await client.query('commit')
  }
  return { read, page, update }
}

/** A single client of this server, in turns with a bare client of the same database. */
async function compare(
  bench: Bench,
  stage: Environment,
  url: string,
  { what, requests, statements }: { what: string; requests: readonly RawRequest[]; statements: Statements },
): Promise<readonly Row[]> {
  const bare = await measureClient(url, statements)
  const viewer = restrictedViewer(bench, stage)
  const ours = metricsOf(await runLoad(loadOf(bench, { viewer, requests, status: 200 }, 1)))
  return [
    rowOf(noPromise(`${what}: the same statements by a bare client`, 1), new Map([['postgres', bare]])),
    rowOf(ofBareClient(what, bare.p50), new Map([['postgres', ours]])),
  ]
}

/** Compares the server on PostgreSQL with a client that sends the same statements. */
export const postgresClientPart: Part = {
  name: 'postgres-client',
  run: async (bench) => {
    const stage = bench.stages.find(({ dialect }) => dialect === 'postgres')
    if (stage?.databaseUrl === undefined) return []
    const { read, page, update } = await statementsOf(stage)
    const url = stage.databaseUrl
    const measure = (what: string, requests: readonly RawRequest[], statements: Statements) =>
      compare(bench, stage, url, { what, requests, statements })
    return [
      ...(await measure('Read one record', singleReads({ stage }), read)),
      ...(await measure('Page of 50, without count', [get(listPath({ count: 'none' }))], page)),
      ...(await measure('Update, durable', updates(stage.someRecords), update)),
    ]
  },
}
