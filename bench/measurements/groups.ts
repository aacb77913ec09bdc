import { setTimeout as pause } from 'node:timers/promises'
import { fetchJson, type JsonAnswer, expectSame, get, itemsOf, listPath, RECORDS } from '../client/requests.ts'
import { GROUPED, GROUPED_AFTER_CHANGE, GROUPED_BY_MANY } from '../report/budgets.ts'
import { metricsOfLatencies } from '../client/load.ts'
import { type Bench, measureQuestions, messageOf, allViewers, type Part, type Viewer } from '../measure.ts'
import { openRawConnection, type RawConnection, type RawRequest, rawRequest } from '../client/raw-client.ts'
import { type Column, type Metrics, type Outcome, type Row, rowOf } from '../report/result.ts'
import type { Environment } from '../setup/environment.ts'

const BY_STATUS = get('/api/collections/items/groups?by=status&aggregates=count,sum(amount)')
const BARE = get('/groups')

function checkGroups({ groups }: JsonAnswer, { truth }: Viewer): void {
  // The API guarantees this format, and the baseline returns the same.
  const answered = groups as { key: { status: string }; count: number }[]
  for (const [status, count] of truth.groups) {
    expectSame(`The group ${status}`, answered.find(({ key }) => key.status === status)?.count, count)
  }
  expectSame('The number of groups', answered.length, truth.groups.length)
}

const ROUNDS = 30
const QUICK_ROUNDS = 5
const BETWEEN_MS = 20

async function timed(connection: RawConnection, request: RawRequest, token: string): Promise<number> {
  const bytes = Buffer.from(rawRequest({ token, ...request }))
  const startedAt = performance.now()
  const { status, body } = await connection.ask(bytes)
  if (status !== 200) throw new Error(`${request.path} was answered ${status}: ${body().slice(0, 200)}`)
  return performance.now() - startedAt
}

/** One round changes a record, then requests the groups; only the group request is measured. */
async function afterEachChange(
  bench: Bench,
  { port, token }: Pick<Viewer, 'port' | 'token'>,
  [groups, changes]: readonly [RawRequest, readonly RawRequest[]],
): Promise<Metrics> {
  const connection = await openRawConnection(port)
  const latencies: number[] = []
  const rounds = bench.options.isQuick ? QUICK_ROUNDS : ROUNDS
  for (const change of changes.slice(0, rounds)) {
    await timed(connection, change, token)
    await pause(BETWEEN_MS)
    latencies.push(await timed(connection, groups, token))
  }
  connection.close()
  return metricsOfLatencies(Float64Array.from(latencies), latencies.reduce((sum, ms) => sum + ms, 0) / 1000)
}

/** Changes a field that neither the filter nor the sort uses. */
async function changesOf({ stage, token, column }: Viewer & { readonly stage: Environment }): Promise<RawRequest[]> {
  // Each user needs different values, because unchanged values are not written.
  const first = column.endsWith('-owner') ? 1_000 : 1
  const list = await fetchJson(stage.port(), {
    ...get(listPath({ filter: 'status = "waiting"', count: 'none' })),
    token,
  })
  return itemsOf(list).map(({ id }, at) => ({
    method: 'PATCH',
    path: `${RECORDS}/${String(id)}`,
    body: { values: { amount: first + at / 4 } },
  }))
}

const bareChanges = (): RawRequest[] =>
  Array.from({ length: ROUNDS }, (_, at) => ({
    method: 'PATCH',
    path: '/update',
    body: { id: 1 + at, title: 'A changed title', amount: 1 + at / 4 },
  }))

async function rowAfterChanges(bench: Bench): Promise<Row> {
  const outcomes = new Map<Column, Outcome>()
  for (const viewer of bench.stages.flatMap((stage) => allViewers(bench, stage))) {
    const changes = await changesOf(viewer)
    const figures = await afterEachChange(bench, viewer, [BY_STATUS, changes]).catch((error: unknown) => ({
      failure: messageOf(error),
    }))
    outcomes.set(viewer.column, figures)
  }
  if (bench.floor) outcomes.set('floor', await afterEachChange(bench, bench.floor, [BARE, bareChanges()]))
  return rowOf(GROUPED_AFTER_CHANGE, outcomes)
}

/** Measures groups by option with count and sum: first with unchanged data, then after each change. */
export const groupPart: Part = {
  name: 'group',
  run: async (bench) => [
    ...(await measureQuestions(
      bench,
      { budget: GROUPED, ours: () => [BY_STATUS], bare: () => [BARE], check: checkGroups, settles: true },
      [GROUPED, GROUPED_BY_MANY],
    )),
    await rowAfterChanges(bench),
  ],
}
