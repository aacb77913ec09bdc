import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ReadMetric, readMetrics } from '#tests/support/server/read-metrics.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let prometheus: Caller
let plans: string

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const { body } = await owner.post('/api/tokens', { name: 'Prometheus', scopes: ['metrics:read'] })
  prometheus = app.withToken(body.token)
  const made = await owner.post('/api/collections', {
    label: 'Secret plans',
    fields: [{ label: 'Files', kind: 'files' }],
  })
  plans = made.body.name
})
afterAll(() => app.close())

type Where = { readonly [label: string]: string }

const look = async (): Promise<ReadonlyMap<string, ReadMetric>> => readMetrics((await prometheus.get('/metrics')).text)

/** The sum of a metric over all samples with these labels. */
function figure(metrics: ReadonlyMap<string, ReadMetric>, name: string, where: Where = {}): number {
  const samples = [...metrics.values()].flatMap((metric) => metric.samples).filter((sample) => sample.name === name)
  const fitting = samples.filter(({ labels }) =>
    Object.entries(where).every(([label, value]) => labels[label] === value),
  )
  return fitting.reduce((sum, { value }) => sum + value, 0)
}

/** The amount by which `work` increases a metric. */
async function grows(name: string, where: Where, work: () => Promise<unknown>): Promise<number> {
  const before = figure(await look(), name, where)
  await work()
  return figure(await look(), name, where) - before
}

describe('Prometheus metrics', () => {
  test("require the metrics:read permission, which can be a token's only scope", async () => {
    expect((await app.guest.get('/metrics')).status).toBe(401)
    expect((await (await app.asEditor()).get('/metrics')).status).toBe(403)
    const { body } = await owner.post('/api/tokens', { name: 'Reader', scopes: ['records:read'] })
    expect((await app.withToken(body.token).get('/metrics')).status).toBe(403)
    expect((await owner.get('/metrics')).status).toBe(200)
    expect((await prometheus.get('/metrics')).status).toBe(200)
    expect((await prometheus.get(`/api/collections/${plans}`)).status).toBe(403)
  })

  test('are valid Prometheus text format and not cached', async () => {
    const { headers, text } = await prometheus.get('/metrics')
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    const metrics = readMetrics(text)
    for (const [name, { type, help }] of metrics) {
      expect(name).toMatch(/^(?:dossier|process|nodejs)_[a-z0-9_]+$/)
      expect(help).toMatch(/^[A-Z0-9].*[.]$/)
      expect(name.endsWith('_total')).toBe(type === 'counter')
    }
    expect(metrics.size).toBeGreaterThan(25)
  })

  test('cover process, database, storage, uploads, jobs, imports, sessions, emails and indexes', async () => {
    const names = [...(await look()).keys()]
    for (const name of [
      'dossier_build_info',
      'process_cpu_user_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_active_resources',
      'dossier_event_loop_active_seconds_total',
      'dossier_http_requests_in_flight',
      'dossier_database_places_taken',
      'dossier_database_waiting',
      'dossier_database_write_duration_seconds',
      'dossier_sessions_open',
      'dossier_mails',
      'dossier_jobs_running',
      'dossier_imports',
      'dossier_uploads_open',
      'dossier_uploads_committed_bytes',
      'dossier_files_used_bytes',
      'dossier_search_gaps',
      'dossier_indexes_building',
    ])
      expect(names).toContain(name)
  })

  test('label routes by pattern and contain no user data', async () => {
    await owner.get(`/api/collections/${plans}/records`)
    await owner.get('/api/collections/no_such_thing/records')
    await app.guest.get('/a-stranger-guesses/hundreds-of-addresses')
    await app.guest.request('PROPFIND', '/api/health')
    const { text } = await prometheus.get('/metrics')
    expect(text).toContain('route="/api/collections/:collection/records"')
    for (const word of [
      plans,
      'Secret',
      'no_such_thing',
      'stranger',
      'PROPFIND',
      'example.org',
      String(owner.userId),
      'dsr_',
    ])
      expect(text).not.toContain(word)
  })

  test('count each request once by status class, and record its duration', async () => {
    const route = '/api/health'
    const ask = () => app.guest.get(route)
    expect(await grows('dossier_http_requests_total', { route, method: 'GET', status: '2xx' }, ask)).toBe(1)
    expect(await grows('dossier_http_request_duration_seconds_count', { route }, ask)).toBe(1)
    const refused = () => app.guest.get('/api/auth/user')
    expect(await grows('dossier_http_requests_total', { route: '/api/auth/user', status: '4xx' }, refused)).toBe(1)
    expect(figure(await look(), 'dossier_http_requests_in_flight')).toBe(1)
  })

  test('count a disconnected request as aborted and no longer in flight', async () => {
    const { port } = new URL(await app.listen())
    const hungUp = { route: '/api/auth/login', status: 'hung-up' }
    const before = figure(await look(), 'dossier_http_requests_total', hungUp)
    const socket = connect(Number(port), '127.0.0.1')
    const head = ['POST /api/auth/login HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 50']
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await vi.waitFor(async () => expect(figure(await look(), 'dossier_http_requests_in_flight')).toBe(2), EVENTUALLY)
    socket.destroy()
    await vi.waitFor(async () => {
      const metrics = await look()
      expect(figure(metrics, 'dossier_http_requests_total', hungUp)).toBe(before + 1)
      expect(figure(metrics, 'dossier_http_requests_in_flight')).toBe(1)
    }, EVENTUALLY)
  })

  test('include cumulative histograms', async () => {
    const { samples } = (await look()).get('dossier_http_request_duration_seconds') ?? { samples: [] }
    const ofOne = samples.filter(({ labels }) => labels['route'] === '/metrics')
    const counts = ofOne.filter(({ name }) => name.endsWith('_bucket')).map(({ value }) => value)
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(ofOne.at(-3)).toMatchObject({ labels: { le: '+Inf' }, value: ofOne.at(-1)?.value })
  })

  test('count commits and rollbacks', async () => {
    const path = `/api/collections/${plans}/records`
    const store = () => owner.post(path, { values: {} })
    expect(await grows('dossier_database_writes_total', { outcome: 'stored' }, store)).toBeGreaterThanOrEqual(1)
  })

  test('count sessions, uploads and uploaded bytes', async () => {
    expect(await grows('dossier_sessions_open', {}, () => app.asViewer())).toBe(1)
    const begin = async () => {
      const metadata = Object.entries({ collection: plans, field: 'files', filename: 'a.txt' })
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(',')
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '50', 'upload-metadata': metadata }
      const begun = await owner.request('POST', '/api/tus', { headers })
      expect(begun.status).toBe(201)
    }
    expect(await grows('dossier_uploads_open', {}, begin)).toBe(1)
    expect(await grows('dossier_files_reserved_bytes', {}, begin)).toBe(50)
  })
})
